/** The sliding counter against its definition, and exactly what it promises and what it doesn't. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slidingCounter } from './sliding-counter.ts';
import { admittedTimes, cases, EPOCH_MS, fullestWindow, GRAIN_MS, grains, thinned } from './testing/arrivals.ts';

/** Which window of the clock a moment lies in, and how many grains of it are over. */
function place(time: number, windowMs: number, phaseMs: number): { window: bigint; over: bigint } {
  const since = grains(time) - grains(phaseMs) + grains(windowMs);
  return { window: since / grains(windowMs), over: since % grains(windowMs) };
}

/** The estimate, kept with a count for every window there ever was, in requests x window of grains. */
function model(limit: number, windowMs: number, phaseMs: number): (time: number) => boolean {
  const counts = new Map<bigint, bigint>();
  const size = grains(windowMs);
  return (time) => {
    const { window, over } = place(time, windowMs, phaseMs);
    const count = counts.get(window) ?? 0n;
    const estimate = (counts.get(window - 1n) ?? 0n) * (size - over) + (count + 1n) * size;
    if (estimate > BigInt(limit) * size) return false;
    counts.set(window, count + 1n);
    return true;
  };
}

test("admits exactly when this window's count and the share of the last one's leave room", () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, phaseMs, times }) => {
      const limiter = slidingCounter(limit, windowMs, phaseMs);
      const expected = model(limit, windowMs, phaseMs);
      for (const time of times) expect(limiter.take(time).admitted).toBe(expected(time));
    }),
    { numRuns: 500 },
  );
});

test('bound: the limit between two ticks, twice the limit less one in a window that begins anywhere', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, phaseMs, times }) => {
      const admitted = admittedTimes(slidingCounter(limit, windowMs, phaseMs), times);
      const counts = new Map<bigint, number>();
      for (const time of admitted) {
        const { window } = place(time, windowMs, phaseMs);
        counts.set(window, (counts.get(window) ?? 0) + 1);
      }
      expect(Math.max(...counts.values())).toBeLessThanOrEqual(limit);
      expect(fullestWindow(admitted, windowMs)).toBeLessThanOrEqual(2 * limit - 1);
    }),
  );
});

test('the bound is reached: a full burst right before a tick, then all that fades', () => {
  for (const limit of [1, 2, 5, 10]) {
    const burst = Array<number>(limit).fill(EPOCH_MS - GRAIN_MS);
    const after = Array.from({ length: 10_000 }, (_, ms) => EPOCH_MS + ms);
    const admitted = admittedTimes(slidingCounter(limit, 10_000), [...burst, ...after]);
    expect(fullestWindow(admitted, 10_000)).toBe(2 * limit - 1);
  }
});

test('guarantee: a client that sends at most half of the limit in any window is never refused', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, phaseMs, times }) => {
      const within = thinned(times, Math.floor(limit / 2), windowMs);
      expect(admittedTimes(slidingCounter(limit, windowMs, phaseMs), within)).toEqual(within);
    }),
  );
});

test('and nothing beyond half: one more may be refused, though no window held more', () => {
  for (let limit = 1; limit <= 20; limit += 1) {
    const most = Math.floor(limit / 2) + 1;
    // At two ticks in a row: the first burst is a whole window old and counts in full.
    const times = [EPOCH_MS, EPOCH_MS + 10_000].flatMap((tick) => Array<number>(most).fill(tick));
    expect(fullestWindow(times, 10_000)).toBe(most);
    expect(admittedTimes(slidingCounter(limit, 10_000), times).length).toBeLessThan(times.length);
  }
});

test('guarantee: a client that leaves a part of the window between two requests is never refused', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 2, max: 12 }), ({ windowMs, phaseMs, times }, limit) => {
      const paced: number[] = [];
      for (const time of times) if ((time - (paced.at(-1) ?? -windowMs)) * (limit - 1) >= windowMs) paced.push(time);
      expect(admittedTimes(slidingCounter(limit, windowMs, phaseMs), paced)).toEqual(paced);
    }),
  );
});

test('a pace of exactly the limit per window is refused', () => {
  const times = Array.from({ length: 30 }, (_, index) => EPOCH_MS + index * 1000);
  expect(admittedTimes(slidingCounter(10, 10_000), times).length).toBeLessThan(times.length);
});

test('guarantee: what was sent in the last window, as far as it still counts, and in this one within the limit', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, phaseMs, times }) => {
      // What the client sends counts here, not what was admitted: it knows only that.
      const sent: number[] = [];
      const fits = (time: number): boolean => {
        const { window, over } = place(time, windowMs, phaseMs);
        const count = (which: bigint): bigint =>
          BigInt(sent.filter((one) => place(one, windowMs, phaseMs).window === which).length);
        const size = grains(windowMs);
        return count(window - 1n) * (size - over) + (count(window) + 1n) * size <= BigInt(limit) * size;
      };
      for (const time of times) if (fits(time)) sent.push(time);
      expect(admittedTimes(slidingCounter(limit, windowMs, phaseMs), sent)).toEqual(sent);
    }),
  );
});

test('after a window in which nothing came the whole limit is admitted at once', () => {
  const limiter = slidingCounter(10, 10_000);
  const times = [EPOCH_MS - 20_000, EPOCH_MS, EPOCH_MS + 9_999.5].flatMap((time) => Array<number>(11).fill(time));
  expect(admittedTimes(limiter, times)).toHaveLength(20);
});
