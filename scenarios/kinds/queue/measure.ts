/** Ledger of a queue probe -> facts (spec part 7). */
import type { QueueAttempt, QueueFacts, QueueReopening } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { isSuccess } from '../../../schemas/status.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { countStatuses } from '../../analysis/outcome.ts';
import type { QueueParameters } from '../../probe.ts';
import { purgeFacts } from './measure-purge.ts';

const PHASES: readonly string[] = ['fill', 'full', 'reopen', 'retry'];

const isSubmission = ({ phase, operation }: LedgerRow): boolean => PHASES.includes(phase) && operation !== 'health';

export function analyseQueue(parameters: QueueParameters, ledger: Ledger, planned: number): QueueFacts {
  const { entries } = ledger;
  const phase = (name: string) => entries.filter((entry) => entry.phase === name);
  const sent = submissions(entries, parameters);
  const shown = sent.flatMap((one, index) => reopening(entries, sent, one, index));
  const judged = new Map(sent.map((one, index) => [one.attempt, judgedBy(one, sent.slice(index + 1), shown)]));
  const purged = purgeFacts(parameters, entries);
  const observed = phase('waiting');
  const waiting = observed.filter((entry) => entry.note !== 'unknown');
  const outage = outageOf(entries);
  return {
    kind: 'queue',
    instId: parameters.instId,
    workersMax: parameters.workersMax,
    border: parameters.border,
    workersHeld: phase('held').filter((entry) => entry.note === 'busy').length,
    lengthKnown: lengthKnown(entries, purged),
    waiting: {
      sampled: waiting.length,
      left: waiting.filter((entry) => entry.note === 'left').length,
      forgotten: observed.filter(({ status }) => FORGOTTEN.includes(status)).length,
    },
    ...(outage ? { outage } : {}),
    refusedHealth: entries.filter((one) => one.operation === 'health' && one.status === parameters.refusal).length,
    attempts: [...judged.values()],
    reopenings: shown.map((one) => ({ ...one, attempt: judged.get(one.attempt) ?? one.attempt })),
    ...purged,
    ...elsewhereFacts(entries, parameters),
    health: generatorHealth(ledger, planned),
  };
}

function elsewhereFacts(entries: readonly LedgerRow[], parameters: QueueParameters): Pick<QueueFacts, 'elsewhere'> {
  const { otherInstId: instId, refusal } = parameters;
  const of = (name: string) => entries.filter(({ phase, operation }) => phase === name && operation === 'run');
  const [requested, [later]] = [of('elsewhere'), of('elsewhere-later')];
  if (instId === undefined || requested.length === 0) return {};
  const refused = requested.filter(({ status }) => status === refusal).length;
  return {
    elsewhere: { instId, requested: requested.length, refused, ...(later ? { laterStatus: later.status } : {}) },
  };
}

const FORGOTTEN: readonly number[] = [404, 410];

/**
 * Requests that met a target that was not there, or another server in its place. Submissions are judged by themselves.
 */
function outageOf(entries: readonly LedgerRow[]): QueueFacts['outage'] {
  const met = entries.filter((entry) => !isSubmission(entry) && (entry.status === 0 || entry.status >= 500));
  return met.length > 0 ? { requests: met.length, statuses: countStatuses(met) } : undefined;
}

/** When the first of the slow jobs may have ended, so that workers take jobs from the queue; endless without workers. */
function heldUntilMs(entries: readonly LedgerRow[], { slowJobMs }: QueueParameters): number {
  const first = entries.find(({ phase }) => phase === 'hold');
  return first ? first.sentMs + slowJobMs : Number.POSITIVE_INFINITY;
}

interface Sent {
  readonly entry: LedgerRow;
  /** Of the ledger. */
  readonly at: number;
  readonly attempt: QueueAttempt;
}

function submissions(entries: readonly LedgerRow[], parameters: QueueParameters): Sent[] {
  const { refusal } = parameters;
  const untilMs = heldUntilMs(entries, parameters);
  const all = entries.flatMap((entry, at) => (isSubmission(entry) ? [{ entry, at }] : []));
  return all.map(({ entry, at }) => {
    const outcome = outcomeOf(entry, refusal);
    const [queuedMin = 0, queuedMax = Number.POSITIVE_INFINITY] = entry.note.split(':').map(Number);
    const overlapping = all.filter((one) => one.entry !== entry && mayBeOpen(one.entry, entry, refusal));
    return {
      entry,
      at,
      attempt: {
        operation: entry.operation === 'runsync' ? 'runsync' : 'run',
        // Its sender may have stood still between reckoning and sending.
        queuedMin: entry.firstByteMs < untilMs ? queuedMin : 0,
        queuedMax,
        outcome,
        status: entry.status,
        seenQueued: entry.operation === 'runsync' && seenQueued(entries, at, queuedMax),
        open: overlapping.length,
        persisted: null,
        reopened: false,
      },
    };
  });
}

function outcomeOf(entry: LedgerRow, refusal: number): QueueAttempt['outcome'] {
  if (entry.status === refusal) return 'refused';
  if (isSuccess(entry.status)) return 'accepted';
  return entry.status === 0 && entry.error === 'timeout' ? 'unanswered-yet' : 'other';
}

/** One that was given up unanswered is still open on the wire. */
function mayBeOpen(other: LedgerRow, entry: LedgerRow, refusal: number): boolean {
  if (other.operation !== entry.operation || other.sentMs > entry.endMs) return false;
  return outcomeOf(other, refusal) === 'unanswered-yet' || other.endMs > entry.sentMs;
}

/** By its job's own state or by the number in health, right after it. */
function seenQueued(entries: readonly LedgerRow[], at: number, queuedMax: number): boolean {
  const after = entries.slice(at + 1);
  const end = after.findIndex((entry) => entry.phase !== 'counted');
  const counted = after.slice(0, end < 0 ? after.length : end);
  return counted.some(({ note }) => note === 'queued' || (note !== '' && Number(note) > queuedMax));
}

const range = ({ queuedMin, queuedMax }: QueueAttempt) => ({ min: queuedMin, max: queuedMax });

/** What a submission with room showed, if this is one. */
function reopening(entries: readonly LedgerRow[], sent: readonly Sent[], one: Sent, index: number): QueueReopening[] {
  const { operation } = one.attempt;
  if (one.entry.phase !== 'reopen') return [];
  const own = (all: readonly Sent[]) => all.filter(({ attempt }) => attempt.operation === operation);
  const before = own(sent.slice(0, index)).findLast(({ attempt }) => attempt.outcome === 'refused');
  // A `runsync` that was refused with room leaves it to the `run` after it.
  const previous = sent.slice(0, index).findLast(({ entry }) => entry.phase !== 'reopen');
  const between = entries.slice(previous?.at ?? 0, one.at);
  const counts = between
    .filter(({ phase }) => phase === 'count')
    .map(({ note }) => (note === '' ? null : Number(note)));
  const next = own(sent.slice(index + 1));
  const climb = next.slice(0, 1 + next.findIndex(({ attempt }) => attempt.outcome === 'refused'));
  return [
    {
      operation,
      refusedAt: before ? range(before.attempt) : { min: 0, max: Number.POSITIVE_INFINITY },
      freed: between.filter(({ phase }) => phase === 'free').length,
      countAfter: counts.at(-1) ?? null,
      attempt: one.attempt,
      refusedAgain: next.length === 0 ? null : climb.length > 0 && climb.every(isClimb),
    },
  ];
}

const isClimb = ({ entry }: Sent): boolean => entry.phase === 'full';

const wasTaken = ({ outcome }: QueueAttempt): boolean => outcome === 'accepted' || outcome === 'unanswered-yet';

/** With what came after it: what its refusal was a matter of. */
function judgedBy({ entry, attempt }: Sent, later: readonly Sent[], all: readonly QueueReopening[]): QueueAttempt {
  const same = later.filter((one) => one.attempt.operation === attempt.operation);
  const retried = same.find((one) => one.entry.phase === 'retry');
  if (attempt.outcome === 'other' && retried) {
    return { ...attempt, persisted: retried.attempt.outcome === 'other' && retried.attempt.status === attempt.status };
  }
  if (attempt.outcome !== 'refused') return attempt;
  if (same.some((one) => one.attempt.outcome === 'accepted' && one.attempt.queuedMin >= attempt.queuedMax)) {
    return { ...attempt, persisted: false };
  }
  const proofs = all.filter((one) => one.operation === attempt.operation && one.refusedAgain && wasTaken(one.attempt));
  const reopened = proofs.some((proof) => attempt.queuedMin > proof.attempt.queuedMin);
  if (reopened || entry.phase === 'retry') return { ...attempt, persisted: true, reopened };
  return { ...attempt, persisted: retried ? retried.attempt.outcome === 'refused' : null };
}

/**
 * Whether the bounds of the queue's length hold, because no jobs of others stood in it uncounted. The first count of
 * health is used only while it agrees with what is known of the full queue; where health has none, a purge that worked
 * the second time is proof.
 */
function lengthKnown(entries: readonly LedgerRow[], { purge }: Pick<QueueFacts, 'purge'>): boolean {
  const reported = entries.findLast(({ phase }) => phase === 'before')?.note ?? '';
  if (reported === '') {
    const emptied = entries.some(({ phase, status }) => phase === 'purge-before' && isSuccess(status));
    return emptied && (purge === undefined || purge.cleared === purge.sampled);
  }
  const full = entries.find(({ phase, operation }) => phase === 'full' && operation === 'health');
  const [min, max, count] = (full?.note ?? '').split(':');
  return !count || (Number(min) <= Number(count) && Number(count) <= Number(max));
}
