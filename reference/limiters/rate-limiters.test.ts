/** What holds for every rate limiter: truthful waiting times, truthful remainders, and any fraction of a millisecond. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedWindow } from './fixed-window.ts';
import { type RateLimiter, timesIn, unlimited } from './rate-limiter.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { admittedTimes, type Case, cases, EPOCH_MS, fullestWindow, GRAIN_MS, thinned } from './testing/arrivals.ts';
import { tokenBucket } from './token-bucket.ts';

type Settings = Pick<Case, 'limit' | 'windowMs' | 'phaseMs'>;

interface Kind {
  readonly name: string;
  readonly make: (settings: Settings) => RateLimiter;
  /** Most requests in a window that begins anywhere. */
  readonly bound: (limit: number) => number;
  /** Requests in any window that are never refused. */
  readonly guarantee: (limit: number) => number;
  /** Whether the moment it names is a whole grain wherever its inputs are; parts of a window are not. */
  readonly exact: boolean;
}

const kinds: readonly Kind[] = [
  {
    name: 'sliding log',
    make: ({ limit, windowMs }) => slidingLog(limit, windowMs),
    bound: (limit) => limit,
    guarantee: (limit) => limit,
    exact: true,
  },
  {
    name: 'fixed window',
    make: ({ limit, windowMs, phaseMs }) => fixedWindow(limit, windowMs, phaseMs),
    bound: (limit) => 2 * limit,
    guarantee: (limit) => limit,
    exact: true,
  },
  {
    name: 'sliding counter',
    make: ({ limit, windowMs, phaseMs }) => slidingCounter(limit, windowMs, phaseMs),
    bound: (limit) => 2 * limit - 1,
    guarantee: (limit) => Math.floor(limit / 2),
    exact: false,
  },
  {
    name: 'token bucket',
    make: ({ limit, windowMs }) => tokenBucket(limit, windowMs),
    bound: (limit) => 2 * limit - 1,
    guarantee: (limit) => limit,
    exact: false,
  },
];

/** A fresh limiter that has seen these arrivals. */
function after({ make }: Kind, one: Case): RateLimiter {
  const limiter = make(one);
  for (const time of one.times) limiter.take(time);
  return limiter;
}

/** How many at this moment are admitted; at most one more than the limit is asked. */
function admittedAt(limiter: RateLimiter, now: number, limit: number): number {
  return admittedTimes(limiter, Array<number>(limit + 1).fill(now)).length;
}

const lastOf = ({ times }: Case): number => times.at(-1) ?? 0;
const pauses = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 4096 * 30_000 }).map((count) => count * GRAIN_MS),
);

test.for(kinds)('$name: a client that waits as long as announced is admitted, a moment earlier it is not', (kind) => {
  let refusals = 0;
  fc.assert(
    fc.property(cases, (one) => {
      // Fill it up where the arrivals end, so that there is a refusal in every run.
      const now = lastOf(one);
      const times = [...one.times, ...Array<number>(one.limit).fill(now)];
      const full = { ...one, times };
      const refused = after(kind, full).take(now);
      if (refused.admitted) throw new Error('the whole limit and one more were admitted at once');
      refusals += 1;
      const due = now + refused.retryAfterMs;
      expect(refused.retryAfterMs).toBeGreaterThan(0);
      expect(after(kind, full).take(due + (kind.exact ? 0 : GRAIN_MS)).admitted).toBe(true);
      if (due - GRAIN_MS > now) expect(after(kind, full).take(due - GRAIN_MS).admitted).toBe(false);
    }),
    { numRuns: 300 },
  );
  expect(refusals).toBeGreaterThanOrEqual(300);
});

test.for(kinds)('$name: what remains is how many more would be admitted at once', (kind) => {
  fc.assert(
    fc.property(cases, pauses, (one, pause) => {
      const now = lastOf(one) + pause;
      const limiter = after(kind, one);
      expect(limiter.quota?.remaining(now)).toBe(admittedAt(limiter, now, one.limit));
      expect(limiter.quota?.remaining(now)).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test.for(kinds)('$name: more remain when it says so, and not before', (kind) => {
  fc.assert(
    fc.property(cases, pauses, (one, pause) => {
      const now = lastOf(one) + pause;
      const { quota } = after(kind, one);
      if (!quota) throw new Error('no quota');
      const left = quota.remaining(now);
      const wait = quota.untilMoreMs(now);
      expect(wait > 0).toBe(left < one.limit);
      if (wait === 0) return;
      if (wait > GRAIN_MS) expect(quota.remaining(now + wait - GRAIN_MS)).toBe(left);
      expect(quota.remaining(now + wait + (kind.exact ? 0 : GRAIN_MS))).toBeGreaterThan(left);
    }),
    { numRuns: 500 },
  );
});

test.for(kinds)('$name: reading what remains changes nothing, and a refusal agrees with it', (kind) => {
  fc.assert(
    fc.property(cases, (one) => {
      const requested = kind.make(one);
      const left = kind.make(one);
      for (const time of one.times) {
        const remaining = requested.quota?.remaining(time) ?? Number.NaN;
        const more = requested.quota?.untilMoreMs(time);
        const admission = requested.take(time);
        expect(admission).toEqual(left.take(time));
        expect(admission.admitted).toBe(remaining > 0);
        if (!admission.admitted) expect(more).toBe(admission.retryAfterMs);
      }
    }),
  );
});

/** A thousandth of a grain: more than any rounding of times below ten thousand seconds. */
const TOLERANCE_MS = 1e-6;

test.for(kinds)('$name: bound and guarantee hold for any fraction of a millisecond', (kind) => {
  const fractions = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1, maxLength: 60 });
  const windows = fc.double({ min: 1, max: 1000, noNaN: true });
  fc.assert(
    fc.property(fractions, windows, fc.integer({ min: 1, max: 8 }), (steps, windowMs, limit) => {
      let time = 0;
      const times = steps.map((step) => {
        time += step;
        return time;
      });
      const settings = { limit, windowMs, phaseMs: 0 };
      const admitted = admittedTimes(kind.make(settings), times);
      expect(fullestWindow(admitted, windowMs - TOLERANCE_MS)).toBeLessThanOrEqual(kind.bound(limit));
      const within = thinned(times, kind.guarantee(limit), windowMs + TOLERANCE_MS);
      expect(admittedTimes(kind.make(settings), within)).toEqual(within);
    }),
  );
});

test.for(kinds)('$name: the whole limit is there again after two idle windows, however long it was busy', (kind) => {
  fc.assert(
    fc.property(cases, (one) => {
      const idle = lastOf(one) + 2 * one.windowMs;
      expect(admittedAt(after(kind, one), idle, one.limit)).toBe(one.limit);
    }),
  );
});

test.for(kinds)('$name: a limit of nothing admits nothing', ({ make }) => {
  const limiter = make({ limit: 0, windowMs: 1000, phaseMs: 0 });
  expect(admittedTimes(limiter, [0, 1, 5000, EPOCH_MS])).toEqual([]);
  expect(limiter.quota?.remaining(EPOCH_MS)).toBe(0);
});

test('without a limit everything is admitted, and nothing is announced', () => {
  expect(admittedTimes(unlimited, [0, 0, 0, 0])).toHaveLength(4);
  expect(unlimited.quota).toBeUndefined();
});

test('a log of a million requests is not read through to say what remains', () => {
  const limiter = slidingLog(1_000_000, 1_000_000);
  for (let sent = 0; sent < 1_000_000; sent += 1) limiter.take(sent);
  const began = performance.now();
  for (let requested = 0; requested < 20_000; requested += 1) {
    expect(limiter.quota?.remaining(1_000_000 + 40 * requested)).toBe(40 * requested + 1);
  }
  // One by one it would be ten billion steps.
  expect(performance.now() - began).toBeLessThan(5000);
});

test('timesIn is the whole number of times, also where the quotient rounds up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 1, max: 2 ** 20 }), (whole, part) => {
      expect(timesIn(whole, part)).toBe(Number(BigInt(whole) / BigInt(part)));
    }),
  );
  expect(timesIn(9_007_199_254_740_991, 9_007_199_254_740_991 / 2 + 0.5)).toBe(1);
});
