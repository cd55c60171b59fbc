/** A ledger as the text it was read from, for the analysis. */
import { encodeEntry, encodeMark, type Ledger } from '../../../schemas/ledger.ts';

export function textOf({ entries, marks }: Ledger): string {
  const [start, ...rest] = marks.map(encodeMark);
  return [start, ...entries.map(encodeEntry), ...rest].join('\n');
}
