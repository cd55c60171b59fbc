/**
 * Part 7 of the documentation: errors. The queue rule itself is a row of the limits table; what an error looks like is
 * left open and is what clients have come to rely on.
 */
import { operations } from '../operations.ts';
import { type Clause, convention, gap } from './clause.ts';

const INFERENCE = ['models', 'chat', 'completions'] as const;
const JOBS = operations.filter((one) => one.interface === 'jobs').map((one) => one.id);
const BY_JOB = ['status', 'status-sync', 'stream', 'cancel'] as const;

export const part7: readonly Clause[] = [
  gap('7', 'other-errors', 'Every error status but the one for a full queue.'),
  gap('7', 'error-body', 'The shape of an error body.'),
  convention('7', 'inference.error-envelope', 'An error of interface A is an object error with a message.', INFERENCE),
  convention('7', 'jobs.error-envelope', 'An error of interface B is a JSON object with a string error.', JOBS),
  convention('7', 'jobs.unknown-job', 'A job id that was never given out gets 404.', BY_JOB),
  convention('7', 'jobs.unknown-instance', 'An instance that does not exist gets 404.', JOBS),
  convention('7', 'jobs.foreign-job', 'A job is known to its own instance only.', ['status']),
  convention('7', 'errors.method', 'A method that an operation does not have gets 405 or 404.'),
  convention('7', 'errors.route', 'A path that does not exist gets 404.'),
  convention('7', 'errors.malformed-json', 'A body that is not JSON gets 400.', [
    'chat',
    'completions',
    'run',
    'runsync',
  ]),
  convention('7', 'errors.missing-field', 'A body without a needed field gets 400.', [
    'chat',
    'completions',
    'run',
    'runsync',
  ]),
  convention('7', 'inference.invalid-value', 'A field of the wrong type gets 400.', ['chat', 'completions']),
  convention('7', 'inference.unknown-model', 'A model that does not exist gets 404.', ['chat', 'completions']),
];
