/**
 * The decisions the specification makes, each as one small function. The service calls them and decides nothing of this
 * kind by itself, so that a mutant is a rule replaced and the core carries no planted faults.
 */
import type { LimitKind, QueueLimit } from '../schemas/limits.ts';
import { type DocumentedOperationId, operation } from '../schemas/operations.ts';
import type { Clock } from './clock.ts';
import type { Handler } from './jobs/handler.ts';
import { isFinal, type JobState } from './jobs/states.ts';
import type { Reply } from './reply.ts';

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

/** Who sends a request: everything a limit could be counted by. */
export interface Caller {
  /** Of the endpoint; empty on interface A. */
  readonly instId: string;
  readonly address: string;
  /** The Authorization header as it came. */
  readonly authorization: string;
  /** Names the connection where there is one. */
  readonly connection: string;
  readonly method: string;
}

/** An answer that is about to be sent. */
export interface Outgoing {
  /** Null where the path leads to no operation. */
  readonly id: DocumentedOperationId | null;
  readonly method: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Of the request. */
  readonly headers: { get(name: string): string | null };
  readonly caller: Caller;
  /** Which limit refused it, if one did. */
  readonly refusedBy: LimitKind | null;
  /** Requests in flight on the whole service, this one included. */
  readonly inFlight: number;
  readonly clock: Clock;
}

export interface Rules {
  /** Whether the operation requires a key (spec 5). */
  needsKey(id: DocumentedOperationId): boolean;
  /** The Authorization header as it is understood; null for none. */
  credential(id: DocumentedOperationId, header: string | null): string | null;
  /** The JSON body of a request as it is understood, before it is checked. */
  understood(id: DocumentedOperationId, body: unknown): unknown;
  /** Largest body of a submission, bytes, given the limit's value and the Content-Length, null where there is none. */
  payloadLimit(id: DocumentedOperationId, maxBytes: number, declared: string | null): number;
  /** The id that a new job gets, given a fresh one. */
  jobId(fresh: string): string;
  /** The deployed handler as it is run. */
  handler(deployed: Handler): Handler;
  /** Name of the counter a request counts against, null for none: equal names share a limit (spec 8). */
  counter(id: DocumentedOperationId, kind: 'rate' | 'concurrency'): string | null;
  /** Whose requests are counted together: the endpoint's on interface B, the client address's on A (spec 8). */
  scope(id: DocumentedOperationId, kind: 'rate' | 'concurrency', caller: Caller): string;
  /** Requests per window for an operation that the table gives none; null for none. */
  extraRate(id: DocumentedOperationId): { readonly value: number; readonly windowMs: number } | null;
  /** How many jobs of an endpoint run at once (spec 2.4). */
  jobsAtOnce(workersMax: number): number;
  /** Whether a submission is refused at this queue length (spec 7). */
  queueRefuses(queued: number, workersMax: number, limit: QueueLimit): boolean;
  /** Whether the slot of a request that is over is given back; `aborted` when its client went away. */
  freesSlot(id: DocumentedOperationId, aborted: boolean): boolean;
  /** Whether a purge takes jobs in this state. */
  purges(state: JobState): boolean;
  /** Whether cancel stops a job in this state. */
  cancels(state: JobState): boolean;
  /** How many of a job's chunks, from its first, a stream may have handed out by now. */
  streamable(chunks: number, state: JobState): number;
  /** The id a status answer carries, given the ids of all known jobs. */
  statusId(id: string, known: () => Iterable<string>): string;
  /** Longest time runsync may wait for its job, milliseconds, given the requested one. */
  runsyncWait(requestedMs: number): number;
  /** The same for status-sync, by the method of the request. */
  statusSyncWait(requestedMs: number, method: string): number;
  health(counts: HealthCounts): HealthCounts;
  /** Body of the model list. */
  modelList(models: readonly object[]): object;
  /** Changes an answer on its way out; null, at no cost, where answers are sent unchanged. */
  readonly outgoing: ((reply: Reply, about: Outgoing) => Reply | Promise<Reply>) | null;
  /** Terminator of an event stream. */
  readonly endOfStream: string;
}

export const specRules: Rules = {
  needsKey: () => true,
  credential: (_id, header) => header,
  understood: (_id, body) => body,
  payloadLimit: (_id, maxBytes) => maxBytes,
  jobId: (fresh) => fresh,
  handler: (deployed) => deployed,
  counter: (id) => operation(id).budget,
  scope: (id, _kind, caller) => (operation(id).interface === 'jobs' ? caller.instId : caller.address),
  extraRate: () => null,
  jobsAtOnce: (workersMax) => workersMax,
  queueRefuses: (queued, workersMax, limit) => queued > limit.value && queued > limit.perWorker * workersMax,
  freesSlot: () => true,
  purges: (state) => state === 'IN_QUEUE',
  cancels: (state) => !isFinal(state),
  streamable: (chunks) => chunks,
  statusId: (id) => id,
  runsyncWait: (requestedMs) => requestedMs,
  statusSyncWait: (requestedMs) => requestedMs,
  health: (counts) => counts,
  modelList: (models) => ({ object: 'list', data: models }),
  outgoing: null,
  endOfStream: 'data: [DONE]\n\n',
};
