/**
 * Probes put into their order: when each runs, and what all of them cost. The same for a whole plan and a part of one.
 * What keeps a probe waiting are budgets, endpoints and the machine all at once, so no rule of thumb finds the best order:
 * from a good one on, one probe at a time is put elsewhere, and stays there unless all ends later.
 */
import { isSmall, type LimitTable, type RateLimit } from '../../schemas/limits.ts';
import { seeded } from '../../schemas/seeded.ts';
import type { Resource } from '../probe.ts';
import { areRelated, isRate, lastEndOf, type Placed, placeInOrder, type Sent } from '../schedule.ts';
import type { LoadPlan, PlannedProbe, Spending } from './types.ts';

/**
 * The longest chain of waits on one rate limit, ms. Rate probes of different rate limits wait side by side; on one rate
 * limit they wait one after the other, after probes that have to fill a queue, and after all that the probes send on a
 * small rate limit, window by window.
 */
export function floorOf(probes: readonly PlannedProbe[], table: LimitTable): number {
  const chains = new Map<Resource, number>();
  for (const probe of probes.filter(({ parameters }) => parameters.kind === 'rate')) {
    for (const budget of probe.exclusive) chains.set(budget, (chains.get(budget) ?? 0) + probe.floorMs);
  }
  const jobs = probes.reduce((sum, { parameters }) => sum + (parameters.kind === 'queue' ? parameters.border : 0), 0);
  const run = table.find('requests', 'run');
  if (run) chains.set('budget:run', (chains.get('budget:run') ?? 0) + windowsBefore(jobs, run));
  for (const limit of table.of('requests').filter(isSmall)) {
    const budget: Resource = `budget:${limit.budget}`;
    chains.set(budget, (chains.get(budget) ?? 0) + windowsBefore(sentWithin(probes, limit), limit));
  }
  const others = probes.filter(({ parameters }) => parameters.kind !== 'queue').map(({ floorMs }) => floorMs);
  return Math.round(Math.max(0, ...chains.values(), ...others));
}

function sentWithin(probes: readonly PlannedProbe[], { budget }: RateLimit): number {
  const modest = probes.filter(({ startsIdle }) => !startsIdle);
  return modest.reduce((sum, { spends, usually = spends }) => sum + (usually[budget] ?? 0), 0);
}

/** From the first window to the last one that so many requests fill, by a client that keeps the limit in any window, ms. */
const windowsBefore = (sent: number, { value, windowMs }: RateLimit): number =>
  Math.max(0, Math.ceil(sent / value) - 1) * windowMs;

type LaidOut = Pick<LoadPlan, 'probes' | 'schedule' | 'requests' | 'bytes' | 'durationMs' | 'floorMs'>;

/** They cost a fifth of a second. Three times as many end a hundredth sooner at best. */
const ORDERS = 300;
/** The same order for the same question: a plan is not another one each time. */
const SEED = 1;

/** @param before what was sent right before; times are negative or 0 */
export function layOut(planned: readonly PlannedProbe[], table: LimitTable, before: readonly Sent[] = []): LaidOut {
  const place = (order: readonly PlannedProbe[], placed: readonly Placed[] = []): Placed[] => [
    ...placed,
    ...placeInOrder(order.slice(placed.length), { placed, before, table, beganMs: 0 }, 0),
  ];
  // Rate probes by what they last, then the others that go beyond a limit.
  const beyond = planned.filter(({ startsIdle }) => startsIdle).sort((a, b) => lastsFrom(b) - lastsFrom(a));
  const others = planned.filter(({ startsIdle }) => !startsIdle);
  // First what lasts long and keeps much else from running at the same time.
  const weightOf = (probe: PlannedProbe): number =>
    others.reduce((sum, other) => sum + (areRelated(probe, other) ? other.estimateMs : 0), 0) * probe.estimateMs;
  const random = seeded(SEED);
  const anyOf = (all: readonly PlannedProbe[]): number => Math.floor(random() * all.length);
  let best = others.toSorted((a, b) => weightOf(b) - weightOf(a));
  let bestPlaced = place([...best, ...beyond]);
  let bestMs = costOf(bestPlaced);
  for (let order = 1; order < ORDERS && others.length > 1; order += 1) {
    const [from, to] = [anyOf(best), anyOf(best)];
    const next = moved(best, from, to);
    // What comes before both stays where it is.
    const placed = place([...next, ...beyond], bestPlaced.slice(0, Math.min(from, to)));
    const ms = costOf(placed);
    if (ms <= bestMs) [best, bestPlaced, bestMs] = [next, placed, ms];
  }
  const probes = [...best, ...beyond];
  const placed = bestPlaced.toSorted((a, b) => a.startMs - b.startMs);
  return {
    probes,
    schedule: placed.map(({ probe, startMs, endMs }) => ({ probeId: probe.id, startMs, endMs })),
    requests: totalOf(planned, 'requests'),
    bytes: totalOf(planned, 'bytes'),
    durationMs: lastEndOf(placed),
    floorMs: floorOf(planned, table),
  };
}

/** From its burst on; 0 of other probes. */
const lastsFrom = ({ parameters, estimateMs }: PlannedProbe): number =>
  parameters.kind === 'rate' ? estimateMs - parameters.burstAtMs : 0;

/** When all is over; of those that are over together the one whose rate probes, which wait for budgets, are over sooner. */
function costOf(placed: readonly Placed[]): number {
  const ends = placed.filter(({ probe }) => isRate(probe)).map(({ endMs }) => endMs);
  const meanMs = ends.reduce((sum, endMs) => sum + endMs, 0) / Math.max(1, ends.length);
  return lastEndOf(placed) + SOONER_SHARE * meanMs;
}

const SOONER_SHARE = 0.1;

function totalOf(probes: readonly PlannedProbe[], what: 'requests' | 'bytes'): number {
  return probes.reduce((sum, probe) => sum + probe[what], 0);
}

/** One is put elsewhere. */
function moved<P>(all: readonly P[], from: number, to: number): P[] {
  const rest = all.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...all.slice(from, from + 1), ...rest.slice(to)];
}

/** The same plan in an order that is better after what was really sent right before. */
export function arrangedAfter(
  plan: LoadPlan,
  spentBefore: readonly { readonly agoMs: number; readonly spends: Spending }[],
): LoadPlan {
  const before = spentBefore.map(({ agoMs, spends }) => ({ spends, endMs: -agoMs }));
  return { ...plan, ...layOut(plan.probes, plan.table, before) };
}
