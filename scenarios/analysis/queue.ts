/** Ledger of a queue probe -> facts (spec part 7, design part 5). */
import type { QueueAttempt, QueueFacts } from '../../schemas/facts.ts';
import { decodeLedger, type LedgerEntry } from '../../schemas/ledger.ts';
import { isSuccess } from '../../schemas/status.ts';
import type { QueueParameters } from '../probe.ts';
import { generatorHealth } from './health.ts';

export function analyseQueue(parameters: QueueParameters, text: string, planned: number): QueueFacts {
  const ledger = decodeLedger(text);
  const phase = (name: string) => ledger.entries.filter((entry) => entry.phase === name);
  const submissions = ledger.entries.filter((entry) => entry.phase === 'fill' || entry.phase === 'retry');
  return {
    kind: 'queue',
    instId: parameters.instId,
    workersMax: parameters.workersMax,
    border: parameters.border,
    workersHeld: phase('held').filter((entry) => entry.note === 'busy').length,
    attempts: submissions.map((entry, index) => attempt(entry, submissions.slice(index + 1), parameters.refusal)),
    ...purgeFacts(phase),
    health: generatorHealth(ledger, planned),
  };
}

/** @param later the submissions after this one, in order: the retry of a refusal is among them */
function attempt(entry: LedgerEntry, later: readonly LedgerEntry[], refusal: number): QueueAttempt {
  const [queuedMin = 0, queuedMax = Number.POSITIVE_INFINITY] = entry.note.split(':').map(Number);
  const outcome = submissionOutcome(entry, refusal);
  const retried = later.find((one) => one.operation === entry.operation);
  const persisted =
    entry.phase === 'retry'
      ? true
      : retried?.phase === 'retry'
        ? submissionOutcome(retried, refusal) === 'refused'
        : null;
  return {
    operation: entry.operation === 'runsync' ? 'runsync' : 'run',
    queuedMin,
    queuedMax,
    outcome,
    status: entry.status,
    persisted: outcome === 'refused' ? persisted : null,
  };
}

function submissionOutcome(entry: LedgerEntry, refusal: number): QueueAttempt['outcome'] {
  if (entry.status === refusal) return 'refused';
  if (isSuccess(entry.status)) return 'accepted';
  return entry.status === 0 && entry.error === 'timeout' ? 'unanswered-yet' : 'other';
}

function purgeFacts(phase: (name: string) => readonly LedgerEntry[]): Pick<QueueFacts, 'purge'> {
  const purge = phase('purge')[0];
  if (!purge) return {};
  const known = (name: string, words: readonly string[]) => phase(name).filter((entry) => words.includes(entry.note));
  return {
    purge: {
      status: purge.status,
      queuedBefore: Number(purge.note) || 0,
      sampled: known('cleared', ['cleared', 'queued']).length,
      cleared: known('cleared', ['cleared']).length,
      running: known('kept', ['kept', 'gone']).length,
      runningKept: known('kept', ['kept']).length,
      nextStatus: phase('next')[0]?.status ?? 0,
    },
  };
}
