/** One number of each of many rows. */
import type { Many } from '../../schemas/ledger-rows.ts';

/**
 * One number of each row, packed: a ledger may have a million rows, and a list of numbers taken from them is read and
 * sorted several times faster so, in a fraction of the memory.
 */
export function column<T>(rows: Many<T>, pick: (row: T) => number): Float64Array {
  const values = new Float64Array(rows.length);
  // Float64Array.from with a function makes a list of them first.
  rows.forEach((row, index) => {
    values[index] = pick(row);
  });
  return values;
}

export function sortedColumn<T>(rows: Many<T>, pick: (row: T) => number): Float64Array {
  const values = column(rows, pick);
  // As most are: to see that takes a tenth of the time of sorting them.
  for (let index = 1; index < values.length; index += 1)
    if (!((values[index] ?? 0) >= (values[index - 1] ?? 0))) return values.sort();
  return values;
}

/** Infinity where there are none. */
export function leastOf<T>(rows: Many<T>, pick: (row: T) => number): number {
  let least = Number.POSITIVE_INFINITY;
  rows.forEach((row) => {
    least = Math.min(least, pick(row));
  });
  return least;
}

/** In the order of sending, about as many as wanted of those sent last: of several runners these are not the last rows. */
export function lastSent<T extends { readonly sentMs: number }>(rows: Many<T>, wanted: number): T[] {
  const before = rows.length - wanted;
  const fromMs = before > 0 ? (sortedColumn(rows, ({ sentMs }) => sentMs)[before] ?? 0) : Number.NEGATIVE_INFINITY;
  const last = rows.filter(({ sentMs }) => sentMs >= fromMs);
  return last.map((row) => row).sort((a, b) => a.sentMs - b.sentMs);
}
