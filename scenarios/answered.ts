/** When a request was answered: shared by the script that notes it and the analysis. Pure, and bundled into a k6 script. */
import type { LedgerEntry } from '../schemas/ledger.ts';

/** In the note of a chat that was requested as a stream. */
export const STREAMED = ' streamed';

/**
 * When a request ceased to be in flight, ms. A stream may begin at once and goes on until its job or its text has ended,
 * as its slot does; the header of a refusal is enough.
 */
export function answeredMs(
  { operation, firstByteMs, endMs, note }: Pick<LedgerEntry, 'operation' | 'firstByteMs' | 'endMs' | 'note'>,
  isRefused: boolean,
): number {
  const streams = operation === 'stream' || note.includes(STREAMED);
  return streams && !isRefused ? endMs : firstByteMs;
}
