/**
 * Counting requests in windows when the moment each one reached the server is known only as an interval: it was at or
 * after the send and at or before the first byte of the answer. Everything here is pure arithmetic on such intervals.
 */
import { mostWithin } from '../../schemas/intervals.ts';
import type { Many } from '../../schemas/ledger-rows.ts';
import { sortedColumn } from './column.ts';

export interface Arrival {
  readonly sentMs: number;
  readonly firstByteMs: number;
}

/** Most of these moments inside any window of `windowMs`, ends included. `moments` need not be sorted. */
export const fullestWindow = (moments: ArrayLike<number>, windowMs: number): number =>
  fullestOfSorted(new Float64Array(moments).sort(), windowMs);

/** The same of requests, at whichever end of its way each of them counted. */
export function fullestEitherWay(all: Many<Arrival>, windowMs: number): number {
  const { sent, answered } = sortedOf(all);
  return Math.max(fullestOfSorted(sent, windowMs), fullestOfSorted(answered, windowMs));
}

function fullestOfSorted(sorted: Float64Array, windowMs: number): number {
  let fullest = 0;
  let from = 0;
  for (let to = 0; to < sorted.length; to += 1) {
    while ((sorted[to] ?? 0) - (sorted[from] ?? 0) > windowMs) from += 1;
    fullest = Math.max(fullest, to - from + 1);
  }
  return fullest;
}

/**
 * For each of `requested`, the most requests (itself included) that the window ending at its arrival can have held. A
 * request counts whenever its interval touches that window, so the result is an upper bound for all possible arrivals;
 * it is never below the counts as if all came early, or as if all came late.
 */
export function worstCaseCounts(all: Many<Arrival>, requested: Many<Arrival>, windowMs: number): number[] {
  const { sent, answered } = sortedOf(all);
  // Counted out: those sent after this one's latest arrival, and those that had surely left the window.
  return requested.map((one) => countAtMost(sent, one.firstByteMs) - countBelow(answered, one.sentMs - windowMs));
}

/**
 * At least so many requests are within the window that ends at a moment: those that were sent within it and answered by
 * then. Never more than there really were, however long they were on the way.
 */
export function surelyWithin(all: Many<Arrival>, windowMs: number): (ms: number) => number {
  const { sent, answered } = sortedOf(all);
  return (ms) => Math.max(0, countAtMost(answered, ms) - countAtMost(sent, ms - windowMs));
}

/** The most of them that certainly were within one window, however long they were on the way. */
export function mostSurelyWithin(all: Many<Arrival>, windowMs: number): number {
  const { sent, answered } = sortedOf(all);
  return mostWithin(sent, answered, windowMs);
}

interface Sorted {
  readonly sent: Float64Array;
  readonly answered: Float64Array;
}

/** Many queries are about the same requests, and sorting a million of them takes longer than all the rest. */
const known = new WeakMap<Many<Arrival>, Sorted>();

function sortedOf(all: Many<Arrival>): Sorted {
  const before = known.get(all);
  if (before) return before;
  const sent = sortedColumn(all, ({ sentMs }) => sentMs);
  const answered = sortedColumn(all, ({ firstByteMs }) => firstByteMs);
  known.set(all, { sent, answered });
  return { sent, answered };
}

/** Most of the intervals [from, to] that overlap at one moment; intervals that only touch do not overlap. */
export function mostOverlapping(intervals: readonly { readonly from: number; readonly to: number }[]): number {
  return mostAtOnce(
    intervals,
    ({ from }) => from,
    ({ to }) => to,
  );
}

/** The same of rows whose ends are picked, without an object for each. */
export function mostAtOnce<T>(rows: Many<T>, from: (row: T) => number, to: (row: T) => number): number {
  const real = rows.filter((row) => to(row) > from(row));
  const begins = sortedColumn(real, from);
  const ends = sortedColumn(real, to);
  let most = 0;
  let ended = 0;
  for (let begun = 0; begun < begins.length; begun += 1) {
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= (begins[begun] ?? 0)) ended += 1;
    most = Math.max(most, begun + 1 - ended);
  }
  return most;
}

/** How many of the sorted numbers are at most `bound`. */
function countAtMost(sorted: ArrayLike<number>, bound: number): number {
  return firstWhere(sorted, (value) => value > bound);
}

/** How many of the sorted numbers are below `bound`. */
export function countBelow(sorted: ArrayLike<number>, bound: number): number {
  return firstWhere(sorted, (value) => value >= bound);
}

/** Index of the first for which `beyond` holds; they are sorted, so it holds for all after it. */
export function firstWhere<T>(sorted: ArrayLike<T>, beyond: (value: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (beyond(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
