/** Rows: how limits are counted, and the form of a refusal. The numbers themselves are in limit-rows.ts. */
import { row } from './row.ts';
import { choice, onOff, orElse, whole } from './takes.ts';

export const limiterKinds = ['sliding', 'fixed', 'counter', 'token', 'off'] as const;

const DEEPEST_JSON = 10_000;

export const refusals = {
  limiter: row(
    choice(...limiterKinds),
    'sliding',
    'How rates are counted: an exact sliding log, fixed windows on the clock, a sliding counter (the count of this ' +
      'window and a share of the last one), a token bucket, or not at all.',
    ['8.2'],
    { shorthand: '--limiter KIND' },
  ),
  windowPhaseMs: row(
    whole({ unit: 'ms' }),
    0,
    'Where the windows of the fixed and the counter limiter begin, after a multiple of their length.',
    ['8.2'],
  ),
  payloadReading: row(
    choice('decimal', 'binary'),
    'binary',
    'Whether a documented megabyte is a decimal or a binary one, where a payload limit has no value set.',
    ['run.payload', 'runsync.payload'],
  ),
  inferencePayloadBytes: row(whole({ unit: 'bytes', min: 1 }), 20 * 1024 * 1024, 'The largest body of interface A.', [
    'gap.inference-payload',
  ]),
  oversizeStatus: row(choice(413, 400), 413, 'The status for a body that is too large.', ['gap.other-errors']),
  maxJsonDepth: row(
    whole({ unit: 'levels', min: 1, max: DEEPEST_JSON }),
    1000,
    'The deepest nesting of a JSON body; beyond it the answer is 400.',
    ['gap.other-errors', 'gap.inference-errors', 'gap.inference-request-fields', 'gap.submission-body'],
  ),
  queueMeasured: row(
    choice('before', 'after'),
    'before',
    'Whether the queue rule counts the queue before or after the new job is in it.',
    ['run.queue', 'runsync.queue'],
  ),
  queuePerWorker: row(
    orElse(whole({ unit: 'jobs' }), null),
    null,
    'Jobs per worker of the queue rule; null for the documented number.',
    ['run.queue', 'runsync.queue'],
  ),
  retryAfterSeconds: row(
    whole({ unit: 's', min: 1 }),
    1,
    'Retry-After of a refusal for concurrency or the queue; a rate limit knows better.',
    ['gap.error-headers'],
  ),
  rateLimitHeaders: row(
    onOff,
    true,
    'Whether every answer says what is left of its limit: x-ratelimit-* on interface A, RateLimit fields on B.',
    ['gap.models-response', 'gap.chat-response', 'gap.health-response'],
  ),
};
