/**
 * The decisions the specification makes, each as one small function. The service asks them and decides nothing of this
 * kind by itself, so that a mutant is a rule replaced and the core carries no planted faults.
 */
import type { QueueLimit } from '../schemas/limits.ts';
import { type OperationId, operation } from '../schemas/operations.ts';
import { isFinal, type JobState } from './jobs/states.ts';

/** Counts of the health operation; the names are those real clients read. */
export interface HealthCounts {
  readonly jobs: {
    readonly completed: number;
    readonly failed: number;
    readonly inProgress: number;
    readonly inQueue: number;
    readonly retried: number;
  };
  readonly workers: {
    readonly idle: number;
    readonly initializing: number;
    readonly ready: number;
    readonly running: number;
    readonly throttled: number;
    readonly unhealthy: number;
  };
}

export interface Rules {
  /** Whether the operation asks for a key (spec 5). */
  needsKey(id: OperationId): boolean;
  /** Name of the counter a request counts against, null for none: equal names share a limit (spec 8). */
  counter(id: OperationId, kind: 'rate' | 'concurrency'): string | null;
  /** Requests per window for an operation that the table gives none; null for none. */
  extraRate(id: OperationId): { readonly value: number; readonly windowMs: number } | null;
  /** Whether a submission is refused at this queue length (spec 7). */
  queueRefuses(queued: number, workersMax: number, limit: QueueLimit): boolean;
  /** Whether a client that goes away gives its slot back. */
  freesSlotOnAbort(id: OperationId): boolean;
  /** Whether a purge takes jobs in this state. */
  purges(state: JobState): boolean;
  /** Whether cancel stops a job in this state. */
  cancels(state: JobState): boolean;
  /** How many of a job's chunks, from its first, a stream may have handed out by now. */
  streamable(chunks: number, state: JobState): number;
  /** The id a status answer carries, given the ids of all known jobs. */
  statusId(id: string, known: () => Iterable<string>): string;
  /** Longest time runsync may wait for its job, milliseconds, given what was asked. */
  runsyncWait(askedMs: number): number;
  health(counts: HealthCounts): HealthCounts;
  /** Body of the model list. */
  modelList(models: readonly object[]): object;
  /** Terminator of an event stream. */
  readonly endOfStream: string;
}

export const specRules: Rules = {
  needsKey: () => true,
  counter: (id) => operation(id).budget,
  extraRate: () => null,
  queueRefuses: (queued, workersMax, limit) => queued > limit.value && queued > limit.perWorker * workersMax,
  freesSlotOnAbort: () => true,
  purges: (state) => state === 'IN_QUEUE',
  cancels: (state) => !isFinal(state),
  streamable: (chunks) => chunks,
  statusId: (id) => id,
  runsyncWait: (askedMs) => askedMs,
  health: (counts) => counts,
  modelList: (models) => ({ object: 'list', data: models }),
  endOfStream: 'data: [DONE]\n\n',
};
