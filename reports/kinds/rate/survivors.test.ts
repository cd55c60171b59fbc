/** What limiters are called: the numbers stand behind the kind, and what is said of the kind behind the numbers. */
import { expect, test } from 'vitest';
import type { RateSurvivor } from '../../../schemas/facts.ts';
import { keeps, survivorText } from './survivors.ts';

const row = { value: 100, windowMs: 10_000 };
const survivor = (
  algorithm: RateSurvivor['algorithm'],
  name: string,
  more: Partial<RateSurvivor> = {},
): RateSurvivor => ({
  algorithm,
  name,
  value: { lower: 100, upper: 100 },
  windowMs: { lower: 10_000, upper: 10_000 },
  enforces: true,
  ...more,
});

test.for<[string, RateSurvivor]>([
  ['a sliding log of 100 per 10 s', survivor('sliding-log', 'sliding log')],
  [
    'a fixed window of 100 per 10 s that begins with a request',
    survivor('fixed-window', 'fixed window that begins with a request'),
  ],
  [
    'a sliding log of 100 per 10 s, by a clock with steps of 1 s',
    survivor('sliding-log', 'sliding log, by a clock with steps of 1 s'),
  ],
  [
    'a token bucket of 100, refilled with 100 per 10 s, full again after a pause (2 s to 2.5 s)',
    survivor('token-bucket', 'token bucket, full again after a pause', { pauseMs: { lower: 2000, upper: 2500 } }),
  ],
])('%s', ([text, one]) => {
  expect(survivorText(one, row)).toBe(text);
});

test('one that lets more through keeps no limit; where it differs in two ways that is open', () => {
  const more = survivor('fixed-window', 'fixed window', { value: { lower: 101, upper: 101 } });
  const shorter = survivor('blocking', 'block after the first excess', { windowMs: { lower: 5000, upper: 5100 } });
  expect([more, shorter].map((one) => keeps(one, row))).toEqual(['no', 'no']);
  const twice = [more, shorter].map((one): RateSurvivor => ({ ...one, differsTwice: true }));
  expect(twice.map((one) => keeps(one, row))).toEqual(['open', 'open']);
});
