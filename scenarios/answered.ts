/** When a request was answered: shared by the script that notes it and the analysis. Pure, and bundled into a k6 script. */
import type { LedgerEntry } from '../schemas/ledger.ts';

/**
 * When a request ceased to be in flight, ms. A stream may begin at once and goes on until its job has ended, as its
 * slot does; the header of a refusal is enough.
 */
export function answeredMs(
  { operation, firstByteMs, endMs }: Pick<LedgerEntry, 'operation' | 'firstByteMs' | 'endMs'>,
  isRefused: boolean,
): number {
  return operation === 'stream' && !isRefused ? endMs : firstByteMs;
}
