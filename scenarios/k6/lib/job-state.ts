/** What an answer about jobs says, from its text: ids, states and counts are read as the contract checks read them. */
import { countedJobs, isFinal, type JobState, jobIdOf, stateOf } from '../../../schemas/job-answer.ts';
import { bodyIn } from '../../../schemas/json.ts';

/** Where queued and running jobs are not told apart, a probe can rest on neither. */
export function jobState(body: string): JobState {
  const state = stateOf(bodyIn(body));
  return state === 'unfinished' ? 'unknown' : state;
}

/** The id of a submitted job; null when the answer names none. */
export const jobIdIn = (body: string): string | null => jobIdOf(bodyIn(body) ?? body);

export const hasEnded = (body: string): boolean => isFinal(jobState(body));

/**
 * Of a job that was queued before a purge. It may be cancelled, ended some other way or unknown. One that has run in
 * the meantime was neither queued nor cleared, and a response without its state shows nothing.
 */
export function afterPurge(status: number, body: string): 'cleared' | 'queued' | 'unknown' {
  if (status === 404 || status === 410) return 'cleared';
  const state = jobState(body);
  if (state === 'queued') return 'queued';
  return isFinal(state) && state !== 'completed' ? 'cleared' : 'unknown';
}

/** Jobs waiting in the queue by health, as text; empty when it has no count. */
export const queuedJobs = (body: string): string => String(countedJobs(bodyIn(body), 'queued') ?? '');
