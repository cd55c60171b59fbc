/** Jobs that may still have been queued or running when a limit refused. */
import type { LedgerRow, Many } from '../../schemas/ledger-rows.ts';
import { awaitsJobs, isSubmitting, type OperationId } from '../../schemas/operations.ts';
import { leastOf } from './column.ts';

/**
 * For the first of some refusals: every job that was accepted before it, or, where health told the queue's length before,
 * that and every one accepted since. Where it answers when its job is done, only those in flight count.
 * @param rows the whole ledger
 */
export function outstandingAtFirst(operation: OperationId, admitted: Many<LedgerRow>, rows: Many<LedgerRow>) {
  const looks = rows
    .filter((entry) => entry.phase === 'watch' && /^\d+$/.test(entry.note))
    .map((entry) => ({ entry, queued: Number(entry.note) }))
    .sort((a, b) => b.entry.firstByteMs - a.entry.firstByteMs);
  return (refusals: Many<LedgerRow>): number => {
    if (refusals.length === 0 || !isSubmitting(operation)) return 0;
    const atMs = leastOf(refusals, ({ firstByteMs }) => firstByteMs);
    const before = admitted.filter((entry) => entry.sentMs <= atMs);
    if (awaitsJobs(operation)) return before.filter((entry) => entry.firstByteMs >= atMs).length;
    const look = looks.find(({ entry }) => entry.firstByteMs <= atMs);
    if (!look) return before.length;
    return Math.min(before.length, look.queued + before.filter((one) => one.firstByteMs >= look.entry.sentMs).length);
  };
}
