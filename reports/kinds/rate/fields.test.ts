/** What refusals announce, beside limiters that keep their word and such that don't. */
import { expect, test } from 'vitest';
import { logOfAll } from '../../../scenarios/testing/limiters.ts';
import { probed, probeOf } from '../../../scenarios/testing/rate-probed.ts';
import { type Limiter, slidingLog } from '../../../scenarios/testing/rate-simulation.ts';
import { limitFor } from '../../../schemas/limits.ts';
import { judgeFields, judgeRetryAfter } from './fields.ts';

const row = limitFor('requests', 'cancel');
if (!row) throw new Error('no rate limit for cancel');
const { value, windowMs } = row;

function seen(limiter: Limiter, says: (admitted: boolean) => string) {
  const facts = probed(probeOf(row as NonNullable<typeof row>), limiter, { says });
  return { retryAfter: judgeRetryAfter(facts, facts.overflow.refused), fields: judgeFields(facts) };
}

const log = () => slidingLog(value, windowMs);
const onRefusal = (text: string) => (admitted: boolean) => (admitted ? '' : text);

test.each<[string, string, string]>([
  ['a whole window', 'retry-after: 10', 'holds'],
  ['too soon', 'retry-after: 1', 'broken'],
  ['now', 'retry-after: 0', 'broken'],
  ['nothing', '', 'noted'],
  ["what can't be read", 'retry-after: later', 'noted'],
  ['longer than anybody waited', 'retry-after: 3600', 'noted'],
])('Retry-After shows %s', (_, says, verdict) => {
  expect(seen(log(), onRefusal(says)).retryAfter.verdict).toBe(verdict);
});

test('a limiter that counts refused requests is obeyed by silence alone, so nothing is held against it', () => {
  const { retryAfter } = seen(logOfAll(value, windowMs), onRefusal('retry-after: 10'));
  expect(retryAfter.verdict).not.toBe('broken');
});

test.each<[string, string, string, string]>([
  ['what is enforced', 'ratelimit: "a";r=0;t=10\nratelimit-policy: "a";q=100;w=10', 'holds', '100 per 10 s'],
  ['another quota', 'ratelimit: "a";r=0;t=10\nratelimit-policy: "a";q=60;w=10', 'broken', '60 per 10 s'],
  ['another window', 'ratelimit-policy: 100;w=60', 'broken', '100 per 60 s'],
  ['one policy of several', 'ratelimit-policy: 5000;w=3600, 100;w=10', 'holds', '5,000 per 3,600 s'],
  ['that something is left', 'x-ratelimit-limit: 100\nx-ratelimit-remaining: 3', 'broken', 'up to 3'],
  ['a reset that is too soon', 'x-ratelimit-limit: 100\nx-ratelimit-reset: 1', 'broken', 'after the reset'],
  ['nothing', 'retry-after: 10', 'noted', 'no RateLimit fields'],
])('RateLimit fields show %s', (_, says, verdict, words) => {
  const { fields } = seen(log(), onRefusal(says));
  expect([fields.verdict, fields.observed]).toEqual([verdict, expect.stringContaining(words)]);
});

test('fields of answers that were admitted are compared too', () => {
  const { fields } = seen(log(), (admitted) => (admitted ? 'ratelimit-limit: 60' : ''));
  expect(fields.verdict).toBe('broken');
});
