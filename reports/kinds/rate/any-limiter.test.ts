/** Rate verdicts on any limiter, sound or not, at any moment and distance: what must never be said of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blocking,
  byClock,
  inParts,
  logOfAll,
  racingLog,
  renewedWindow,
  windowFromFirst,
} from '../../../scenarios/testing/limiters.ts';
import {
  fixedWindow,
  type Limiter,
  slidingCounter,
  slidingLog,
  tokenBucket,
} from '../../../scenarios/testing/rate-simulation.ts';
import { oneByOne } from '../../../test/setup/sweeps.ts';
import { budgets, rateLimit, verdicts } from './testing/verdicts.ts';

/**
 * The same ones each time. Others, and more of them, now and then:
 * `RATE_RUNS=2000 npx vitest run --project unit reports/kinds/rate/any-limiter.test.ts`.
 */
const { RATE_RUNS } = process.env;
const RUNS = RATE_RUNS === undefined ? { numRuns: 60, seed: 60 } : { numRuns: Number(RATE_RUNS) };
/** Where nothing simple explains what was seen, everything is tried. */
const SLOW_RUNS = RATE_RUNS === undefined ? { numRuns: 25, seed: 60 } : RUNS;
const MOST_MS = 600_000;
const SECOND_MS = 1000;

const anyLimiter = fc.record({
  budget: fc.constantFrom(...budgets),
  algorithm: fc.constantFrom('sliding', 'fixed', 'first', 'token', 'block', 'all'),
  phase: fc.double({ min: 0, max: 1, noNaN: true }),
  // Up to where a burst takes as long as a window.
  roundTripMs: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 120, max: 500 })),
  /** Of how late each request is sent, up to some ms as in a real sender. */
  seed: fc.integer({ min: 1, max: 1e9 }),
});

type AnyLimiter = typeof anyLimiter extends fc.Arbitrary<infer One> ? One : never;

/**
 * `more` requests than documented, in a window so many times as long.
 * @param behind what else refuses some
 */
function keeping(more: number, any: AnyLimiter, share = 1, behind = (limiter: Limiter) => limiter) {
  const { budget, algorithm, phase } = any;
  const limit = rateLimit(budget);
  const [value, windowMs] = [limit.value + more, share * limit.windowMs];
  const limiters = {
    sliding: () => slidingLog(value, windowMs),
    fixed: () => fixedWindow(value, windowMs, phase * windowMs),
    first: () => windowFromFirst(value, windowMs),
    token: () => tokenBucket(value, limit.value, windowMs),
    block: () => blocking(value, windowMs, windowMs),
    all: () => logOfAll(value, windowMs),
  };
  return { value, ...judged(any, behind(limiters[algorithm as keyof typeof limiters]())) };
}

const judged = ({ budget, phase, roundTripMs, seed }: AnyLimiter, limiter: Limiter) =>
  verdicts({ budget, limiter, beginsAtMs: phase * 1e6, roundTripMs, lateMs: lateness(seed) });

const LATE_MOST_MS = 4;

/** Besides, it refuses so many of a hundred, whatever the limit says. */
const alsoRefusing = (limiter: Limiter, percent: number, random: () => number): Limiter => {
  return (atMs) => (random() * 100) / LATE_MOST_MS >= percent && limiter(atMs);
};

/** The same numbers for the same seed. */
function lateness(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (LATE_MOST_MS * state) / 2147483647;
  };
}

test('with any limiter that keeps the limit, nothing is ever called broken', { timeout: MOST_MS }, () => {
  fc.assert(
    fc.property(anyLimiter, (any) => {
      const seen = keeping(0, any);
      expect([seen.guarantee, seen.enforced, seen.shared]).not.toContain('broken');
    }),
    RUNS,
  );
});

test('nor where it counts in parts, or by whole seconds', { timeout: MOST_MS }, () => {
  const anyParts = fc.integer({ min: 2, max: 60 });
  const anyKind = fc.constantFrom('parts', 'log', 'bucket');
  fc.assert(
    fc.property(anyLimiter, anyParts, anyKind, (any, parts, kind) => {
      const { value, windowMs } = rateLimit(any.budget);
      const limiters = {
        parts: () => inParts(value, windowMs, parts, any.phase * windowMs),
        log: () => byClock(SECOND_MS, slidingLog(value, windowMs)),
        bucket: () => byClock(SECOND_MS, tokenBucket(value, value, windowMs)),
      };
      const seen = judged(any, limiters[kind as keyof typeof limiters]());
      expect([seen.guarantee, seen.enforced, seen.shared]).not.toContain('broken');
    }),
    // From that far away a window in many parts looks as late as a log that counts late.
    {
      ...SLOW_RUNS,
      examples: [
        [{ budget: 'run', algorithm: 'sliding', phase: 0, roundTripMs: 309, seed: 1 }, 11, 'parts'],
        [{ budget: 'run', algorithm: 'sliding', phase: 0, roundTripMs: 295, seed: 31122145 }, 28, 'parts'],
      ],
    },
  );
});

test('no window that each request starts anew passes', { timeout: MOST_MS }, () => {
  fc.assert(
    fc.property(anyLimiter, (any) => {
      const { value, windowMs } = rateLimit(any.budget);
      expect(judged(any, renewedWindow(value, windowMs)).guarantee).not.toBe('holds');
    }),
    SLOW_RUNS,
  );
});

test('the true limiter is never struck out', { timeout: MOST_MS }, () => {
  fc.assert(
    fc.property(anyLimiter, fc.constantFrom(-1, 0, 1), (any, more) => {
      const { measured, value, enforced, guarantee } = keeping(more, any);
      expect(measured?.lower ?? 0).toBeLessThanOrEqual(value);
      expect(measured?.upper ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(value);
      expect(more > 0 ? guarantee : enforced).not.toBe('broken');
    }),
    RUNS,
  );
});

test('no limiter with a window that is too long passes', { timeout: MOST_MS }, () => {
  fc.assert(
    fc.property(anyLimiter, fc.double({ min: 0.05, max: 1, noNaN: true }), (any, longer) => {
      expect(keeping(0, any, 1 + longer).guarantee).not.toBe('holds');
    }),
    SLOW_RUNS,
  );
});

test('no limiter with a window that is too short passes', { timeout: MOST_MS }, () => {
  fc.assert(
    // No less: one request more in a window is a matter of where it begins.
    fc.property(anyLimiter, fc.double({ min: 0.15, max: 1, noNaN: true }), (any, more) => {
      fc.pre(more * rateLimit(any.budget).value > 1.05);
      expect(keeping(0, any, 1 / (1 + more)).enforced).not.toBe('holds');
    }),
    SLOW_RUNS,
  );
});

test('no limiter that keeps a multiple of the limit in as many windows passes', { timeout: MOST_MS }, () => {
  fc.assert(
    fc.property(anyLimiter, fc.integer({ min: 2, max: 6 }), (any, times) => {
      const { value } = rateLimit(any.budget);
      expect(keeping((times - 1) * value, any, times).enforced).not.toBe('holds');
    }),
    SLOW_RUNS,
  );
});

test('nor one that estimates them', { timeout: MOST_MS }, () => {
  fc.assert(
    fc.property(anyLimiter, fc.integer({ min: 2, max: 6 }), fc.boolean(), (any, times, whole) => {
      // Of so few requests a window an estimate is mostly rounding.
      fc.pre(!['purge-queue', 'requests'].includes(any.budget));
      const { value, windowMs } = rateLimit(any.budget);
      const longer = times * windowMs;
      const limiter = slidingCounter(times * value, longer, any.phase * longer, whole);
      expect(judged(any, limiter).enforced).not.toBe('holds');
    }),
    SLOW_RUNS,
  );
});

test('what else refuses some is no missing limit', { timeout: MOST_MS }, () => {
  fc.assert(
    fc.property(anyLimiter, fc.integer({ min: 1, max: 40 }), (any, percent) => {
      const behind = (limiter: Limiter) => alsoRefusing(limiter, percent, lateness(any.seed + 1));
      expect(keeping(0, any, 1, behind).enforced).not.toBe('broken');
    }),
    SLOW_RUNS,
  );
});

test('nor where a second limiter spreads them', { timeout: MOST_MS }, () => {
  const shareUpTo = (max: number) => fc.double({ min: 0.02, max, noNaN: true });
  fc.assert(
    fc.property(anyLimiter, shareUpTo(1), shareUpTo(0.5), (any, ofValue, ofWindow) => {
      // Of two requests a window too few are seen to tell two limiters from one of slightly shorter windows.
      fc.pre(any.budget !== 'purge-queue');
      const { value, windowMs } = rateLimit(any.budget);
      const second = windowFromFirst(Math.max(1, Math.round(ofValue * value)), ofWindow * windowMs);
      expect(keeping(0, any, 1, (limiter) => (atMs) => second(atMs) && limiter(atMs)).enforced).not.toBe('broken');
    }),
    SLOW_RUNS,
  );
});

test('a log that counts late admits more than its value', () => {
  for (const laterMs of [1, 5, 20, 100, 1000]) {
    for (const budget of ['cancel', ...oneByOne(['run'] as const)] as const) {
      const { value, windowMs } = rateLimit(budget);
      const { enforced, guarantee } = verdicts({ budget, limiter: racingLog(value, windowMs, laterMs) });
      expect({ budget, laterMs, enforced, guarantee }).toMatchObject({ enforced: 'broken', guarantee: 'holds' });
    }
  }
});
