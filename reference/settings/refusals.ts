/** Rows: how limits are counted, and what a refusal looks like. The numbers themselves are in limit-rows.ts. */
import { limiterKinds } from '../options.ts';
import type { Rows } from './row.ts';
import { choice, onOff, orElse, whole } from './takes.ts';

const DEEPEST_JSON = 10_000;

export const refusals = {
  limiter: {
    takes: choice(...limiterKinds),
    meaning:
      'How rates are counted: an exact sliding log, fixed windows on the clock, a sliding counter (the count of this ' +
      'window and a share of the last one), a token bucket, or not at all.',
    fills: ['8.2'],
    shorthand: '--limiter KIND',
  },
  windowPhaseMs: {
    takes: whole({ unit: 'ms' }),
    meaning: 'Where the windows of the fixed and the counter limiter begin, after a multiple of their length.',
    fills: ['8.2'],
  },
  payloadReading: {
    takes: choice('decimal', 'binary'),
    meaning: 'Whether a documented megabyte is a decimal or a binary one, where a payload limit has no value set.',
    fills: ['run.payload', 'runsync.payload'],
  },
  inferencePayloadBytes: {
    takes: whole({ unit: 'bytes', min: 1 }),
    meaning: 'The largest body of interface A.',
    fills: ['gap.inference-payload'],
  },
  oversizeStatus: {
    takes: choice(413, 400),
    meaning: 'The status for a body that is too large.',
    fills: ['gap.other-errors'],
  },
  maxJsonDepth: {
    takes: whole({ unit: 'levels', min: 1, max: DEEPEST_JSON }),
    meaning: 'The deepest nesting of a JSON body; beyond it the answer is 400.',
    fills: ['gap.other-errors', 'gap.inference-errors', 'gap.inference-request-fields', 'gap.submission-body'],
  },
  queueMeasured: {
    takes: choice('before', 'after'),
    meaning: 'Whether the queue rule looks at the queue before or after the new job is in it.',
    fills: ['run.queue', 'runsync.queue'],
  },
  queuePerWorker: {
    takes: orElse(whole({ unit: 'jobs' }), null),
    meaning: 'Jobs per worker of the queue rule; null for the documented number.',
    fills: ['run.queue', 'runsync.queue'],
  },
  retryAfterSeconds: {
    takes: whole({ unit: 's', min: 1 }),
    meaning: 'Retry-After of a refusal for concurrency or the queue; a rate limit knows better.',
    fills: ['gap.error-headers'],
  },
  rateLimitHeaders: {
    takes: onOff,
    meaning:
      'Whether every answer says what is left of its limit: x-ratelimit-* on interface A, RateLimit fields on B.',
    fills: ['gap.models-response', 'gap.chat-response', 'gap.health-response'],
  },
} satisfies Partial<Rows>;
