/** Ledger of a payload probe -> facts. */
import type { PayloadAttempt, PayloadFacts, PayloadJob, PayloadJobState } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { isSuccess } from '../../../schemas/status.ts';
import { generatorHealth } from '../../analysis/health.ts';
import type { PayloadParameters } from '../../probe.ts';
import { isUnknown, type JobEcho } from './send/job-echo.ts';
import { decodeSize, type SizeNote } from './send/note.ts';
import { payloadOutcome } from './send/outcome.ts';

export function analysePayload(parameters: PayloadParameters, ledger: Ledger, planned: number): PayloadFacts {
  const sized = sizedEntries(ledger.entries);
  const followUps = sized.filter(({ entry }) => entry.phase === 'follow-up');
  const sent = sized.filter(({ entry }) => entry.phase !== 'follow-up');
  const small = smallJobs(sent, followUps);
  return {
    kind: 'payload',
    limitId: parameters.limitId,
    instId: parameters.instId,
    acceptBytes: parameters.acceptBytes,
    refuseBytes: parameters.refuseBytes,
    attempts: sent.map((one) => {
      const examined = one.note.bytes === parameters.acceptBytes || one.entry.phase === 'control';
      const job = parameters.followsUp && examined ? jobOf(one, followUps, small) : null;
      return { ...attemptOf(one), ...(job ? { job } : {}) };
    }),
    readable: parameters.readable,
    health: generatorHealth(ledger, planned),
  };
}

export interface Sized {
  readonly entry: LedgerRow;
  readonly note: SizeNote;
}

export function sizedEntries(entries: readonly LedgerRow[]): Sized[] {
  return entries.flatMap((entry) => {
    const note = decodeSize(entry.note);
    return note ? [{ entry, note }] : [];
  });
}

export function attemptOf({ entry, note }: Sized): PayloadAttempt {
  const { bytes, encoding, sent } = note;
  const { status, error, phase } = entry;
  return { bytes, encoding, outcome: payloadOutcome(entry), status, error, sent, isRetry: phase === 'retry' };
}

/** When the job of the small body was seen to have ended; null where it was not. */
function controlEndMs(sent: readonly Sized[], followUps: readonly Sized[]): number | null {
  const control = sent.find(({ entry }) => entry.phase === 'control');
  if (!control) return null;
  const own = [control, ...followUpsOf(control, followUps)];
  return own.find(({ note }) => note.seen?.state === 'completed')?.entry.endMs ?? null;
}

const followUpsOf = ({ note }: Sized, followUps: readonly Sized[]): Sized[] =>
  followUps.filter((followUp) => followUp.note.seen?.id !== null && followUp.note.seen?.id === note.seen?.id);

/** null where the body was not accepted, or the ledger ends before the job was polled. */
function jobOf(one: Sized, followUps: readonly Sized[], small: Small): PayloadJob | null {
  const { seen } = one.note;
  if (!isSuccess(one.entry.status) || !seen) return null;
  const own = followUpsOf(one, followUps);
  const last = own[own.length - 1];
  const shown = last?.note.seen ?? seen;
  const state = last ? stateAfter(last, shown, small) : stateAtOnce(shown);
  if (state === null) return null;
  const watchedMs = last && small.endMs !== null ? Math.max(0, Math.round(last.entry.endMs - small.endMs)) : null;
  return { state, endCameBack: shown.endCameBack, paddingCameBack: shown.paddingCameBack, watchedMs };
}

/** What the answer to the body itself said. */
function stateAtOnce({ id, state }: JobEcho): PayloadJobState | null {
  if (state === 'completed' || state === 'ended') return state;
  return id === null ? 'nameless' : null;
}

/**
 * An unknown id shows something only where those of small jobs are known: of one that was submitted later, or the
 * target may not know ids at all, and of one before, or the target may have lost everything in between.
 */
function stateAfter({ entry }: Sized, shown: JobEcho, { endMs, earlier }: Small): PayloadJobState {
  const { status } = entry;
  if (isUnknown(status)) return endMs !== null && isEarlierKnown(earlier, entry) ? 'forgotten' : 'all-forgotten';
  return status === 0 || status >= 500 ? 'unanswered' : shown.state;
}

/** Polled once the other was seen to be unknown. */
function isEarlierKnown(earlier: readonly Sized[], { sentMs }: LedgerRow): boolean {
  return earlier.some(({ entry }) => isSuccess(entry.status) && entry.endMs >= sentMs);
}

/** The small jobs: when the last was seen to have ended, null where it was not; and follow-ups of the first. */
interface Small {
  readonly endMs: number | null;
  readonly earlier: readonly Sized[];
}

function smallJobs(sent: readonly Sized[], followUps: readonly Sized[]): Small {
  const first = sent.find(({ entry, note }) => entry.phase === 'try' && isSuccess(entry.status) && note.seen?.id);
  return { endMs: controlEndMs(sent, followUps), earlier: first ? followUpsOf(first, followUps) : [] };
}
