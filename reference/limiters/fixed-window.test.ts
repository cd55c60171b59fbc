/** The fixed window against its definition. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedWindow } from './fixed-window.ts';
import { admittedTimes, cases, EPOCH_MS, fullestWindow, GRAIN_MS, grains, thinned } from './testing/arrivals.ts';

/** Which window of the clock a moment lies in, reckoned in whole grains; never below the clock's zero. */
function windowOf(time: number, windowMs: number, phaseMs: number): bigint {
  return (grains(time) - grains(phaseMs) + grains(windowMs)) / grains(windowMs);
}

test('admits exactly when fewer than the limit were admitted between the two ticks around now', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, phaseMs, times }) => {
      const limiter = fixedWindow(limit, windowMs, phaseMs);
      const counts = new Map<bigint, number>();
      for (const time of times) {
        const window = windowOf(time, windowMs, phaseMs);
        const count = counts.get(window) ?? 0;
        expect(limiter.take(time).admitted).toBe(count < limit);
        if (count < limit) counts.set(window, count + 1);
      }
    }),
  );
});

test('bound: the limit between two ticks, twice the limit in a window that begins anywhere', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, phaseMs, times }) => {
      const admitted = admittedTimes(fixedWindow(limit, windowMs, phaseMs), times);
      const counts = new Map<bigint, number>();
      for (const time of admitted) {
        const window = windowOf(time, windowMs, phaseMs);
        counts.set(window, (counts.get(window) ?? 0) + 1);
      }
      expect(Math.max(...counts.values())).toBeLessThanOrEqual(limit);
      expect(fullestWindow(admitted, windowMs)).toBeLessThanOrEqual(2 * limit);
    }),
  );
});

test('the bound is reached: twice the limit within a grain, across a tick', () => {
  for (const phase of [0, 250]) {
    const tick = EPOCH_MS + phase;
    const times = [...Array<number>(9).fill(tick - GRAIN_MS), ...Array<number>(9).fill(tick)];
    expect(admittedTimes(fixedWindow(5, 1000, phase), times)).toHaveLength(10);
  }
});

test('guarantee: a client that never has more than the limit in any window is never refused', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, phaseMs, times }) => {
      const within = thinned(times, limit, windowMs);
      expect(admittedTimes(fixedWindow(limit, windowMs, phaseMs), within)).toEqual(within);
    }),
  );
});

test('a tick is found to the grain, also where the quotient of time and window rounds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100_000 }), fc.integer({ min: 1e12, max: 2e12 }), (windowMs, about) => {
      const tick = windowMs * Math.floor(about / windowMs);
      const limiter = fixedWindow(1, windowMs);
      expect(limiter.take(tick - 1).admitted).toBe(true);
      expect(limiter.take(tick - GRAIN_MS)).toEqual({ admitted: false, retryAfterMs: GRAIN_MS });
      expect(limiter.take(tick).admitted).toBe(true);
      expect(limiter.take(tick + windowMs - GRAIN_MS).admitted).toBe(false);
      expect(limiter.take(tick + windowMs).admitted).toBe(true);
    }),
  );
});

test('a window of fractional length is one window all the same', () => {
  const limiter = fixedWindow(1, 100 / 3);
  const tick = (100 / 3) * 30_000_000;
  const times = Array.from({ length: 300 }, (_, step) => tick + step + 0.1);
  // Ten windows, and the part of one on either side.
  expect(admittedTimes(limiter, times).length).toBeLessThanOrEqual(11);
});
