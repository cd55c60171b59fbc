/** What became of the requests of one part of a probe. */
import type { RatePart } from '../../schemas/facts.ts';
import type { LedgerRow, Many } from '../../schemas/ledger-rows.ts';
import { SENT_TWICE } from '../k6/lib/sent-twice.ts';
import { limitFieldsIn } from '../limit-fields.ts';
import type { Classify } from './outcome.ts';

/** A request that the target may have seen twice: it counts in a window, but has no response of its own. */
export const isRepeat = ({ error }: LedgerRow): boolean => error === SENT_TWICE;

/** In one go: there may be a million of them. */
export function partOf(entries: Many<LedgerRow>, classify: Classify): RatePart {
  const counts = { admitted: 0, refused: 0, neither: 0 };
  const statuses: Record<string, number> = {};
  const wrong: Record<string, number> = {};
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, 0];
  entries.forEach((entry) => {
    if (isRepeat(entry)) return;
    counts[classify(entry)] += 1;
    statuses[entry.status] = (statuses[entry.status] ?? 0) + 1;
    const fault = entry.note === '' ? undefined : limitFieldsIn(entry.note).wrong;
    if (fault !== undefined) wrong[fault] = (wrong[fault] ?? 0) + 1;
    fromMs = Math.min(fromMs, entry.sentMs);
    toMs = Math.max(toMs, entry.firstByteMs);
  });
  const { admitted, refused, neither } = counts;
  const sent = admitted + refused + neither;
  return { sent, admitted, refused, statuses, wrong, fromMs: sent > 0 ? fromMs : 0, toMs };
}
