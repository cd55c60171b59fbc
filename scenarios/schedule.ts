/**
 * When each probe starts: every one, in the order of a list, at the first moment at which it gets in the way of none that
 * has a place already. The plan lays out all probes so; the runner does the same at every event with those that are still
 * to start, around what really runs and was really sent. Pure.
 */
import type { LimitTable } from '../schemas/limits.ts';
import type { BudgetId } from '../schemas/operations.ts';
import { bursts } from './kinds/rate/timeline.ts';
import type { PlannedProbe, Spending } from './plan/types.ts';

/** A probe on the clock, ms. */
export interface Placed {
  readonly probe: PlannedProbe;
  readonly startMs: number;
  /** When it no longer uses what it needs `early` only; infinite while that is unknown. */
  readonly preparedMs: number;
  /** When it is over; infinite while that is unknown. */
  readonly endMs: number;
  /** What it sent in all, once that is known. */
  readonly spent?: Spending | undefined;
}

/** Requests of something else, sent no later than that. */
export interface Sent {
  readonly spends: Spending;
  readonly endMs: number;
}

/** A probe's last requests still count until they have surely left the window, ms. */
const WINDOW_MARGIN_MS = 250;

/** Processes at the same time, so that they don't slow down one another. Held requests are all timed by this process. */
const SENDERS_MOST: Readonly<Record<PlannedProbe['sender'], number>> = { k6: 7, held: 2 };

/** The probe at its estimated times, when it starts then. */
const placedAt = (probe: PlannedProbe, startMs: number): Placed => ({
  probe,
  startMs,
  preparedMs: startMs + Math.min(probe.early?.estimateMs ?? 0, probe.estimateMs),
  endMs: startMs + probe.estimateMs,
});

/** What a probe that is to start has to get along with. */
export interface Occupancy {
  /** Also those that are over, as long as their requests count. */
  readonly placed: readonly Placed[];
  readonly before: readonly Sent[];
  /** What the budgets allow. */
  readonly table: LimitTable;
  /** When the load began. What was sent before that need not be known. */
  readonly beganMs: number;
}

/**
 * All of them in this order, each at the first moment from `nowMs` on that is left; without those of which that is not
 * known, and without what would overtake one of those and then be in its way.
 */
export function placeInOrder(order: readonly PlannedProbe[], occupancy: Occupancy, nowMs: number): Placed[] {
  const { before, table, beganMs } = occupancy;
  const placed = [...occupancy.placed];
  const taken = new Taken(table);
  for (const { spends, endMs } of before) taken.add(tailsOf(spends, Number.NEGATIVE_INFINITY, endMs, table));
  for (const one of placed) taken.add(countsOf(one, table));
  const found: Placed[] = [];
  const waiting: PlannedProbe[] = [];
  for (const probe of order) {
    const isBehind = waiting.some((one) => areRelated(one, probe));
    const fromMs = Math.max(nowMs, restedFrom(probe, beganMs));
    const atMs = isBehind ? Number.POSITIVE_INFINITY : earliest(probe, placed, taken, fromMs);
    if (atMs === Number.POSITIVE_INFINITY) {
      waiting.push(probe);
      continue;
    }
    const one = placedAt(probe, atMs);
    found.push(one);
    placed.push(one);
    taken.add(countsOf(one, table));
  }
  return found;
}

/** The first moment at which it can start; infinite while that depends on the end of one that takes longer than expected. */
function earliest(probe: PlannedProbe, placed: readonly Placed[], taken: Taken, fromMs: number): number {
  const clashing = placed.filter((other) => clashesOf(probe, other.probe).length > 0);
  for (let atMs = Math.max(fromMs, isRate(probe) ? lastStartOf(clashing) : lastRateOf(probe, clashing)); ; ) {
    const own = placedAt(probe, atMs);
    const freeMs = clashing.reduce((latest, other) => Math.max(latest, freeOf(own, other)), atMs);
    const nextMs = freeMs > atMs ? freeMs : taken.roomFor(own);
    if (nextMs <= atMs || nextMs === Number.POSITIVE_INFINITY) return nextMs;
    atMs = nextMs;
  }
}

/** What should have run in its shadow and then came a moment late would have to wait for all of it. */
const lastStartOf = (clashing: readonly Placed[]): number =>
  clashing.reduce((last, { probe, startMs }) => (isRate(probe) ? last : Math.max(last, startMs)), 0);

/** A client that goes beyond a limit may be refused for longer than a window, so the one that never does comes first. */
const lastRateOf = ({ startsIdle }: PlannedProbe, clashing: readonly Placed[]): number =>
  startsIdle ? lastEndOf(clashing.filter(({ probe }) => isRate(probe))) : 0;

export const lastEndOf = (placed: readonly Placed[]): number =>
  placed.reduce((last, { endMs }) => Math.max(last, endMs), 0);

export const isRate = ({ parameters }: PlannedProbe): boolean => parameters.kind === 'rate';

/** A client that never is over the limit knows of nothing that was sent before the load, so that has to be past. */
function restedFrom({ parameters }: PlannedProbe, beganMs: number): number {
  if (parameters.kind !== 'rate') return beganMs;
  return beganMs + parameters.windowMs + WINDOW_MARGIN_MS - parameters.burstAtMs;
}

/** Whether one of them can keep the other from starting. */
export function areRelated(one: PlannedProbe, other: PlannedProbe): boolean {
  return clashesOf(one, other).length > 0 || Object.keys(one.spends).some((budget) => budget in other.spends);
}

/** Something that is used for a while: at the same time only in the same way, and in no way where there is none. */
interface Lock {
  readonly on: string;
  readonly way: string | null;
  /** From the start of the probe on, ms. */
  readonly fromMs: number;
  /** Default: until it is over, or prepared. */
  readonly untilMs?: number;
  readonly early?: true;
}

const known = new WeakMap<PlannedProbe, readonly Lock[]>();

function locksOf(probe: PlannedProbe): readonly Lock[] {
  const before = known.get(probe);
  if (before) return before;
  const { exclusive, shared, spends, early, machine, parameters } = probe;
  const atFirst = early?.resources ?? [];
  const spending = budgetsOf(spends).map((budget) => `budget:${budget}` as const);
  const uses = [...shared, ...spending].filter((one) => !exclusive.includes(one) && !atFirst.includes(one));
  const isLoud = machine === 'loud' || exclusive.includes('bandwidth');
  const burstAtMs = parameters.kind === 'rate' ? parameters.burstAtMs : 0;
  const found: Lock[] = [
    // Also until its burst: when others that spend the same are over is only an estimate as long as they run.
    ...exclusive.map((on) => ({ on, way: null, fromMs: 0 })),
    ...[...new Set(uses)].map((on) => ({ on, way: 'shared', fromMs: 0 })),
    ...atFirst.map((on) => ({ on, way: 'shared', fromMs: 0, early: true }) as const),
  ];
  // Nothing loud may blur the times of what is steady.
  const quietFromMs = Math.max(0, burstAtMs - CONNECTING_MS);
  if (isLoud) found.push({ on: 'machine', way: 'loud', fromMs: 0 });
  else if (machine === 'steady') found.push({ on: 'machine', way: 'steady', fromMs: quietFromMs });
  // Nor one burst another, or the start of a process a burst.
  if (parameters.kind === 'rate') {
    for (const { fromMs, untilMs } of bursts(parameters)) {
      found.push({ on: 'burst', way: null, fromMs, untilMs: untilMs + APART_MS });
      found.push({ on: 'start', way: 'burst', fromMs, untilMs: untilMs + STARTING_MS });
    }
    found.push({ on: 'start', way: 'start', fromMs: 0, untilMs: STARTING_MS });
  }
  known.set(probe, found);
  return found;
}

/** From the start of a process to that of its script, at most, ms. */
const STARTING_MS = 500;
/** By how much more one process takes to start than another, ms. */
const APART_MS = 150;
/** Before its burst a rate probe opens its connections, ms. */
const CONNECTING_MS = 1500;

const budgetsOf = (spends: Spending): BudgetId[] =>
  (Object.keys(spends) as BudgetId[]).filter((budget) => (spends[budget] ?? 0) > 0);

const areApart = (one: Lock, other: Lock): boolean =>
  one.on === other.on && (one.way === null || one.way !== other.way);

const untilOf = ({ untilMs, early }: Lock, { startMs, preparedMs, endMs }: Placed): number => {
  if (untilMs !== undefined) return startMs + untilMs;
  return early ? preparedMs : endMs;
};

const pairs = new WeakMap<PlannedProbe, WeakMap<PlannedProbe, readonly (readonly [Lock, Lock])[]>>();

/** Locks of the one that exclude locks of the other. The planner calls this thousands of times. */
function clashesOf(one: PlannedProbe, other: PlannedProbe): readonly (readonly [Lock, Lock])[] {
  const all = pairs.get(one) ?? new WeakMap<PlannedProbe, readonly (readonly [Lock, Lock])[]>();
  pairs.set(one, all);
  const before = all.get(other);
  if (before) return before;
  const theirs = locksOf(other);
  const found = locksOf(one).flatMap((own) =>
    theirs.filter((lock) => areApart(own, lock)).map((lock) => [own, lock] as const),
  );
  all.set(other, found);
  return found;
}

/** When the one that is to start can do so without meeting a lock of the other. */
function freeOf(own: Placed, other: Placed): number {
  let latestMs = own.startMs;
  for (const [lock, theirs] of clashesOf(own.probe, other.probe)) {
    const untilMs = untilOf(theirs, other);
    const meets = own.startMs + lock.fromMs < untilMs && other.startMs + theirs.fromMs < untilOf(lock, own);
    if (meets) latestMs = Math.max(latestMs, untilMs - lock.fromMs);
  }
  return latestMs;
}

/** So many of something of which there is a limited number: requests in a window, or senders. */
interface Count {
  /** Whose; absent: of something else than a probe. */
  readonly by?: Placed | undefined;
  readonly of: string;
  readonly count: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Whether there must be room for them; those that were sent before only count. */
  readonly wanted: boolean;
  /** Of this endpoint; absent: not known. */
  readonly instId?: string | undefined;
  /** In addition to those of its own endpoint alone; default: endpoints may be counted together. */
  readonly apart?: true;
}

const limitOf = (of: string, table: LimitTable): number =>
  of in SENDERS_MOST
    ? SENDERS_MOST[of as PlannedProbe['sender']]
    : (table.find('requests', of as BudgetId)?.value ?? Number.POSITIVE_INFINITY);

/** What it takes. A probe that goes beyond a limit needs no room within it, unless that begins with all of it. */
function countsOf(placed: Placed, table: LimitTable): readonly Count[] {
  const { probe, startMs, preparedMs, endMs, spent } = placed;
  const { spends, usually = spends, early, elsewhere, parameters, sender, startsIdle } = probe;
  const { instId } = parameters;
  const found: Count[] = [{ by: placed, of: sender, count: 1, fromMs: startMs, untilMs: endMs, wanted: true }];
  for (const budget of budgetsOf(spends)) {
    const limit = limitOf(budget, table);
    const isEarly = early?.resources.includes(`budget:${budget}`) ?? false;
    const isRate = parameters.kind === 'rate' && !isEarly;
    const count = isRate ? limit : Math.min(limit, spends[budget] ?? 0);
    const [fromMs, untilMs] = [startMs + (isRate ? parameters.burstAtMs : 0), isEarly ? preparedMs : endMs];
    found.push({ by: placed, of: budget, count, fromMs, untilMs, instId, wanted: isRate || isEarly || !startsIdle });
    const inAll = { [budget]: Math.min(limit, (spent ?? usually)[budget] ?? 0) };
    found.push(...tailsOf(inAll, fromMs, untilMs, table, instId, placed));
  }
  for (const budget of budgetsOf(elsewhere?.spends ?? {})) {
    const there = { instId: elsewhere?.instId, apart: true } as const;
    const count = elsewhere?.spends[budget] ?? 0;
    found.push({ by: placed, of: budget, count, fromMs: startMs, untilMs: endMs, wanted: true, ...there });
    found.push(...tailsOf({ [budget]: count }, startMs, endMs, table, there.instId, placed));
  }
  return found;
}

/** What was sent goes on counting for a window. */
function tailsOf(
  spends: Spending,
  fromMs: number,
  endMs: number,
  table: LimitTable,
  instId?: string,
  by?: Placed,
): Count[] {
  return budgetsOf(spends).map((budget) => {
    const untilMs = endMs + (table.find('requests', budget)?.windowMs ?? 0) + WINDOW_MARGIN_MS;
    const count = spends[budget] ?? 0;
    return { by, of: budget, count, fromMs: Math.max(fromMs, endMs), untilMs, instId, wanted: false };
  });
}

/** All that is taken of what is limited. */
class Taken {
  readonly #table: LimitTable;
  readonly #by = new Map<string, { readonly counts: Count[]; sum: number }>();

  constructor(table: LimitTable) {
    this.#table = table;
  }

  add(counts: readonly Count[]): void {
    for (const one of counts) {
      const same = this.#by.get(one.of) ?? { counts: [], sum: 0 };
      same.counts.push(one);
      same.sum += one.count;
      this.#by.set(one.of, same);
    }
  }

  /** The next moment at which there may be room for this probe together with all others. */
  roomFor(own: Placed): number {
    const mine = countsOf(own, this.#table);
    let latestMs = own.startMs;
    for (const of of new Set(mine.map((one) => one.of))) {
      const limit = limitOf(of, this.#table);
      const ours = mine.filter((one) => one.of === of);
      const { counts, sum } = this.#by.get(of) ?? { counts: [], sum: 0 };
      if (sumOf(ours) + sum <= limit) continue;
      const all = [...ours, ...counts.filter(({ untilMs }) => untilMs > own.startMs)];
      if (sumOf(all) <= limit) continue;
      for (const want of all) {
        if (!want.wanted) continue;
        const beside = all.filter((one) => one.by !== want.by && countsWith(one, want));
        for (const atMs of [want.fromMs, ...beside.map(({ fromMs }) => fromMs)]) {
          if (!covers(want, atMs)) continue;
          const there = [want, ...beside.filter((one) => covers(one, atMs))];
          const first = there.find(({ by }) => by === own);
          if (!first || sumOf(there) <= limit) continue;
          // It has to come behind one of the others.
          const endMs = there.reduce((least, one) => (one.by === own ? least : Math.min(least, one.untilMs)), Infinity);
          latestMs = Math.max(latestMs, own.startMs + endMs - first.fromMs);
        }
      }
    }
    return latestMs;
  }
}

const countsWith = (one: Count, want: Count): boolean =>
  !want.apart || one.instId === undefined || one.instId === want.instId;

/** Sums of the same times may differ in their last digits, and what ends a moment from now would keep all else from view. */
const EPSILON_MS = 1e-6;

const covers = ({ fromMs, untilMs }: Count, atMs: number): boolean => fromMs <= atMs && atMs < untilMs - EPSILON_MS;

const sumOf = (all: readonly Count[]): number => all.reduce((sum, { count }) => sum + count, 0);
