/** What a purge did, from the ledger of a queue probe: to the queued jobs, the running ones, and the next submission. */
import type { QueueFacts, QueuePurge } from '../../../schemas/facts.ts';
import { isFinal, stateOf } from '../../../schemas/job-answer.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import type { QueueParameters } from '../../probe.ts';

type Purged = Pick<QueueFacts, 'purge'>;

export function purgeFacts(parameters: QueueParameters, entries: readonly LedgerRow[]): Purged {
  const phase = (name: string) => entries.filter((entry) => entry.phase === name);
  const purge = phase('purge')[0];
  if (!purge) return {};
  const known = (name: string, words: readonly string[]) => phase(name).filter((entry) => words.includes(entry.note));
  const later = known('cleared-later', ['cleared', 'queued']);
  const next = phase('next')[0];
  const polls = phase('cleared').length;
  const sampled = known('cleared', ['cleared', 'queued']).length;
  const countAfter = phase('after')[0]?.note ?? '';
  return {
    purge: {
      status: purge.status,
      queuedBefore: Number(purge.note) || 0,
      sampled,
      cleared: known('cleared', ['cleared']).length,
      ...(polls > sampled ? { notReported: polls - sampled } : {}),
      countAfter: countAfter === '' ? null : Number(countAfter),
      leftLater: later.length === 0 ? null : later.filter(({ note }) => note === 'queued').length,
      ...running(entries),
      ...finished(parameters, purge, entries),
      ...memory(entries),
      nextStatus: next?.status ?? 0,
      sentInWindow: next ? sentBefore(next, parameters, entries) : 0,
    },
  };
}

/** Of the long jobs that were known to run right before the purge; each is polled in the same turn. */
function running(entries: readonly LedgerRow[]): Pick<QueuePurge, 'running' | 'runningKept'> {
  const [before, after] = ['running', 'kept'].map((name) => entries.filter(({ phase }) => phase === name));
  const ran = (after ?? []).filter(({ note }, index) => note !== 'unknown' && before?.[index]?.note === 'kept');
  return { running: ran.length, runningKept: ran.filter(({ note }) => note === 'kept').length };
}

/** A job that ran and then completed proves as much as a cancelled one. */
function memory(entries: readonly LedgerRow[]): Pick<QueuePurge, 'memory'> {
  const has = (name: string, word: string): boolean =>
    entries.some(({ phase, note }) => phase === name && note === word);
  if (has('witness-later', 'known') || has('finished', 'completed')) return { memory: 'kept' };
  return has('witness', 'known') && has('witness-later', 'forgotten') ? { memory: 'lost' } : {};
}

/**
 * The final state of the job that was to end soon. It says something of the purge only if it certainly ran until the
 * purge was answered: it can't have started before its worker was free.
 */
function finished(
  { finisherMs }: QueueParameters,
  purge: LedgerRow,
  entries: readonly LedgerRow[],
): Pick<QueuePurge, 'finished'> {
  const room = entries.find(({ phase }) => phase === 'make-room');
  const ran = entries.some(({ phase, note }) => phase === 'finisher' && note === 'running');
  if (!room || !ran || purge.firstByteMs - room.sentMs >= finisherMs) return {};
  const last = entries.findLast(({ phase }) => phase === 'finished');
  const known = last !== undefined && (last.note === 'gone' || isFinal(stateOf({ state: last.note })));
  const ranOn = entries.some(({ phase, note }) => phase === 'finished' && note === 'running');
  return { finished: known ? last.note : 'unknown', ...(ranOn ? { ranOn } : {}) };
}

/** Of the operation of `entry`, up to a window before it; a little more than a window, to be sure. */
function sentBefore(entry: LedgerRow, { idleMs }: QueueParameters, entries: readonly LedgerRow[]): number {
  return entries.filter(
    ({ operation, sentMs, firstByteMs }) =>
      operation === entry.operation && sentMs <= entry.sentMs && firstByteMs >= entry.sentMs - idleMs,
  ).length;
}
