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

export interface Running {
  readonly probe: PlannedProbe;
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

/** The same of a probe, which may have spent less than it might. */
export const finishedAt = (probe: PlannedProbe, endMs: number, spends = probe.spends): Finished =>
  probe.parameters.kind === 'scope' ? { spends, endMs } : { spends, instId: probe.parameters.instId, endMs };

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

/** Whether two probes may never overlap, even when both are past their preparation. */
export function conflict(a: PlannedProbe, b: PlannedProbe): boolean {
  return meets(a, b) || meets(b, a);
}

/** The planner asks about the same probes again and again, for every order that it tries. */
const known = new WeakMap<PlannedProbe, WeakMap<PlannedProbe, boolean>>();

function meets(one: PlannedProbe, other: PlannedProbe): boolean {
  const answers = known.get(one) ?? new WeakMap<PlannedProbe, boolean>();
  known.set(one, answers);
  const before = answers.get(other);
  if (before !== undefined) return before;
  const answer = one.exclusive.some((resource) => uses(other, resource)) || (isLoud(one) && other.machine === 'steady');
  answers.set(other, answer);
  return answer;
}

/** Spending is using too: a budget that one has to itself is one on which nobody else sends anything. */
function uses({ exclusive, shared, spends, early }: PlannedProbe, resource: Resource): boolean {
  if (exclusive.includes(resource) || shared.includes(resource)) return true;
  if (early?.resources.includes(resource)) return false;
  return budgetsOf(spends).some((budget) => resource === `budget:${budget}`);
}

const budgetsOf = (spends: PlannedProbe['spends']): BudgetId[] =>
  (Object.keys(spends) as BudgetId[]).filter((budget) => (spends[budget] ?? 0) > 0);

const isLoud = ({ machine, exclusive }: PlannedProbe): boolean => machine === 'loud' || exclusive.includes('bandwidth');

/** The same of a probe that is to start beside one that runs. */
function inTheWay(probe: PlannedProbe, { probe: other, preparing }: Running): boolean {
  const needsEarly = (one: PlannedProbe, owner: PlannedProbe) =>
    one.early?.resources.some((resource) => owner.exclusive.includes(resource)) ?? false;
  return conflict(probe, other) || needsEarly(probe, other) || (preparing && needsEarly(other, probe));
}

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
export function choose(pending: readonly Gang[], occupancy: Occupancy, nowMs: number): Choice {
  let soonestMs = Number.POSITIVE_INFINITY;
  const reserved: Reservation[] = [];
  for (const [index, gang] of pending.entries()) {
    const atMs = readyAt(gang, occupancy, nowMs);
    if (atMs === Number.POSITIVE_INFINITY) continue;
    if (gang.some(({ startsIdle }) => startsIdle) && standsInTheWay(gang, pending.slice(0, index))) continue;
    if (atMs > nowMs) reserved.push({ gang, atMs });
    else if (!reserved.some((one) => delays(gang, one, occupancy, nowMs))) return { next: gang, soonestMs: nowMs };
    soonestMs = Math.min(soonestMs, ...reserved.map((one) => one.atMs));
  }
  return { next: undefined, soonestMs };
}

/** A gang that may start at a known time, if nothing comes between. */
interface Reservation {
  readonly gang: Gang;
  readonly atMs: number;
}

const standsInTheWay = (gang: Gang, others: readonly Gang[]): boolean =>
  gang.some((probe) => others.some((other) => other.some((one) => inTheWay(one, { probe, preparing: true }))));

function delays(gang: Gang, { gang: other, atMs }: Reservation, occupancy: Occupancy, nowMs: number): boolean {
  const ends = gang.map((probe) => ({ probe, ...finishedAt(probe, nowMs + probe.estimateMs) }));
  const running = ends.filter(({ endMs }) => endMs > atMs).map(({ probe }) => ({ probe, preparing: false }));
  if (running.some((one) => other.some((probe) => inTheWay(probe, one)))) return true;
  const finished = [...occupancy.finished, ...ends.filter(({ endMs }) => endMs <= atMs)];
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
  if (gang.some((probe) => running.some((other) => inTheWay(probe, other)))) return Number.POSITIVE_INFINITY;
  return gang.reduce((latest, probe) => Math.max(latest, affordableAt(probe, occupancy, nowMs)), nowMs);
}

function hasSender(gang: Gang, running: readonly Running[]): boolean {
  return SENDERS.every((sender) => {
    const wanted = gang.reduce((count, probe) => count + (probe.sender === sender ? 1 : 0), 0);
    if (wanted === 0) return true;
    const busy = running.reduce((count, { probe }) => count + (probe.sender === sender ? 1 : 0), 0);
    return busy === 0 || busy + wanted <= SENDERS_MOST[sender];
  });
}

/** Requests of one budget, at most; endpoints may be counted together, so it is not per endpoint. */
function allowance(budget: BudgetId, table: LimitTable): { readonly requests: number; readonly windowMs: number } {
  const limit = table.find('requests', budget);
  return { requests: limit?.value ?? Number.POSITIVE_INFINITY, windowMs: limit?.windowMs ?? 0 };
}

/**
 * When its requests fit into the rate budgets beside those of the others, each window counted as if full of both. What
 * starts idle minds its own no more, only those of another endpoint.
 */
function affordableAt({ startsIdle, spends, elsewhere }: PlannedProbe, occupancy: Occupancy, nowMs: number): number {
  const { running, finished, table } = occupancy;
  const wanted = startsIdle ? (elsewhere?.spends ?? {}) : spends;
  let at = nowMs;
  for (const budget of budgetsOf(wanted)) {
    const { requests, windowMs } = allowance(budget, table);
    const spent = (one: Pick<PlannedProbe, 'spends'>) => one.spends[budget] ?? 0;
    let left = requests - (wanted[budget] ?? 0) - running.reduce((sum, one) => sum + spent(one.probe), 0);
    if (left < 0 && running.some((one) => spent(one.probe) > 0)) return Number.POSITIVE_INFINITY;
    // Those that leave the window last come first.
    const counts = (one: Finished): boolean => spent(one) > 0 && (!startsIdle || isOn(one, elsewhere?.instId));
    for (const one of finished.filter(counts).sort((a, b) => b.endMs - a.endMs)) {
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
  { before = [], lasts = ({ estimateMs }) => estimateMs, spent = usualOf }: Course = {},
): ScheduleEntry[] {
  const entries: ScheduleEntry[] = [];
  let pending = [...gangs];
  let running: Planned[] = [];
  const finished: Finished[] = [...before];
  let nowMs = 0;
  while (pending.length > 0) {
    const over = running.filter(({ endMs }) => endMs <= nowMs);
    running = running.filter((one) => !over.includes(one));
    finished.push(...over.flatMap(({ gang, endMs }) => gang.map((probe) => finishedAt(probe, endMs, spent(probe)))));
    const occupancy = { running: running.flatMap((one) => runningAt(one, nowMs)), finished, table };
    const { next, soonestMs } = choose(pending, occupancy, nowMs);
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
  return gang.map((probe) => ({ probe, preparing: nowMs < startMs + preparationOf(probe) }));
}
