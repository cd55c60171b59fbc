/**
 * Some of many rows. A list of a million rows is eight megabytes, `filter` leaves twice as much behind while its own
 * grows, and a ledger is asked some dozens of such questions.
 */

/** Those that are wanted, in their order; the list itself where all are. */
export function keep<T, S extends T>(rows: readonly T[], wanted: (row: T) => row is S): readonly S[];
export function keep<T>(rows: readonly T[], wanted: (row: T) => boolean): readonly T[];
export function keep<T>(rows: readonly T[], wanted: (row: T) => boolean): readonly T[] {
  const count = countOf(rows, wanted);
  if (count === rows.length) return rows;
  const kept = new Array<T>(count);
  let at = 0;
  for (const row of rows) {
    if (!wanted(row)) continue;
    kept[at] = row;
    at += 1;
  }
  return kept;
}

export function countOf<T>(rows: readonly T[], wanted: (row: T) => boolean): number {
  let count = 0;
  for (const row of rows) if (wanted(row)) count += 1;
  return count;
}
