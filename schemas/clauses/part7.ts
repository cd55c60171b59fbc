/**
 * Part 7 of the documentation: errors. The queue rule itself is a row of the limits table; the shape of an error is
 * left open, and clients rely on it.
 */
import { operations } from '../operations.ts';
import { type Clause, COMPLETING, INFERENCE, section } from './clause.ts';
import { AGAIN, type Breaks, each } from './clients.ts';

const { convention, gap, habit } = section('7');

const ALL = operations.map((one) => one.id);
const JOBS = operations.filter((one) => one.interface === 'jobs').map((one) => one.id);
const BY_JOB = ['status', 'status-sync', 'stream', 'cancel'] as const;

/** The clients of interface B throw at any refusal; what they can't see is that a success is none. */
const NEVER_REFUSED: Breaks = {
  'runpod-sdk (npm)': 'polls a job that does not exist for ever',
  'runpod (Python)': 'learns only from a refusal that there is nothing to wait for',
};

export const part7: readonly Clause[] = [
  gap('queue-counts-new', 'Whether a new job counts itself when it is held against the length of the queue.', [
    'run',
    'runsync',
  ]),
  gap('other-errors', 'Every error status of interface B but the one for a full queue.', JOBS),
  gap('inference-errors', 'Every error status of interface A.', INFERENCE),
  gap('error-body', 'The shape of an error body of interface B.', JOBS),
  gap('inference-error-body', 'The shape of an error body of interface A.', INFERENCE),
  gap('error-headers', 'What an error says in its headers.', ['models', 'status']),
  gap('methods', 'What methods get that the tables do not name.', ['models', 'health', 'requests']),
  convention(
    'inference.error-envelope',
    'An error of interface A is an object error with a message.',
    'the shape of an error body is not documented',
    {
      '@ai-sdk/openai-compatible': 'shows its user the words of the status instead of the reason',
      'openai (npm)': 'shows the whole body, or nothing, instead of the reason',
      'openai (Python)': 'shows the whole body, or nothing, instead of the reason',
    },
    INFERENCE,
  ),
  habit('jobs.error-envelope', 'An error of interface B is a JSON object with a string error.', JOBS),
  convention(
    'jobs.unknown-job',
    'An unknown job id is refused for good: a 4xx, usually 404.',
    'no error status but the 429 of the queue is documented',
    NEVER_REFUSED,
    BY_JOB,
  ),
  convention(
    'jobs.unknown-instance',
    'An instance that does not exist is refused for good: a 4xx, usually 404.',
    'no error status but the 429 of the queue is documented',
    {
      'runpod-sdk (npm)': 'waits for ever for jobs that it believes to be queued at a mistyped endpoint',
      'runpod (Python)': 'waits for ever for jobs that it believes to be queued at a mistyped endpoint',
    },
    JOBS,
  ),
  convention(
    'jobs.foreign-job',
    'A job is known to its own instance only.',
    'the path implies it, but the documentation does not say so',
    each(
      'requests jobs below an endpoint: with an id of another one it mistakes the result of another handler for its own',
      'runpod-sdk (npm)',
      'runpod (Python)',
      'runpod-go',
    ),
    ['status', 'status-sync', 'stream', 'cancel'],
  ),
  habit('errors.method', 'A method that an operation does not have gets 405 or 404.', ALL),
  convention(
    'errors.route',
    'A path that does not exist is refused with a 4xx, which is usually 404.',
    'no error status but the 429 of the queue is documented',
    AGAIN,
    ['models', 'run'],
  ),
  convention(
    'errors.malformed-json',
    'A body that is not JSON gets 400 or 422.',
    'no error status but the 429 of the queue is documented',
    AGAIN,
    COMPLETING,
  ),
  convention(
    'errors.missing-field',
    'A body without a needed field gets 400 or 422.',
    'no error status but the 429 of the queue is documented',
    AGAIN,
    COMPLETING,
  ),
  convention(
    'inference.invalid-value',
    'A field of the wrong type is made out somehow or refused for good with a 4xx; without messages or prompt, refused.',
    'the documentation does not say which values are valid',
    AGAIN,
    COMPLETING,
  ),
  convention(
    'inference.unknown-model',
    'A model that does not exist gets 404, 400 or 422.',
    'no error status but the 429 of the queue is documented',
    AGAIN,
    COMPLETING,
  ),
  habit('jobs.bad-submission', 'A submission that is not JSON or has no input gets 400.', ['run', 'runsync']),
];
