/**
 * In which order probes start, and which together. Rate probes start together, as many as can, with their bursts one
 * after the other: each then waits through its idle window, its bursts and its pace beside the others.
 */
import type { LimitTable } from '../../schemas/limits.ts';
import { seeded } from '../../schemas/seeded.ts';
import { conflict } from '../idle.ts';
import type { Probe, RateParameters } from '../probe.ts';
import { type Finished, type Gang, schedule, Turns } from '../schedule.ts';
import { OrderSearch } from './improve.ts';
import { type RateProbe, stagger } from './stagger.ts';
import { isSmall } from './timeline.ts';
import type { PlannedProbe, ScheduleEntry } from './types.ts';

/** What an order is to be found for. */
export interface Arranging {
  /** What was spent right before; default: what contract checks usually have. */
  readonly before?: readonly Finished[] | undefined;
  /** How many orders are looked at; default: as many as take a moment. */
  readonly looks?: number | undefined;
  /**
   * Whether the probes are in an order that was found before: the search begins there, and minds how an order bears that
   * probes take a little more or less than expected. Some end seconds later then.
   */
  readonly again?: boolean | undefined;
}

const LOOKS = 400;

/** An order while it is looked for. */
export interface Arrangement {
  /** The best so far. */
  readonly gangs: readonly Gang[];
  /** Looks at one more; false when that was not to be. */
  look(): boolean;
}

/**
 * Everything that is short or waits for nothing comes first; the rate probes follow, since their idle windows have to
 * begin after the last request that any other probe spends on their budget.
 */
export function arranging(
  probes: readonly PlannedProbe[],
  table: LimitTable,
  { before = usuallyBefore(table), looks = LOOKS, again = false }: Arranging = {},
): Arrangement {
  const rates = groups(probes.filter(isRate)).map(stagger);
  const others = probes.filter((probe) => !isRate(probe));
  const beside = rates.length > 0 ? others.filter((probe) => fitsBeside(probe, rates)) : [];
  const inOrder = (order: readonly PlannedProbe[]): Gang[] => [
    ...order.map((probe) => [probe]),
    ...rates,
    ...beside.map((probe) => [probe]),
  ];
  const endOf = (order: readonly PlannedProbe[]): number => lastEndOf(schedule(inOrder(order), table, { before }));
  const first = others.filter((probe) => !beside.includes(probe));
  const orders = again ? [first] : [first, ...usualOrders(first, table)];
  const begins = orders.map((order) => ({ order, endMs: endOf(order) }));
  const { order } = begins.reduce((best, one) => (one.endMs < best.endMs ? one : best));
  const usualEndOf = (one: readonly PlannedProbe[], endMs: number): number =>
    meanEndOf(inOrder(one), table, before, endMs);
  const search = new OrderSearch(order, { looks, endOf, ...(again ? { borneMs: AGAIN_BORNE_MS, usualEndOf } : {}) });
  return {
    get gangs() {
      return inOrder(search.best);
    },
    look: () => search.look(),
  };
}

/** What is borne at first of an order that was found before, ms. */
const AGAIN_BORNE_MS = 300;

/** What probes take, as shares of what is expected, and how much later they begin, ms. */
const TAKES = { least: 0.92, most: 1.05, laterMs: 30 };
const DRAWS = 3;

/** When these end as a rule, in the planned order wherever it matters. */
function meanEndOf(gangs: readonly Gang[], table: LimitTable, before: readonly Finished[], endMs: number): number {
  const turns = new Turns(gangs, schedule(gangs, table, { before }), table);
  let sumMs = endMs;
  for (let draw = 1; draw <= DRAWS; draw += 1) {
    const lasts = otherwise(gangs.flat(), draw);
    sumMs += lastEndOf(schedule(gangs, table, { before, lasts, turns }));
  }
  return sumMs / (DRAWS + 1);
}

/** What each takes where it is not quite what is expected; rate probes keep to their times. */
function otherwise(probes: readonly PlannedProbe[], draw: number): (probe: PlannedProbe) => number {
  const random = seeded(draw);
  const share = () => TAKES.least + (TAKES.most - TAKES.least) * random();
  const lasts = new Map(probes.map((probe) => [probe, share() * probe.estimateMs + TAKES.laterMs]));
  return (probe) => (isRate(probe) ? probe.estimateMs : (lasts.get(probe) ?? probe.estimateMs));
}

const lastEndOf = (entries: readonly ScheduleEntry[]): number =>
  entries.reduce((last, { endMs }) => Math.max(last, endMs), 0);

/** The same, looked for to the end. */
export function arrange(probes: readonly PlannedProbe[], table: LimitTable, how?: Arranging): readonly Gang[] {
  const arrangement = arranging(probes, table, how);
  while (arrangement.look());
  return arrangement.gangs;
}

/** Whatever is loud keeps it waiting before the rate probes, and nothing does beside them. */
function fitsBeside(probe: PlannedProbe, rates: readonly Gang[]): boolean {
  return probe.machine === 'steady' && rates.every((gang) => gang.every((rate) => !conflict(probe, rate)));
}

/**
 * The contract checks, which may come right before the load, use much of every budget, all along. They begin with the
 * smallest, so that these have most of a window behind them.
 */
const SPENT_SHARES = [
  { upTo: 4, share: 1 },
  { upTo: 10, share: 0.8 },
  { upTo: 100, share: 0.5 },
  { upTo: Number.POSITIVE_INFINITY, share: 0.4 },
];
const SMALL_WINDOWS_AGO = 0.6;
const SPENT_PARTS = 4;

function usuallyBefore(table: LimitTable): Finished[] {
  return table.of('requests').flatMap((limit) => {
    const share = SPENT_SHARES.find(({ upTo }) => limit.value <= upTo)?.share ?? 0;
    const parts = Math.min(SPENT_PARTS, Math.ceil(limit.value * share));
    const lastAgo = isSmall(limit) ? SMALL_WINDOWS_AGO : 0;
    return Array.from({ length: parts }, (_, part) => ({
      spends: { [limit.budget]: Math.ceil((limit.value * share) / parts) },
      endMs: -limit.windowMs * (lastAgo + ((1 - lastAgo) * (part + 0.5)) / parts),
    }));
  });
}

/** Which of these is the best depends on what the probes have in common. */
function usualOrders(probes: readonly PlannedProbe[], table: LimitTable): PlannedProbe[][] {
  const by = (...keys: ((probe: PlannedProbe) => number)[]) =>
    [...probes].sort((a, b) => keys.map((key) => key(a) - key(b)).find((difference) => difference !== 0) ?? 0);
  const chain = (probe: PlannedProbe) => -chainOf(probe, probes);
  const long = ({ estimateMs }: PlannedProbe) => -estimateMs;
  const apart = (probe: PlannedProbe) => (isHeldApart(probe, probes) ? 0 : 1);
  const queue = ({ parameters }: PlannedProbe) => (parameters.kind === 'queue' ? 1 : 0);
  // Whatever is loud would wait for it later, and it for what is loud.
  const steady = (probe: PlannedProbe) => (probe.machine === 'steady' && probe.parameters.instId !== '' ? 0 : 1);
  const first = firstWindows(probes, table);
  const inFirst = (probe: PlannedProbe) => (first.includes(probe) ? first.indexOf(probe) : first.length);
  const orders = [
    [steady, kindOf, long],
    [steady, kindOf],
    [steady, queue, kindOf, long],
    [steady, apart, kindOf, long],
    [steady, chain, long],
    [apart, kindOf, long],
    [kindOf, long],
    [kindOf],
    [chain, long],
    [apart, queue, kindOf, long],
    [queue, kindOf, long],
  ];
  return orders.map((keys) => by(inFirst, ...keys));
}

/**
 * Of each small budget on which these need several windows: those that fill one together, which come first of all. The
 * others then have the next ones, and nobody waits longer than there are windows. Whoever may spend most begins: once it
 * is over, what it did not spend is free.
 */
function firstWindows(probes: readonly PlannedProbe[], table: LimitTable): PlannedProbe[] {
  const small = table.of('requests').filter(isSmall);
  return small.flatMap(({ budget, value }) => {
    const spend = ({ spends, usually = spends, startsIdle }: PlannedProbe) => (startsIdle ? 0 : (usually[budget] ?? 0));
    const windows: PlannedProbe[][] = [];
    for (const probe of [...probes].sort((a, b) => spend(b) - spend(a)).filter((one) => spend(one) > 0)) {
      const fitting = windows.find((all) => all.reduce((sum, one) => sum + spend(one), spend(probe)) <= value);
      if (fitting) fitting.push(probe);
      else windows.push([probe]);
    }
    const [fullest = []] = windows.sort((a, b) => b.length - a.length);
    return windows.length > 1 ? fullest : [];
  });
}

/**
 * Queues are filled first, or else last: what that spends has then left the window when others spend as much at once.
 * Those that stand in the way of most others follow, and the rest fills the gaps.
 */
function kindOf({ parameters, startsIdle }: PlannedProbe): number {
  const order = ['queue', 'long-poll', 'refused-job', 'held-body', 'scope', 'payload', 'unlimited'];
  const found = order.indexOf(parameters.kind === 'concurrency' ? parameters.technique : parameters.kind);
  // What uses a budget up comes right before whoever measures it, and keeps nobody else waiting.
  if (startsIdle) return order.length + 1;
  return found === -1 ? order.length : found;
}

/** Many held requests that no queue probe minds, as on interface A: the others wait for those, and need the sender. */
function isHeldApart(probe: PlannedProbe, probes: readonly PlannedProbe[]): boolean {
  if (probe.sender !== 'held' || probe.machine !== 'loud') return false;
  return probes.every((other) => other.parameters.kind !== 'queue' || !conflict(probe, other));
}

/** How long all that must not overlap with this one take together, ms. */
function chainOf(probe: PlannedProbe, probes: readonly PlannedProbe[]): number {
  return probes.filter((other) => conflict(probe, other)).reduce((sum, { estimateMs }) => sum + estimateMs, 0);
}

export function isRate<P extends Probe>(probe: P): probe is P & { readonly parameters: RateParameters } {
  return probe.parameters.kind === 'rate';
}

/** First fit: each probe joins the first group in which it disturbs nobody. */
function groups(rates: readonly RateProbe[]): RateProbe[][] {
  const made: RateProbe[][] = [];
  for (const probe of rates) {
    const fitting = made.find((group) => group.every((other) => !conflict(probe, other)));
    if (fitting) fitting.push(probe);
    else made.push([probe]);
  }
  return made;
}
