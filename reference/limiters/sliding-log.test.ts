/** The sliding log against its definition. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slidingLog } from './sliding-log.ts';
import { admittedTimes, cases, EPOCH_MS, fullestWindow, GRAIN_MS, grains, thinned } from './testing/arrivals.ts';

test('admits exactly when fewer than the limit were admitted in the window that ends now', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, times }) => {
      const limiter = slidingLog(limit, windowMs);
      const admitted: bigint[] = [];
      for (const time of times) {
        const inside = admitted.filter((one) => grains(time) - one < grains(windowMs)).length;
        expect(limiter.take(time).admitted).toBe(inside < limit);
        if (inside < limit) admitted.push(grains(time));
      }
    }),
  );
});

test('bound: no window holds more than the limit', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, times }) => {
      expect(fullestWindow(admittedTimes(slidingLog(limit, windowMs), times), windowMs)).toBeLessThanOrEqual(limit);
    }),
  );
});

test('guarantee: a client that never has more than the limit in any window is never refused', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, times }) => {
      const within = thinned(times, limit, windowMs);
      expect(admittedTimes(slidingLog(limit, windowMs), within)).toEqual(within);
    }),
  );
});

test('the window ends to the grain: a request a whole window later is admitted, one a grain earlier is not', () => {
  for (const start of [0, 0.5, EPOCH_MS, EPOCH_MS + 123.25]) {
    const limiter = slidingLog(2, 10_000);
    expect(admittedTimes(limiter, [start, start + 1])).toHaveLength(2);
    expect(limiter.take(start + 10_000 - GRAIN_MS)).toEqual({ admitted: false, retryAfterMs: GRAIN_MS });
    expect(admittedTimes(limiter, [start + 10_000, start + 10_000, start + 10_001])).toEqual([
      start + 10_000,
      start + 10_001,
    ]);
  }
});
