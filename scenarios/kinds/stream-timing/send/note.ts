/** The note of a ledger entry that was read as it came: when each of its tokens arrived, on the ledger's clock. */

/** @param atMs one moment for each token, ms, in the order in which they came */
export const noteOf = (atMs: readonly number[]): string => atMs.map((ms) => ms.toFixed(3)).join(' ');

/** The moments again; none where the note is no such list. */
export function arrivalsIn(note: string): number[] {
  if (note === '') return [];
  const all = note.split(' ').map(Number);
  return all.every((ms) => Number.isFinite(ms)) ? all : [];
}
