/** One job, and how it is shown to clients. */
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

export interface Job {
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
  readonly chunks: unknown[];
  /** How many chunks streams have handed out. */
  delivered: number;
  /** Called after every change; each waiting request has one. */
  readonly watchers: Set<() => void>;
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

/** One row of the request list. */
export function summary(job: Job): Record<string, unknown> {
  return {
    id: job.id,
    status: job.state,
    createdAt: iso(job.createdAt),
    startedAt: iso(job.startedAt),
    completedAt: iso(job.finishedAt),
    ...times(job),
    ...(job.error === null ? {} : { error: job.error }),
  };
}
