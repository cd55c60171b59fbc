/**
 * Which probes keep one another from running at the same time, and until when. A rate probe needs its budget unspent for
 * a window before its burst, and the machine quiet from its burst on; until then others may be at both, so that much of
 * its idle window is not lost. Pure.
 */
import type { BudgetId } from '../schemas/operations.ts';
import type { EarlyUse, PlannedProbe } from './plan/types.ts';
import type { Resource } from './probe.ts';

/** A probe on the clock. */
export interface Timed {
  readonly probe: PlannedProbe;
  readonly startMs: number;
  /** When it is over, or expected to be. */
  readonly endMs: number;
}

/** Before an idle one minds it another has to be over, as far as can be told, also if it takes so much longer. */
const LATE_SHARE = 0.5;
const LATE_LEAST_MS = 1000;
const late = (endMs: number, lastsMs: number): number => endMs + Math.max(LATE_LEAST_MS, LATE_SHARE * lastsMs);
const lateEnd = ({ probe, endMs }: Timed): number => late(endMs, probe.estimateMs);

/** Whether two probes may never overlap, idle windows apart, even when both are past their preparation. */
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
  const answer = owns(one, other) || blurs(one, other);
  answers.set(other, answer);
  return answer;
}

const owns = (one: PlannedProbe, other: PlannedProbe): boolean =>
  one.exclusive.some((resource) => uses(other, resource));

const blurs = (one: PlannedProbe, other: PlannedProbe): boolean => isLoud(one) && other.machine === 'steady';

/** Spending is using too: a budget that one has to itself is one on which nobody else sends anything. */
function uses({ exclusive, shared, spends, early }: PlannedProbe, resource: Resource): boolean {
  if (exclusive.includes(resource) || shared.includes(resource)) return true;
  if (early?.resources.includes(resource)) return false;
  return budgetsOf(spends).some((budget) => resource === `budget:${budget}`);
}

const budgets = new WeakMap<PlannedProbe['spends'], readonly BudgetId[]>();

export function budgetsOf(spends: PlannedProbe['spends']): readonly BudgetId[] {
  const before = budgets.get(spends);
  if (before) return before;
  const found = (Object.keys(spends) as BudgetId[]).filter((budget) => (spends[budget] ?? 0) > 0);
  budgets.set(spends, found);
  return found;
}

const isLoud = ({ machine, exclusive }: PlannedProbe): boolean => machine === 'loud' || exclusive.includes('bandwidth');

/** Whether one that is to start has to wait for one that runs, and perhaps is still `preparing`. */
export function isKeptFrom(one: Timed, running: Timed & { readonly preparing: boolean }): boolean {
  if (conflict(one.probe, running.probe) && !fits(one, running) && !fits(running, one)) return true;
  return needsEarly(one, running) || (running.preparing && needsEarly(running, one));
}

/** Whether something that is needed at first only is what that one has to itself. */
const wantsEarly = (early: EarlyUse | undefined, owner: PlannedProbe): boolean =>
  early?.resources.some((resource) => owner.exclusive.includes(resource)) ?? false;

/** Whether the first of them, while it prepares itself, needs what the other one has to itself. */
function needsEarly({ probe: { early }, startMs }: Timed, { probe: owner, startMs: ownedMs }: Timed): boolean {
  if (!early || !wantsEarly(early, owner)) return false;
  return owner.idle === undefined || late(startMs + early.estimateMs, early.estimateMs) > ownedMs + owner.idle.spentMs;
}

/** Whether it is over before the idle one minds it. */
function fits(other: Timed, idle: Timed): boolean {
  const untilMs = mindsFrom(idle, other.probe);
  return untilMs !== undefined && lateEnd(other) <= untilMs;
}

/** When this one may begin its idle window, where the other one is to run then; infinite where it has to wait for it. */
export function soonestBeside(probe: PlannedProbe, other: Timed): number {
  if (wantsEarly(probe.early, other.probe)) return Number.POSITIVE_INFINITY;
  if (conflict(probe, other.probe)) {
    const mindsMs = mindsFrom({ probe, startMs: 0, endMs: 0 }, other.probe);
    return mindsMs === undefined ? Number.POSITIVE_INFINITY : lateEnd(other) - mindsMs;
  }
  const { early } = other.probe;
  if (!early || !wantsEarly(early, probe)) return Number.NEGATIVE_INFINITY;
  if (!probe.idle) return Number.POSITIVE_INFINITY;
  return late(other.startMs + early.estimateMs, early.estimateMs) - probe.idle.spentMs;
}

/** From when on the idle one minds the other, with which it is in conflict; undefined when it does at all times. */
function mindsFrom({ probe, startMs }: Timed, other: PlannedProbe): number | undefined {
  if (!probe.idle) return undefined;
  // What it uses beside its budget it uses from its burst on, unless it runs a job of its own before.
  const theirs = other.exclusive.filter((resource) => !probe.exclusive.includes(resource) && uses(probe, resource));
  if (theirs.length > 0 && probe.early) return undefined;
  const { spentMs, loudMs } = probe.idle;
  const spends = theirs.length > 0 || owns(probe, other);
  return startMs + Math.min(spends ? spentMs : loudMs, blurs(other, probe) ? loudMs : spentMs);
}

/** Whether that one, which runs, begins to spend only when this one has long been over. */
export function leavesBudgets(running: Timed, one: Timed): boolean {
  const { idle } = running.probe;
  return idle !== undefined && lateEnd(one) <= running.startMs + idle.spentMs;
}

/** Something that must not be in an idle one's way any more at that moment, or this one must not go on. */
export interface Deadline {
  readonly idle: PlannedProbe;
  readonly other: PlannedProbe;
  /** What the other one has to be by then. */
  readonly state: 'prepared' | 'over';
  readonly atMs: number;
}

/** For two that run at the same time, of which one may be in its idle window. */
export function deadlinesOf(one: Timed, two: Timed): Deadline[] {
  return [...deadlinesFor(one, two.probe), ...deadlinesFor(two, one.probe)];
}

function deadlinesFor(idle: Timed, other: PlannedProbe): Deadline[] {
  const { probe, startMs } = idle;
  if (!probe.idle) return [];
  const both = { idle: probe, other } as const;
  if (conflict(probe, other)) return [{ ...both, state: 'over', atMs: mindsFrom(idle, other) ?? startMs }];
  return wantsEarly(other.early, probe) ? [{ ...both, state: 'prepared', atMs: startMs + probe.idle.spentMs }] : [];
}
