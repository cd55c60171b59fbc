/** Part 3 of the documentation, which leaves the states of a job open. */
import { type Clause, section } from './clause.ts';

const { convention, gap } = section('3');

export const part3: readonly Clause[] = [
  gap('job-states', 'The names of job states.', ['status']),
  gap('job-moves', 'Which state of a job follows which.', ['status', 'cancel', 'purge-queue']),
  convention(
    'jobs.states',
    'A job is IN_QUEUE, then IN_PROGRESS, and ends as COMPLETED, FAILED, CANCELLED or TIMED_OUT.',
    'no state is named',
    {
      'runpod-sdk (npm)': 'polls for ever, since it knows an end only by these names',
      'runpod (Python)': 'polls for ever, since it knows an end only by these names',
      'runpod-go': 'polls for ever, since it knows an end only by these names',
    },
    ['run', 'runsync', 'status', 'status-sync', 'stream', 'cancel'],
  ),
  convention(
    'jobs.final-state-stays',
    'A job that has ended keeps its state and its output.',
    'no state is named; that a result stays the same is documented with status',
    {
      'runpod-sdk (npm)': 'stops polling at the first final state: later states are never seen',
      'runpod (Python)': 'requests the output after it has seen the end, and gets another one',
    },
    ['status', 'status-sync', 'cancel'],
  ),
  convention(
    'jobs.failure',
    'A handler that fails ends its job as failed and says why.',
    'the documentation knows no failure of a job',
    {
      'runpod-sdk (npm)': 'mistakes a failed job for a complete one, or polls for ever',
      'runpod (Python)': 'mistakes a failed job for a complete one, or polls for ever',
      'runpod-go': 'returns an error field that stays empty',
    },
    ['run', 'runsync', 'status'],
  ),
];
