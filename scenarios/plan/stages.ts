/**
 * In which order probes start, and which together. Rate probes start together, as many as can, with their bursts one
 * after the other: each then waits through its idle window, its recovery and its pace beside the others.
 */
import type { LimitTable } from '../../schemas/limits.ts';
import type { Probe, RateParameters } from '../probe.ts';
import { conflict, type Gang, schedule } from '../schedule.ts';
import { PROCESS_MS } from './rate.ts';
import { IDLE_MARGIN_MS, lastSentMs, shiftedBy } from './timeline.ts';
import type { PlannedProbe, Spending } from './types.ts';

/** A probe of `status` looks at a job of its own before its idle window begins; it needs a moment for that, ms. */
const PREPARATION_MS = 2000;
/**
 * The probes of `status` and `cancel` submit one job each when they start. In the window before the burst of `run`
 * it would be one request too many, so that burst keeps more than a window away from the common start, ms.
 */
const OTHERS_SUBMIT_MS = 5000;

/**
 * Everything that is short or waits for nothing comes first; the rate probes follow, since their idle windows have to
 * begin after the last request that any other probe spends on their budget.
 */
export function arrange(probes: readonly PlannedProbe[], table: LimitTable): Gang[] {
  const rates = groups(probes.filter(isRate)).map(stagger);
  const others = probes.filter((probe) => !isRate(probe));
  const beside = rates.length > 0 ? others.filter((probe) => fitsBeside(probe, rates)) : [];
  const inOrder = (order: readonly PlannedProbe[]): Gang[] => [
    ...order.map((probe) => [probe]),
    ...rates,
    ...beside.map((probe) => [probe]),
  ];
  const spentBefore = [{ spends: smallBudgets(table), endMs: 0 }];
  const endMs = (order: readonly PlannedProbe[]): number => {
    const both = [...schedule(inOrder(order), table), ...schedule(inOrder(order), table, { before: spentBefore })];
    return Math.max(0, ...both.map((entry) => entry.endMs));
  };
  const before = others.filter((probe) => !beside.includes(probe));
  return inOrder(quickest(before, endMs));
}

/** Whatever is loud keeps it waiting before the rate probes, and nothing does beside them. */
function fitsBeside(probe: PlannedProbe, rates: readonly Gang[]): boolean {
  return probe.machine === 'steady' && rates.every((gang) => gang.every((rate) => !conflict(probe, rate)));
}

/** Budgets of so few requests per window are used up by the contract checks, which may come right before the load. */
const SMALL_LIMIT = 4;

function smallBudgets(table: LimitTable): Spending {
  const small = table.of('requests').filter(({ value }) => value <= SMALL_LIMIT);
  return Object.fromEntries(small.map(({ budget, value }) => [budget, value]));
}

/** Which order is the best depends on what the probes have in common, so some are tried. */
function quickest(probes: readonly PlannedProbe[], endMs: (order: readonly PlannedProbe[]) => number): PlannedProbe[] {
  const tried = usualOrders(probes).map((order) => ({ order, endMs: endMs(order) }));
  return tried.reduce((best, one) => (one.endMs < best.endMs ? one : best)).order;
}

function usualOrders(probes: readonly PlannedProbe[]): PlannedProbe[][] {
  const by = (...keys: ((probe: PlannedProbe) => number)[]) =>
    [...probes].sort((a, b) => keys.map((key) => key(a) - key(b)).find((difference) => difference !== 0) ?? 0);
  const chain = (probe: PlannedProbe) => -chainOf(probe, probes);
  const long = ({ estimateMs }: PlannedProbe) => -estimateMs;
  const apart = (probe: PlannedProbe) => (isHeldApart(probe, probes) ? 0 : 1);
  const queue = ({ parameters }: PlannedProbe) => (parameters.kind === 'queue' ? 1 : 0);
  // Whatever is loud would wait for it later, and it for what is loud.
  const steady = (probe: PlannedProbe) => (probe.machine === 'steady' && probe.parameters.instId !== '' ? 0 : 1);
  return [
    by(steady, kindOf, long),
    by(steady, kindOf),
    by(steady, queue, kindOf, long),
    by(steady, apart, kindOf, long),
    by(steady, chain, long),
    by(apart, kindOf, long),
    by(kindOf, long),
    by(kindOf),
    by(chain, long),
    by(apart, queue, kindOf, long),
    by(queue, kindOf, long),
  ];
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

type RateProbe = PlannedProbe & { readonly parameters: RateParameters };

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

/** When a probe sends as much at once as it can, ms. */
interface Moment {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Gives each burst a moment of its own, and what goes beyond it another: one may come while another probe pauses in
 * between. Whoever has the longest way to go after its burst chooses first, and others are moved as long as all end sooner then.
 */
function stagger(group: readonly RateProbe[]): Gang {
  const together = group.map(({ parameters }) => parameters.operation);
  const earliestMs = ({ parameters }: RateProbe) =>
    parameters.windowMs + IDLE_MARGIN_MS + preparationMs(parameters.operation, together);
  const aloneMs = (probe: RateProbe) => earliestMs(probe) + lastSentMs(probe.parameters) - probe.parameters.burstAtMs;
  const usual = [...group].sort((a, b) => aloneMs(b) - aloneMs(a));
  for (let order = usual, gang = place(usual, earliestMs); ; ) {
    const moved = order.flatMap((probe) => order.map((_, index) => movedTo(index, probe, order)));
    const tried = moved.map((one) => ({ order: one, gang: place(one, earliestMs) }));
    const best = tried.reduce((least, one) => (endOf(one.gang) < endOf(least.gang) ? one : least));
    if (endOf(best.gang) >= endOf(gang)) return gang;
    ({ order, gang } = best);
  }
}

const endOf = (gang: Gang): number => Math.max(...gang.map(({ estimateMs }) => estimateMs));

function movedTo<T>(index: number, one: T, all: readonly T[]): T[] {
  const others = all.filter((other) => other !== one);
  return [...others.slice(0, index), one, ...others.slice(index)];
}

function place(probes: readonly RateProbe[], earliestMs: (probe: RateProbe) => number): Gang {
  const taken: Moment[] = [];
  return probes.map((probe) => {
    const atMs = firstFree(probe.parameters, earliestMs(probe), taken);
    const parameters = shiftedBy(probe.parameters, atMs - probe.parameters.burstAtMs);
    taken.push(...momentsOf(parameters));
    return { ...probe, parameters, estimateMs: Math.ceil(lastSentMs(parameters)) + PROCESS_MS };
  });
}

/** The first time for a burst, no earlier than `earliestMs`, at which neither part of it meets what is taken. */
function firstFree(parameters: RateParameters, earliestMs: number, taken: readonly Moment[]): number {
  const moved = (atMs: number) => momentsOf(shiftedBy(parameters, atMs - parameters.burstAtMs));
  const free = (atMs: number) =>
    moved(atMs).every((own) => taken.every((one) => own.untilMs <= one.fromMs || one.untilMs <= own.fromMs));
  const behind = moved(0).flatMap((own) => taken.map((one) => one.untilMs - own.fromMs));
  const candidates = [earliestMs, ...behind].filter((atMs) => atMs >= earliestMs).sort((a, b) => a - b);
  return candidates.find(free) ?? earliestMs;
}

/** The pause after a burst is several times as long as the burst is expected to take, or else hardly longer. */
const BURST_SHARE_OF_PAUSE = 0.5;
const LONG_PAUSE_WINDOWS = 1 / 3;

/** The burst, and what goes beyond it. */
export function momentsOf({ burstAtMs, overAtMs, recovery, windowMs }: RateParameters): Moment[] {
  const pauseMs = overAtMs - burstAtMs;
  const lastsMs = pauseMs < windowMs * LONG_PAUSE_WINDOWS ? pauseMs * BURST_SHARE_OF_PAUSE : pauseMs;
  return [
    { fromMs: burstAtMs, untilMs: burstAtMs + lastsMs },
    { fromMs: overAtMs, untilMs: recovery.fromMs },
  ];
}

/** Also for a second burst: how long after the common start a probe's idle window may begin. */
export function preparationMs(operation: string, together: readonly string[]): number {
  if (operation === 'status') return PREPARATION_MS;
  const othersSubmit = together.some((id) => id === 'status' || id === 'cancel');
  return operation === 'run' && othersSubmit ? OTHERS_SUBMIT_MS : 0;
}
