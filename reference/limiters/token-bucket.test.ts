/** The token bucket against its definition, with the model's tokens counted in whole grains x limit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { admittedTimes, cases, EPOCH_MS, fullestWindow, GRAIN_MS, grains, thinned } from './testing/arrivals.ts';
import { tokenBucket } from './token-bucket.ts';

/** A level that is topped up at every request, in units so small that nothing rounds: a token is a window of grains. */
function model(limit: number, windowMs: number): (time: number) => boolean {
  const token = grains(windowMs);
  const most = BigInt(limit) * token;
  let level = most;
  let filledAt: bigint | null = null;
  return (time) => {
    const now = grains(time);
    level += (now - (filledAt ?? now)) * BigInt(limit);
    if (level > most) level = most;
    filledAt = now;
    if (level < token) return false;
    level -= token;
    return true;
  };
}

test('admits exactly when there is a whole token', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, times }) => {
      const limiter = tokenBucket(limit, windowMs);
      const expected = model(limit, windowMs);
      for (const time of times) expect(limiter.take(time).admitted).toBe(expected(time));
    }),
    { numRuns: 500 },
  );
});

test('nothing adds up: a bucket busy for hundreds of thousands of requests still agrees', () => {
  for (const [limit, windowMs] of [
    [3, 10],
    [7, 1000],
    [2000, 10_000],
  ] as const) {
    const limiter = tokenBucket(limit, windowMs);
    const expected = model(limit, windowMs);
    // A little faster than the refill, at a pace that no binary fraction can hold.
    const pace = windowMs / limit / 1.07;
    let differ = 0;
    for (let sent = 0; sent < 300_000; sent += 1) {
      const time = Math.round((EPOCH_MS + sent * pace) / GRAIN_MS) * GRAIN_MS;
      if (limiter.take(time).admitted !== expected(time)) differ += 1;
    }
    expect(differ).toBe(0);
  }
});

/** Most times in a stretch that begins and ends with one of them, beyond what bucket and refill give; in tokens x window. */
function excess(times: readonly number[], limit: number, windowMs: number): bigint {
  let most = -grains(windowMs) * BigInt(limit);
  times.forEach((from, first) => {
    times.slice(first).forEach((to, index) => {
      const allowed = BigInt(limit) * (grains(windowMs) + grains(to) - grains(from));
      const over = BigInt(index + 1) * grains(windowMs) - allowed;
      if (over > most) most = over;
    });
  });
  return most;
}

test('bound: any stretch of time holds at most the bucket and its refill, a window at most twice the limit less one', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, times }) => {
      const admitted = admittedTimes(tokenBucket(limit, windowMs), times);
      expect(excess(admitted, limit, windowMs) <= 0n).toBe(true);
      expect(fullestWindow(admitted, windowMs)).toBeLessThanOrEqual(2 * limit - 1);
    }),
  );
});

test('the bound is reached: the bucket at once, then every refilled token', () => {
  for (const limit of [1, 2, 10]) {
    const times = Array.from({ length: 10_000 }, (_, ms) => EPOCH_MS + ms);
    const burst = Array<number>(limit).fill(EPOCH_MS);
    const admitted = admittedTimes(tokenBucket(limit, 10_000), [...burst, ...times]);
    expect(fullestWindow(admitted, 10_000)).toBe(2 * limit - 1);
  }
});

test('guarantee: a client that never has more than the limit in any window is never refused', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, times }) => {
      const within = thinned(times, limit, windowMs);
      expect(admittedTimes(tokenBucket(limit, windowMs), within)).toEqual(within);
    }),
  );
});

test('guarantee, exactly: a client that stays within bucket and refill in every stretch of time is never refused', () => {
  fc.assert(
    fc.property(cases, ({ limit, windowMs, times }) => {
      const within: number[] = [];
      for (const time of times) if (excess([...within, time], limit, windowMs) <= 0n) within.push(time);
      expect(admittedTimes(tokenBucket(limit, windowMs), within)).toEqual(within);
    }),
    { numRuns: 30 },
  );
});

test('a token is there to the millisecond, and not before', () => {
  for (const start of [0, 0.25, EPOCH_MS, EPOCH_MS + 0.25]) {
    const limiter = tokenBucket(10, 10_000);
    expect(admittedTimes(limiter, Array(11).fill(start))).toHaveLength(10);
    expect(limiter.take(start + 1000 - GRAIN_MS)).toEqual({ admitted: false, retryAfterMs: GRAIN_MS });
    expect(limiter.take(start + 1000).admitted).toBe(true);
    expect(limiter.take(start + 1000).admitted).toBe(false);
  }
});
