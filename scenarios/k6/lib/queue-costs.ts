/**
 * How long a queue script polls and how often, and so what that costs at most: the plan announces it. Pure, since the
 * planner has no k6.
 */

/** How long a cancelled job gets to leave the queue, by a count that may be some seconds old, and how often to poll. */
export const FREE_PATIENCE_MS = 10_000;
export const FREE_POLL_EVERY_MS = 500;
const FREE_POLLS = 1 + Math.ceil(FREE_PATIENCE_MS / FREE_POLL_EVERY_MS);
/** Polls that taking one job out costs at most: by health, or where that has no count by its status. */
export const FREE_REQUESTS = { health: 2 * FREE_POLLS, status: FREE_POLLS };

/** How long a freed worker gets to take the next job, and how often to poll. */
export const TAKE_PATIENCE_MS = 3000;
export const TAKE_POLL_EVERY_MS = 100;
/** How long after its time a job gets to end, and how often to poll. */
export const END_PATIENCE_MS = 5000;
export const END_POLL_EVERY_MS = 200;
/** Jobs that are polled before the purge: whether they wait as they should. */
export const SAMPLES = 3;
/** At a job of ours that was cancelled: whether the target knows of it before the purge, and at the end. */
const WITNESS_POLLS = 2;
/** Of the jobs that were still queued right after the purge, so many are polled again. */
export const AGAIN_MOST = 40;

/**
 * Submissions to another endpoint while this one is full, as many as distinguish a refusal from an accident, and one
 * later.
 */
export const RUNS_ELSEWHERE = { meanwhile: 3, later: 1 };

/** Polls of jobs around a purge, in addition to those of the purged ones. */
export function pollsAround(finisherMs: number): number {
  const taking = 1 + Math.ceil(TAKE_PATIENCE_MS / TAKE_POLL_EVERY_MS);
  const ending = 1 + Math.ceil((finisherMs + END_PATIENCE_MS) / END_POLL_EVERY_MS);
  return 1 + SAMPLES + AGAIN_MOST + WITNESS_POLLS + taking + ending;
}
