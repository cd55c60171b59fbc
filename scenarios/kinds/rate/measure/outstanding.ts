/** How many jobs of a rate probe may have been waiting when something was refused: then the queue may have refused it. */
import type { RateFacts } from '../../../../schemas/facts.ts';
import type { LedgerRow, Many } from '../../../../schemas/ledger-rows.ts';
import { awaitsJobs, isSubmitting, type OperationId } from '../../../../schemas/operations.ts';
import { leastOf } from '../../../analysis/column.ts';

/**
 * Every job that was accepted before the first refusal, or, where health told the queue's length before, that and every
 * one accepted since. Where it answers when its job is done, only those in flight count.
 * @param rows the whole ledger
 */
export function outstandingOuter(
  operation: OperationId,
  budget: Readonly<Record<'admitted' | 'refused' | 'within', Many<LedgerRow>>>,
  rows: Many<LedgerRow>,
): RateFacts['outstandingOuter'] {
  if (!isSubmitting(operation)) return { atRefusal: 0, atRefusalWithin: 0 };
  const looks = rows
    .filter((entry) => entry.phase === 'watch' && /^\d+$/.test(entry.note))
    .map((entry) => ({ entry, queued: Number(entry.note) }))
    .sort((a, b) => b.entry.firstByteMs - a.entry.firstByteMs);
  const atFirstOf = (refusals: Many<LedgerRow>) => {
    if (refusals.length === 0) return 0;
    const atMs = leastOf(refusals, ({ firstByteMs }) => firstByteMs);
    const before = budget.admitted.filter((entry) => entry.sentMs <= atMs);
    if (awaitsJobs(operation)) return before.filter((entry) => entry.firstByteMs >= atMs).length;
    const look = looks.find(({ entry }) => entry.firstByteMs <= atMs);
    if (!look) return before.length;
    return Math.min(before.length, look.queued + before.filter((one) => one.firstByteMs >= look.entry.sentMs).length);
  };
  return { atRefusal: atFirstOf(budget.refused), atRefusalWithin: atFirstOf(budget.within) };
}
