/** Jobs that a script needs before its load: one that is finished, or some that keep the workers busy. */
import type { JobState } from '../../../schemas/job-answer.ts';
import { type Addresses, outgoing, slowJob } from '../../execute/requests.ts';
import { now, sleepUntil } from './clock.ts';
import { type Answer, send } from './http.ts';
import { jobIdIn, jobState } from './job-state.ts';
import { recordOwnJob } from './ledger.ts';

/** Milliseconds between two polls of a job, so that following one spends little of the rate limit of `status`. */
const POLL_EVERY_MS = 500;

/** Submits with `run`; null when the answer named no job. */
export function submit(addresses: Addresses, phase: string, body?: string): string | null {
  const request = outgoing(addresses, 'run', body === undefined ? {} : { body });
  return jobIdIn(send(request, { phase, keepBody: true }).body);
}

/** Submits a job that takes `delayMs` and leaves word of it for the case that this process is stopped. */
export function submitSlow(addresses: Addresses, phase: string, delayMs: number): string | null {
  const jobId = submit(addresses, phase, slowJob(addresses, delayMs));
  if (jobId !== null) recordOwnJob(jobId);
  return jobId;
}

function askStatus(addresses: Addresses, phase: string, jobId: string, note?: (state: JobState) => string): Answer {
  return send(outgoing(addresses, 'status', { jobId }), {
    phase,
    keepBody: true,
    ...(note ? { note: ({ body }) => note(jobState(body)) } : {}),
  });
}

export const readStatus = (...asked: Parameters<typeof askStatus>): JobState => jobState(askStatus(...asked).body);

/**
 * Polls until the job no longer waits, or `patienceMs` are over: false. One that isn't found yet waits as well, as in a
 * service that reads its jobs from a copy.
 */
export function awaitStart(addresses: Addresses, jobId: string, patienceMs: number): boolean {
  const until = now() + patienceMs;
  const waits = (): boolean => {
    const { status, body } = askStatus(addresses, 'setup', jobId);
    return status === 404 || jobState(body) === 'queued';
  };
  while (waits()) {
    if (now() + POLL_EVERY_MS > until) return false;
    sleepUntil(now() + POLL_EVERY_MS);
  }
  return true;
}
