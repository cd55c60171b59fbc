/** Ledgers made by hand for tests: entries in which only what matters is named, and the text with its two marks. */
import { encodeEntry, encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';

/** A request that was taken within a millisecond, but for what is named. */
export function entryOf(changes: Partial<LedgerEntry>): LedgerEntry {
  const times = { sentMs: 0, firstByteMs: 1, endMs: 1 };
  return { phase: '', operation: 'run', ...times, status: 200, error: '', note: '', ...changes };
}

/** The text of a whole ledger: ten milliseconds by both clocks, unless they are to differ, or the end is to be missing. */
export function ledgerOf(entries: readonly LedgerEntry[], { endWallMs = 1010, end = true } = {}): string {
  const lines = [encodeMark({ mark: 'start', wallMs: 1000, monotonicMs: 0 }), ...entries.map(encodeEntry)];
  return [...lines, ...(end ? [encodeMark({ mark: 'end', wallMs: endWallMs, monotonicMs: 10 })] : []), ''].join('\n');
}
