/** One job, and how it is shown to clients. */
import type { Due } from './deadlines.ts';
import type { JobState } from './states.ts';

export type JobKind = 'run' | 'runsync';

export interface JobPolicy {
  /** Milliseconds a job may run. */
  readonly executionTimeoutMs: number;
  /** Milliseconds from submission after which it is given up. */
  readonly ttlMs: number;
  /** Taken only when nothing else is queued. */
  readonly lowPriority: boolean;
}

/** Kept small: a hundred thousand finished ones stay for half an hour. */
export interface Job extends Due {
  readonly id: string;
  readonly kind: JobKind;
  readonly policy: JobPolicy;
  readonly createdAt: number;
  /** Dropped once it is no longer needed, since bodies may be megabytes. */
  input: unknown;
  state: JobState;
  startedAt: number | null;
  finishedAt: number | null;
  workerId: string | null;
  output: unknown;
  error: string | null;
  /** Null until the first. */
  chunks: unknown[] | null;
  /** How many chunks streams have handed out. */
  delivered: number;
  /** Called after every change; each waiting request has one. Null while none waits. */
  watchers: Set<() => void> | null;
}

/** A job as it comes in. */
export function newJob(job: Pick<Job, 'id' | 'kind' | 'policy' | 'createdAt' | 'input'>): Job {
  const { id, kind, policy, createdAt, input } = job;
  return {
    due: Number.POSITIVE_INFINITY,
    place: -1,
    id,
    kind,
    policy,
    createdAt,
    input,
    state: 'IN_QUEUE',
    startedAt: null,
    finishedAt: null,
    workerId: null,
    output: undefined,
    error: null,
    chunks: null,
    delivered: 0,
    watchers: null,
  };
}

/** Wakes those that wait for a change of the job. */
export function changed(job: Job): void {
  if (job.watchers) for (const watcher of [...job.watchers]) watcher();
}

/** Whole milliseconds spent in the queue and at work, as far as the job got. */
function times(job: Job): { delayTime?: number; executionTime?: number } {
  if (job.startedAt === null) return {};
  const delayTime = Math.round(job.startedAt - job.createdAt);
  if (job.finishedAt === null) return { delayTime };
  return { delayTime, executionTime: Math.round(job.finishedAt - job.startedAt) };
}

/** The record of status, status-sync, runsync and cancel. */
export function record(job: Job): Record<string, unknown> {
  return {
    ...times(job),
    id: job.id,
    ...(job.state === 'COMPLETED' ? { output: job.output ?? null } : {}),
    ...(job.error === null ? {} : { error: job.error }),
    status: job.state,
    ...(job.workerId === null ? {} : { workerId: job.workerId }),
  };
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Of an error: a page of them must not be longer than a text can be. */
const LISTED_CHARACTERS = 1000;

/** One row of the request list. */
export function summary(job: Job): Record<string, unknown> {
  return {
    id: job.id,
    status: job.state,
    createdAt: iso(job.createdAt),
    startedAt: iso(job.startedAt),
    completedAt: iso(job.finishedAt),
    ...times(job),
    ...(job.error === null ? {} : { error: job.error.slice(0, LISTED_CHARACTERS) }),
  };
}
