/** One worker at one job: runs the handler until it ends, fails, or one of the job's two deadlines passes. */
import type { Client } from '../client.ts';
import type { Clock } from '../clock.ts';
import type { Handler } from './handler.ts';
import type { Job } from './job.ts';
import type { JobState } from './states.ts';

// What a worker's result makes of its job: the final state, and the error its record shows.

export type FailureDetail = 'message' | 'exception';

/**
 * `message`: the text of the exception. `exception`: a JSON text with the fields that workers of this family of
 * services report. The traceback says what failed but not where: it must not show files of this machine.
 */
function failure(error: unknown, detail: FailureDetail, workerId: string | null): string {
  const message = error instanceof Error ? error.message : String(error);
  if (detail === 'message') return message;
  const type = error instanceof Error ? error.name : typeof error;
  return JSON.stringify({
    error_type: type,
    error_message: message,
    error_traceback: `${type}: ${message}\n    at handler`,
    hostname: `worker-${workerId}`,
    worker_id: workerId,
  });
}

export function outcomeOf(
  result: WorkResult,
  job: Pick<Job, 'workerId'>,
  detail: FailureDetail,
): { state: JobState; error: string | null } {
  switch (result.kind) {
    case 'completed':
      return { state: 'COMPLETED', error: null };
    case 'failed':
      return { state: 'FAILED', error: failure(result.error, detail, job.workerId) };
    case 'execution-timeout':
      return { state: 'TIMED_OUT', error: 'job timed out: executionTimeout reached' };
    case 'ttl-expired':
      return { state: 'TIMED_OUT', error: 'job timed out: ttl reached' };
    case 'stopped':
      return { state: 'CANCELLED', error: null };
  }
}

export type WorkResult =
  | { readonly kind: 'completed'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'execution-timeout' }
  | { readonly kind: 'ttl-expired' }
  | { readonly kind: 'stopped' };

class Deadline {
  readonly result: WorkResult;
  constructor(result: WorkResult) {
    this.result = result;
  }
}

/**
 * Works on a started job until it ends or is stopped. `onChunk` is called for every chunk the handler yields. The
 * deadlines need no timers of their own: a handler spends time only by sleeping, and no sleep goes beyond the nearer of
 * the two.
 */
export async function work(
  job: Job,
  handler: Handler,
  clock: Clock,
  wanted: Client,
  onChunk: (chunk: unknown) => void,
): Promise<WorkResult> {
  const executionEnd = (job.startedAt ?? clock.now()) + job.policy.executionTimeoutMs;
  const ttlEnd = job.createdAt + job.policy.ttlMs;
  const end = Math.min(executionEnd, ttlEnd);
  const sleep = async (ms: number): Promise<void> => {
    const left = end - clock.now();
    await clock.sleep(Math.min(ms, left), wanted.signal);
    if (ms >= left) throw new Deadline({ kind: executionEnd <= ttlEnd ? 'execution-timeout' : 'ttl-expired' });
  };
  try {
    const steps = handler(job.input, sleep);
    for (;;) {
      const step = await steps.next();
      if (wanted.gone) return { kind: 'stopped' };
      if (step.done) return { kind: 'completed', output: step.value };
      onChunk(step.value);
    }
  } catch (error) {
    if (wanted.gone) return { kind: 'stopped' };
    if (error instanceof Deadline) return error.result;
    return { kind: 'failed', error };
  }
}
