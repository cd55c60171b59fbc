/**
 * The states of a job and the moves between them. The spec names none (part 3); these are the ones every client of this
 * family of services knows.
 */

export type JobState = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

const moves: Readonly<Record<JobState, readonly JobState[]>> = {
  IN_QUEUE: ['IN_PROGRESS', 'CANCELLED', 'TIMED_OUT'],
  IN_PROGRESS: ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: [],
  TIMED_OUT: [],
};

export const jobStates = Object.keys(moves) as readonly JobState[];

/** A final state is never left again. */
export function isFinal(state: JobState): boolean {
  return moves[state].length === 0;
}

export function canMove(from: JobState, to: JobState): boolean {
  return moves[from].includes(to);
}
