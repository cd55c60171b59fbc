/** Ledgers made by hand for tests: entries in which only what matters is named, and all of them with the two marks. */
import { decodeLedger, encodeEntry, encodeMark, type Ledger, type LedgerEntry } from '../../schemas/ledger.ts';

/** A request that was taken within a millisecond, but for what is named. */
export function entryOf(changes: Partial<LedgerEntry>): LedgerEntry {
  const times = { sentMs: 0, firstByteMs: 1, endMs: 1 };
  return { phase: '', operation: 'run', ...times, status: 200, error: '', note: '', ...changes };
}

/**
 * A whole ledger, as it is read: ten milliseconds by both clocks, unless they are to differ, the end is to be missing, or
 * a line is torn.
 */
export function ledgerOf(entries: readonly LedgerEntry[], { endWallMs = 1010, end = true, torn = '' } = {}): Ledger {
  const lines = [encodeMark({ mark: 'start', wallMs: 1000, monotonicMs: 0 }), ...entries.map(encodeEntry)];
  const last = end ? [encodeMark({ mark: 'end', wallMs: endWallMs, monotonicMs: 10 })] : [];
  return decodeLedger([...lines, ...last, torn].join('\n'));
}
