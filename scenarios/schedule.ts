/**
 * Packs probes side by side: what may start now, given what runs and what was spent lately. The plan asks it about an
 * imagined clock and the runner about the real one, so that both follow the same rules. Pure.
 */
import type { LimitTable } from '../schemas/limits.ts';
import type { BudgetId } from '../schemas/operations.ts';
import { budgetsOf, isKeptFrom, leavesBudgets, soonestBeside, type Timed } from './idle.ts';
import type { PlannedProbe, ScheduleEntry } from './plan/types.ts';

/** Probes that start, and give back what they hold, together. */
export type Gang = readonly PlannedProbe[];

export interface Running extends Timed {
  /** Whether it may still use what it needs `early` only. */
  readonly preparing: boolean;
}

/** What was spent by something that is over. */
export interface Finished {
  readonly spends: PlannedProbe['spends'];
  /** On this endpoint alone; default: on any. */
  readonly instId?: string;
  readonly endMs: number;
}

/** The same of a probe, which may have spent less than it might. One that asks another endpoint too spent apart there. */
export function finishedAt(probe: PlannedProbe, endMs: number, spends = probe.spends): Finished[] {
  const { elsewhere, parameters } = probe;
  const own = { spends, instId: parameters.instId, endMs };
  return elsewhere ? [own, { ...elsewhere, endMs }] : [own];
}

/** Everything that keeps a gang from starting. */
export interface Occupancy {
  readonly running: readonly Running[];
  readonly finished: readonly Finished[];
  /** What the budgets allow. */
  readonly table: LimitTable;
}

/**
 * Processes at once, so that they do not slow down one another. Held requests are all timed by this one process.
 * More than this in a gang start nevertheless: a gang is never split.
 */
const SENDERS_MOST: Readonly<Record<PlannedProbe['sender'], number>> = { k6: 7, held: 2 };

const SENDERS = ['k6', 'held'] as const;

/** A probe still counts as having just spent its requests until its last one has surely left the window, ms. */
const WINDOW_MARGIN_MS = 250;

export interface Choice {
  readonly next: Gang | undefined;
  /** Without `next`: when the first of them may start, as far as that is known; infinite where it is not. */
  readonly soonestMs: number;
}

/**
 * Which of those that wait, in the order of the list, starts now: the first that may. Another may overtake one that is
 * kept from starting, unless it would, as far as is known, keep it for longer; and none that goes beyond a limit
 * overtakes what would then have to wait until it and its windows are over.
 */
export function choose(pending: readonly Gang[], occupancy: Occupancy, nowMs: number, turns?: Turns): Choice {
  let soonestMs = Number.POSITIVE_INFINITY;
  const reserved: Reservation[] = [];
  for (const [index, gang] of pending.entries()) {
    if (turns?.hasToWait(gang, pending)) continue;
    const atMs = readyAt(gang, occupancy, nowMs);
    if (atMs === Number.POSITIVE_INFINITY) continue;
    const goesBeyond = gang.some(({ startsIdle }) => startsIdle);
    const freeMs = goesBeyond ? freeAt(gang, pending.slice(0, index), reserved) : nowMs;
    if (freeMs > nowMs) {
      soonestMs = Math.min(soonestMs, freeMs);
      continue;
    }
    if (atMs > nowMs) reserved.push({ gang, atMs });
    else if (!reserved.some((one) => delays(gang, one, occupancy, nowMs))) return { next: gang, soonestMs: nowMs };
    soonestMs = Math.min(soonestMs, ...reserved.map((one) => one.atMs));
  }
  return { next: undefined, soonestMs };
}

/**
 * Who comes first where two can't spend in the same window. Some hundredths of a second decide who might start first, and
 * whoever comes second waits for a whole window: so the planned order holds, though not the planned times.
 */
export class Turns {
  readonly #before = new Map<Gang, readonly Gang[]>();

  constructor(gangs: readonly Gang[], entries: readonly ScheduleEntry[], table: LimitTable) {
    const startOf = (gang: Gang): number => entries.find(({ probeId }) => probeId === gang[0]?.id)?.startMs ?? 0;
    for (const gang of gangs) {
      const earlier = gangs.filter((other) => startOf(other) < startOf(gang) && exceed(other, gang, table));
      if (earlier.length > 0) this.#before.set(gang, earlier);
    }
  }

  /** Whether one of those that come first has not started. */
  hasToWait(gang: Gang, pending: readonly Gang[]): boolean {
    return this.#before.get(gang)?.some((other) => pending.includes(other)) ?? false;
  }
}

/** Whether they spend more than a window takes, both together. */
function exceed(one: Gang, other: Gang, table: LimitTable): boolean {
  const modest = [...one, ...other].filter(({ startsIdle }) => !startsIdle);
  const sumOf = (budget: BudgetId): number => modest.reduce((sum, { spends }) => sum + (spends[budget] ?? 0), 0);
  const spent = new Set(modest.flatMap(({ spends }) => budgetsOf(spends)));
  return modest.length > 1 && [...spent].some((budget) => sumOf(budget) > allowance(budget, table).requests);
}

/** A gang that may start at a known time, if nothing comes between. */
interface Reservation {
  readonly gang: Gang;
  readonly atMs: number;
}

/**
 * From when on one that starts idle keeps none of those from starting that come before it, since they fit into its idle
 * window; infinite where that is not known.
 */
function freeAt(gang: Gang, before: readonly Gang[], reserved: readonly Reservation[]): number {
  return before.reduce((latest, other) => {
    const atMs = reserved.find((one) => one.gang === other)?.atMs ?? Number.POSITIVE_INFINITY;
    const moments = other.flatMap((probe) => gang.map((one) => soonestBeside(one, from(probe, atMs))));
    return Math.max(latest, ...moments);
  }, Number.NEGATIVE_INFINITY);
}

const from = (probe: PlannedProbe, startMs: number): Timed => ({ probe, startMs, endMs: startMs + probe.estimateMs });

function delays(gang: Gang, { gang: other, atMs }: Reservation, occupancy: Occupancy, nowMs: number): boolean {
  const ends = gang.map((probe) => from(probe, nowMs));
  const running = ends.filter(({ endMs }) => endMs > atMs).map((one) => ({ ...one, preparing: false }));
  if (running.some((one) => other.some((probe) => isKeptFrom(from(probe, atMs), one)))) return true;
  const over = ends.filter(({ endMs }) => endMs <= atMs);
  const finished = [...occupancy.finished, ...over.flatMap(({ probe, endMs }) => finishedAt(probe, endMs))];
  const then = { ...occupancy, running: [...occupancy.running, ...running], finished };
  return other.some((probe) => affordableAt(probe, then, atMs) > atMs);
}

/**
 * When this gang may start: at once (`nowMs`), later because of what was spent on its budgets, or at an unknown time
 * (infinite) because something that runs is in its way.
 */
export function readyAt(gang: Gang, occupancy: Occupancy, nowMs: number): number {
  const { running } = occupancy;
  if (!hasSender(gang, running)) return Number.POSITIVE_INFINITY;
  const freeMs = gang.reduce((latest, probe) => Math.max(latest, freeOf(probe, running, nowMs)), nowMs);
  if (freeMs === Number.POSITIVE_INFINITY) return freeMs;
  return gang.reduce((latest, probe) => Math.max(latest, affordableAt(probe, occupancy, nowMs)), freeMs);
}

/** When nothing that runs is in the way of this one any more; of what starts idle that is known. */
function freeOf(probe: PlannedProbe, running: readonly Running[], nowMs: number): number {
  const own = from(probe, nowMs);
  const kept = running.filter((other) => isKeptFrom(own, other));
  return kept.reduce((latest, other) => {
    const soonestMs = probe.idle ? soonestBeside(probe, other) : Number.POSITIVE_INFINITY;
    return soonestMs > nowMs ? Math.max(latest, soonestMs) : Number.POSITIVE_INFINITY;
  }, nowMs);
}

function hasSender(gang: Gang, running: readonly Running[]): boolean {
  return SENDERS.every((sender) => {
    const wanted = gang.reduce((count, probe) => count + (probe.sender === sender ? 1 : 0), 0);
    if (wanted === 0) return true;
    const busy = running.reduce((count, { probe }) => count + (probe.sender === sender ? 1 : 0), 0);
    return busy === 0 || busy + wanted <= SENDERS_MOST[sender];
  });
}

interface Allowance {
  readonly requests: number;
  readonly windowMs: number;
}

/** The planner asks for them thousands of times. */
const allowances = new WeakMap<LimitTable, Map<BudgetId, Allowance>>();

/** Requests of one budget, at most; endpoints may be counted together, so it is not per endpoint. */
function allowance(budget: BudgetId, table: LimitTable): Allowance {
  const all = allowances.get(table) ?? new Map<BudgetId, Allowance>();
  allowances.set(table, all);
  const before = all.get(budget);
  if (before) return before;
  const limit = table.find('requests', budget);
  const found = { requests: limit?.value ?? Number.POSITIVE_INFINITY, windowMs: limit?.windowMs ?? 0 };
  all.set(budget, found);
  return found;
}

/**
 * When its requests fit into the rate budgets beside those of the others, each window counted as if full of both. What
 * starts idle minds its own no more, only those of another endpoint.
 */
function affordableAt(probe: PlannedProbe, occupancy: Occupancy, nowMs: number): number {
  const { startsIdle, spends, elsewhere } = probe;
  const { finished, table } = occupancy;
  const wanted = startsIdle ? elsewhere?.spends : spends;
  if (!wanted) return nowMs;
  const own = from(probe, nowMs);
  const running = occupancy.running.filter((one) => !leavesBudgets(one, own));
  let at = nowMs;
  for (const budget of budgetsOf(wanted)) {
    const { requests, windowMs } = allowance(budget, table);
    const spent = (one: Pick<PlannedProbe, 'spends'>) => one.spends[budget] ?? 0;
    let left = requests - (wanted[budget] ?? 0) - running.reduce((sum, one) => sum + spent(one.probe), 0);
    if (left < 0 && running.some((one) => spent(one.probe) > 0)) return Number.POSITIVE_INFINITY;
    const counts = (one: Finished): boolean => spent(one) > 0 && (!startsIdle || isOn(one, elsewhere?.instId));
    const counted = finished.filter(counts);
    if (counted.reduce((sum, one) => sum + spent(one), 0) <= left) continue;
    // Those that leave the window last come first.
    for (const one of counted.sort((a, b) => b.endMs - a.endMs)) {
      left -= spent(one);
      if (left < 0) {
        at = Math.max(at, one.endMs + windowMs + WINDOW_MARGIN_MS);
        break;
      }
    }
  }
  return at;
}

const isOn = (one: Finished, instId: string | undefined): boolean => one.instId === undefined || one.instId === instId;

/** What makes a schedule another than the expected one. */
interface Course {
  /** What was spent right before; its time is negative or 0. */
  readonly before?: readonly Finished[];
  /** How long a probe really takes, ms; default: as long as it is expected to. */
  lasts?(probe: PlannedProbe): number;
  /** Who comes first, whatever else would allow; default: nobody in particular. */
  readonly turns?: Turns;
  /** What a probe really spends; default: what is usual. */
  spent?(probe: PlannedProbe): PlannedProbe['spends'];
}

interface Planned {
  readonly gang: Gang;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The whole schedule by estimates: at every moment the first gang of the list that may start does so.
 * Throws when one can never start, which cannot be: with nothing running, everything may in the end.
 */
export function schedule(
  gangs: readonly Gang[],
  table: LimitTable,
  { before = [], lasts = ({ estimateMs }) => estimateMs, spent = usualOf, turns }: Course = {},
): ScheduleEntry[] {
  const entries: ScheduleEntry[] = [];
  let pending = [...gangs];
  let running: Planned[] = [];
  let finished: Finished[] = [...before];
  let nowMs = 0;
  const longestMs = table.of('requests').reduce((most, { windowMs }) => Math.max(most, windowMs), 0);
  while (pending.length > 0) {
    const over = running.filter(({ endMs }) => endMs <= nowMs);
    // What has left every window is nothing to reckon with.
    finished = finished.filter(({ endMs }) => endMs + longestMs + WINDOW_MARGIN_MS >= nowMs);
    running = running.filter((one) => !over.includes(one));
    finished.push(
      ...over.flatMap(({ gang, endMs }) => gang.flatMap((probe) => finishedAt(probe, endMs, spent(probe)))),
    );
    const occupancy = { running: running.flatMap((one) => runningAt(one, nowMs)), finished, table };
    const { next, soonestMs } = choose(pending, occupancy, nowMs, turns);
    if (next) {
      pending = pending.filter((gang) => gang !== next);
      const startMs = nowMs;
      running.push({ gang: next, startMs, endMs: startMs + Math.max(0, ...next.map(lasts)) });
      entries.push(...next.map((probe) => ({ probeId: probe.id, startMs, endMs: startMs + lasts(probe) })));
      continue;
    }
    const prepared = running.flatMap(({ gang, startMs }) => gang.map((one) => startMs + preparationOf(one)));
    const changes = [...running.map(({ endMs }) => endMs), ...prepared, soonestMs];
    nowMs = Math.min(...changes.filter((atMs) => atMs > nowMs));
    if (!Number.isFinite(nowMs)) throw new Error('a probe can never start: the schedule is wrong');
  }
  return entries;
}

const usualOf = ({ spends, usually }: PlannedProbe): PlannedProbe['spends'] => usually ?? spends;

const preparationOf = ({ early }: PlannedProbe): number => early?.estimateMs ?? 0;

function runningAt({ gang, startMs }: Planned, nowMs: number): Running[] {
  return gang.map((probe) => runningFrom(probe, startMs, nowMs, nowMs < startMs + preparationOf(probe)));
}

/** A probe that runs, with when it is expected to be over: that is unknown of one that has taken longer than it should. */
export function runningFrom(probe: PlannedProbe, startMs: number, nowMs: number, preparing: boolean): Running {
  const expectedMs = startMs + probe.estimateMs;
  return { probe, startMs, endMs: nowMs < expectedMs ? expectedMs : Number.POSITIVE_INFINITY, preparing };
}
