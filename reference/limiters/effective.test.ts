import { expect, test } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { defaultOptions } from '../options.ts';
import { limiterKinds } from '../settings/refusals.ts';
import { concurrencyOf, payloadOf, queueLimitOf, rateLimiterFor, retentionOf } from './effective.ts';

const defaults = defaultOptions({});

test('without overrides every value is the one of the table', () => {
  for (const limit of limits) {
    switch (limit.kind) {
      case 'concurrent-requests':
        expect(concurrencyOf(defaults, limit.budget)).toBe(limit.value);
        break;
      case 'retention':
        expect(retentionOf(defaults, limit.budget)).toBe(limit.value);
        break;
      case 'queue':
        expect(queueLimitOf(defaults, limit.budget)).toEqual(limit);
        break;
      case 'content-bytes':
        expect(payloadOf(defaults, limit.budget)).toBe(limit.upperReading);
        expect(payloadOf({ ...defaults, payloadReading: 'decimal' }, limit.budget)).toBe(limit.value);
        break;
      case 'requests': {
        const [operation] = limit.operations;
        const limiter = rateLimiterFor(defaults, operation ?? 'run', limit.budget);
        const burst = Array.from({ length: limit.value + 1 }, () => limiter.take(0).admitted);
        expect(burst.filter(Boolean)).toHaveLength(limit.value);
        expect(limiter.take(limit.windowMs).admitted).toBe(true);
      }
    }
  }
});

test('every limit can be switched off', () => {
  const off = { ...defaults, limits: Object.fromEntries(limits.map((limit) => [limit.id, 'off' as const])) };
  const infinite = Number.POSITIVE_INFINITY;
  expect(concurrencyOf(off, 'run')).toBe(infinite);
  expect(concurrencyOf(off, 'inference')).toBe(infinite);
  expect(payloadOf(off, 'run')).toBe(infinite);
  expect(retentionOf(off, 'runsync')).toBe(infinite);
  expect(queueLimitOf(off, 'run')).toBeNull();
  const limiter = rateLimiterFor(off, 'run', 'run');
  for (let count = 0; count < 5000; count += 1) expect(limiter.take(0).admitted).toBe(true);
});

test('every limit can have another value, and a rate another window', () => {
  const other = {
    ...defaults,
    limits: { 'run.rate': 3, 'run.concurrency': 4, 'run.payload': 5, 'run.queue': 6, 'run.retention': 7 },
    windows: { 'run.rate': 100 },
  };
  expect(concurrencyOf(other, 'run')).toBe(4);
  expect(payloadOf(other, 'run')).toBe(5);
  expect(queueLimitOf(other, 'run')).toMatchObject({ value: 6, perWorker: 500 });
  expect(retentionOf(other, 'run')).toBe(7);
  const limiter = rateLimiterFor(other, 'run', 'run');
  expect([0, 0, 0, 0, 100].map((time) => limiter.take(time).admitted)).toEqual([true, true, true, false, true]);
});

test.for(limiterKinds)('the %s limiter can be chosen', (limiter) => {
  const made = rateLimiterFor({ ...defaults, limiter }, 'purge-queue', 'purge-queue');
  const burst = [0, 0, 0].map((time) => made.take(time).admitted);
  expect(burst).toEqual(limiter === 'off' ? [true, true, true] : [true, true, false]);
});

test('an operation without a limit in the table is not limited', () => {
  const limiter = rateLimiterFor(defaults, 'health', null);
  for (let count = 0; count < 5000; count += 1) expect(limiter.take(0).admitted).toBe(true);
  expect(concurrencyOf(defaults, null)).toBe(Number.POSITIVE_INFINITY);
  expect(concurrencyOf(defaults, 'purge-queue')).toBe(Number.POSITIVE_INFINITY);
  expect(queueLimitOf(defaults, 'cancel')).toBeNull();
});
