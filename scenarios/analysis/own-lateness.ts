/**
 * Whose fault it is that a request was sent late. While all connections of a load wait for answers, nothing can be sent,
 * and that is the target's doing; a request that was not sent although a connection was free is late by the sender.
 */

import type { LedgerEntry } from '../../schemas/ledger.ts';
import type { Many } from '../../schemas/ledger-rows.ts';
import { column } from './column.ts';

/** Moments of one request, ms on one clock. */
export type Turn = Pick<LedgerEntry, 'dueMs' | 'begunMs' | 'endMs'>;

/**
 * For each of the turns, in the order in which they begin: how long after its moment, and after a connection was free
 * for it, its sender began. As many of them as there are connections can be on their way at once.
 */
export function ownLateness(turns: Many<Turn>, connections: number): Float64Array {
  const busyUntil: number[] = [];
  return column(turns, ({ dueMs = Number.NaN, begunMs = dueMs, endMs }) => {
    const freeMs = busyUntil.length < connections ? Number.NEGATIVE_INFINITY : takeLeast(busyUntil);
    insert(busyUntil, endMs);
    return Math.max(0, begunMs - Math.max(dueMs, freeMs));
  });
}

function takeLeast(heap: number[]): number {
  const least = heap[0] ?? Number.NEGATIVE_INFINITY;
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return least;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const child =
      (heap[left + 1] ?? Number.POSITIVE_INFINITY) < (heap[left] ?? Number.POSITIVE_INFINITY) ? left + 1 : left;
    const value = heap[child];
    if (value === undefined || value >= last) break;
    heap[at] = value;
    at = child;
  }
  heap[at] = last;
  return least;
}

function insert(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    const above = heap[parent] ?? value;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}
