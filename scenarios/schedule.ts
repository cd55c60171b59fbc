/**
 * Packs probes side by side: what may start now, given what runs and what was spent lately. The plan asks it about an
 * imagined clock and the runner about the real one, so that both follow the same rules. Pure.
 */
import type { LimitTable } from '../schemas/limits.ts';
import type { BudgetId } from '../schemas/operations.ts';
import type { PlannedProbe, ScheduleEntry } from './plan/types.ts';
import type { Resource } from './probe.ts';

/** Probes that start, and give back what they hold, together. */
export type Gang = readonly PlannedProbe[];

export interface Finished {
  readonly probe: PlannedProbe;
  readonly endMs: number;
}

/** Everything that keeps a gang from starting. */
export interface Occupancy {
  readonly running: readonly PlannedProbe[];
  readonly finished: readonly Finished[];
  /** What the budgets allow. */
  readonly table: LimitTable;
}

/**
 * Processes at once, so that they do not slow down one another. Held requests are all timed by this one process.
 * More than this in a gang start nevertheless: a gang is never split.
 */
const SENDERS_MOST: Readonly<Record<PlannedProbe['sender'], number>> = { k6: 7, held: 2 };

/** A probe still counts as having just spent its requests until its last one has surely left the window, ms. */
const WINDOW_MARGIN_MS = 250;

/** Whether two probes may never overlap. */
export function conflict(a: PlannedProbe, b: PlannedProbe): boolean {
  const meets = (one: PlannedProbe, other: PlannedProbe) =>
    one.exclusive.some((resource) => other.exclusive.includes(resource) || other.shared.includes(resource));
  return meets(a, b) || meets(b, a);
}

/**
 * When this gang may start: at once (`nowMs`), later because of what was spent on its budgets, or at an unknown time
 * (infinite) because something that runs is in its way.
 */
export function readyAt(gang: Gang, occupancy: Occupancy, nowMs: number): number {
  const { running } = occupancy;
  if (gang.some((probe) => running.some((other) => conflict(probe, other)))) return Number.POSITIVE_INFINITY;
  if (!hasSender(gang, running)) return Number.POSITIVE_INFINITY;
  return gang.reduce((latest, probe) => Math.max(latest, affordableAt(probe, occupancy, nowMs)), nowMs);
}

function hasSender(gang: Gang, running: readonly PlannedProbe[]): boolean {
  return (['k6', 'held'] as const).every((sender) => {
    const busy = running.filter((probe) => probe.sender === sender).length;
    const wanted = gang.filter((probe) => probe.sender === sender).length;
    return wanted === 0 || busy === 0 || busy + wanted <= SENDERS_MOST[sender];
  });
}

/** Requests of one budget, at most; endpoints may be counted together, so it is not per endpoint. */
function allowance(budget: BudgetId, table: LimitTable): { readonly requests: number; readonly windowMs: number } {
  const limit = table.find('requests', budget);
  return { requests: limit?.value ?? Number.POSITIVE_INFINITY, windowMs: limit?.windowMs ?? 0 };
}

/** When its requests fit into the rate budgets beside those of the others, each window counted as if full of both. */
function affordableAt(probe: PlannedProbe, { running, finished, table }: Occupancy, nowMs: number): number {
  if (probe.startsIdle) return nowMs;
  let at = nowMs;
  for (const budget of Object.keys(probe.spends) as BudgetId[]) {
    const { requests, windowMs } = allowance(budget, table);
    const spent = (one: PlannedProbe) => one.spends[budget] ?? 0;
    let left = requests - spent(probe) - running.reduce((sum, one) => sum + spent(one), 0);
    if (left < 0 && running.some((one) => spent(one) > 0)) return Number.POSITIVE_INFINITY;
    const leaving = finished
      .filter((one) => spent(one.probe) > 0)
      .map((one) => ({ requests: spent(one.probe), atMs: one.endMs + windowMs + WINDOW_MARGIN_MS }))
      .sort((a, b) => b.atMs - a.atMs);
    for (const one of leaving) {
      left -= one.requests;
      if (left < 0) {
        at = Math.max(at, one.atMs);
        break;
      }
    }
  }
  return at;
}

/**
 * The whole schedule by estimates: at every moment the first gang of the list that may start does so.
 * Throws when one can never start, which cannot be: with nothing running, everything may in the end.
 */
export function schedule(gangs: readonly Gang[], table: LimitTable): ScheduleEntry[] {
  const entries: ScheduleEntry[] = [];
  let pending = [...gangs];
  let running: { gang: Gang; endMs: number }[] = [];
  const finished: Finished[] = [];
  let nowMs = 0;
  while (pending.length > 0) {
    const occupancy = () => ({ running: running.flatMap(({ gang }) => gang), finished, table });
    const next = pending.find((gang) => readyAt(gang, occupancy(), nowMs) <= nowMs);
    if (next) {
      pending = pending.filter((gang) => gang !== next);
      running.push({ gang: next, endMs: nowMs + Math.max(0, ...next.map((probe) => probe.estimateMs)) });
      const startMs = nowMs;
      entries.push(...next.map((probe) => ({ probeId: probe.id, startMs, endMs: startMs + probe.estimateMs })));
      continue;
    }
    const ends = running.map(({ endMs }) => endMs);
    const waits = pending.map((gang) => readyAt(gang, occupancy(), nowMs));
    nowMs = Math.min(...ends, ...waits);
    if (!Number.isFinite(nowMs)) throw new Error('a probe can never start: the schedule is wrong');
    const over = running.filter(({ endMs }) => endMs <= nowMs);
    running = running.filter(({ endMs }) => endMs > nowMs);
    finished.push(...over.flatMap(({ gang, endMs }) => gang.map((probe) => ({ probe, endMs }))));
  }
  return entries;
}

/** The longest chain of waits over one budget that only one probe at a time can wait for, ms. */
export function floorOf(probes: readonly PlannedProbe[]): number {
  const sums = new Map<Resource, number>();
  for (const probe of probes) {
    const used = new Set([...probe.exclusive, ...probe.shared].filter((resource) => resource.startsWith('budget:')));
    for (const resource of used) sums.set(resource, (sums.get(resource) ?? 0) + probe.floorMs);
  }
  return Math.max(0, ...sums.values(), ...probes.map((probe) => probe.floorMs));
}
