/** Part 3 of the documentation, which leaves the states of a job open. */
import { type Clause, convention, gap } from './clause.ts';

export const part3: readonly Clause[] = [
  gap('3', 'job-states', 'The names of job states and the moves between them.', ['status']),
  convention(
    '3',
    'jobs.states',
    'A job is IN_QUEUE, then IN_PROGRESS, and ends as COMPLETED, FAILED, CANCELLED or TIMED_OUT.',
    ['run', 'runsync', 'status', 'status-sync', 'stream', 'cancel'],
  ),
  convention('3', 'jobs.final-state-stays', 'A job that has ended keeps its state and its output.', [
    'status',
    'status-sync',
    'cancel',
  ]),
  convention('3', 'jobs.failure', 'A handler that fails ends its job as failed and says why.', [
    'run',
    'runsync',
    'status',
  ]),
];
