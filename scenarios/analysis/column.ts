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
