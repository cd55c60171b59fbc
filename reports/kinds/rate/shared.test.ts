/** What is said of operations that share a rate limit, on a service that counts or refuses only some of them. */
import { expect, test } from 'vitest';
import { type Limiter, slidingLog } from '../../../scenarios/testing/rate-simulation.ts';
import { rateLimit, verdicts } from './testing/verdicts.ts';

test('siblings that are refused with the first operation and do not count leave open whether they share its limit', () => {
  const { value, windowMs, operations } = rateLimit('status');
  const log = slidingLog(value, windowMs);
  let isFull = false;
  const limiter: Limiter = (atMs, operation) => {
    if (operation === operations[0]) isFull = !log(atMs);
    return !isFull;
  };
  const seen = verdicts({ budget: 'status', limiter });
  expect(seen.facts.siblings.every(({ sent, refused }) => refused === sent)).toBe(true);
  expect(seen.shared).toBe('inconclusive');
  expect(seen.claim('shared')?.reason).toContain('may not count');
});

test('siblings that count and are never refused do not pass', () => {
  const { value, windowMs, operations } = rateLimit('status');
  const log = slidingLog(value, windowMs);
  const limiter: Limiter = (atMs, operation) => log(atMs) || operation !== operations[0];
  expect(verdicts({ budget: 'status', limiter }).shared).not.toBe('holds');
});

test('siblings with limits of their own are found', () => {
  const { value, windowMs } = rateLimit('status');
  const own = new Map<string, Limiter>();
  const limiter: Limiter = (atMs, operation = '') => {
    const log = own.get(operation) ?? slidingLog(value, windowMs);
    own.set(operation, log);
    return log(atMs);
  };
  expect(verdicts({ budget: 'status', limiter }).shared).toBe('broken');
});
