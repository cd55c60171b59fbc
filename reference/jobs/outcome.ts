/** What a worker's result makes of its job: the final state, and the error its record shows. */
import type { Job } from './job.ts';
import type { JobState } from './states.ts';
import type { WorkResult } from './worker.ts';

export type FailureDetail = 'message' | 'exception';

/**
 * `message`: the exception's words. `exception`: a JSON text with the fields that workers of this family of services
 * report. The traceback says what failed but not where: the files of this machine are nobody's business.
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
