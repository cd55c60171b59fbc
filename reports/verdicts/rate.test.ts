/** Rate verdicts on ideal limiters: each is simulated, so that what the verdict must be is known by construction. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needsConfirmation } from '../../scenarios/analysis/index.ts';
import { TINY_LIMIT } from '../../scenarios/plan/timeline.ts';
import type { RateParameters } from '../../scenarios/probe.ts';
import { probed, probeOf } from '../../scenarios/testing/rate-probed.ts';
import {
  fixedWindow,
  type Limiter,
  slidingCounter,
  slidingLog,
  tokenBucket,
  unlimited,
} from '../../scenarios/testing/rate-simulation.ts';
import type { Bounds } from '../../schemas/facts.ts';
import { limitFor } from '../../schemas/limits.ts';
import { judgingContext } from './context.ts';
import { measureRate } from './measure.ts';
import { judgeRate } from './rate.ts';

const dedicated = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];

function rateLimit(budget: 'run' | 'status' | 'cancel' | 'purge-queue' | 'requests') {
  const limit = limitFor('requests', budget);
  if (!limit) throw new Error(`no rate limit for ${budget}`);
  return limit;
}

interface Setting {
  readonly budget: Parameters<typeof rateLimit>[0];
  readonly limiter: () => Limiter;
  readonly beginsAtMs?: number;
  readonly refusedStatus?: number;
  readonly endpoints?: typeof dedicated;
  readonly changes?: Partial<RateParameters>;
  /** Jobs in the queue as health tells it; unknown when not given. */
  readonly queued?: number;
  readonly roundTripMs?: number;
  readonly lateMs?: (() => number) | undefined;
}

/** The whole way a probe goes: send, confirm if needed at another phase, analyse, judge. */
function verdicts({
  budget,
  limiter,
  beginsAtMs = 0,
  refusedStatus = 429,
  endpoints = dedicated,
  changes,
  queued,
  roundTripMs = 2,
  lateMs,
}: Setting) {
  const limit = rateLimit(budget);
  const options = { beginsAtMs, refusedStatus, queued, roundTripMs, lateMs };
  const facts = probed(probeOf(limit, changes, roundTripMs), limiter, options);
  const claims = judgeRate(facts, limit, judgingContext([facts], endpoints));
  const word = (aspect: string) => claims[`${limit.id}.${aspect}`]?.verdict;
  return {
    guarantee: word('guarantee'),
    enforced: word('enforced'),
    shared: word('shared'),
    refusal: word('refusal'),
    measured: measureRate(facts),
    facts,
  };
}

/**
 * The same ones each time, for one of them takes a quarter of a second. Others, and more of them, now and then:
 * `RATE_RUNS=2000 npx vitest run --project unit reports/verdicts/rate.test.ts`.
 */
const { RATE_RUNS } = process.env;
const RUNS = RATE_RUNS === undefined ? { numRuns: 60, seed: 60 } : { numRuns: Number(RATE_RUNS) };

const budgets = ['run', 'status', 'cancel', 'purge-queue', 'requests'] as const;

describe.each(budgets)('%s', (budget) => {
  const { value, windowMs } = rateLimit(budget);

  test('a sliding log at the limit conforms, measured to the unit', () => {
    const seen = verdicts({ budget, limiter: () => slidingLog(value, windowMs) });
    expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'holds', refusal: 'holds' });
    expect(seen.measured).toEqual({ lower: value, upper: value });
  });

  test('a fixed window at the limit conforms wherever its boundary falls', { timeout: 60_000 }, () => {
    for (let phase = 0; phase < windowMs; phase += windowMs / 11) {
      const seen = verdicts({ budget, limiter: () => fixedWindow(value, windowMs, phase) });
      // Of two requests so little comes back that windows of another length would sometimes have answered alike.
      const enforced = value > TINY_LIMIT ? ['holds'] : ['holds', 'inconclusive'];
      expect(seen.guarantee, `boundary at ${phase}`).toBe('holds');
      expect(enforced, `boundary at ${phase}`).toContain(seen.enforced);
      expect(seen.measured, `boundary at ${phase}`).toEqual({ lower: value, upper: value });
    }
  });

  test('a token bucket of the limit conforms, and the documented value lies in what is measured', () => {
    const seen = verdicts({ budget, limiter: () => tokenBucket(value, value, windowMs) });
    expect(seen.guarantee).toBe('holds');
    expect(seen.enforced).not.toBe('broken');
    expect(seen.measured?.lower).toBeLessThanOrEqual(value);
    expect(seen.measured?.upper).toBeGreaterThanOrEqual(value);
  });

  test('one less than the limit breaks the guarantee and is measured', () => {
    const seen = verdicts({ budget, limiter: () => slidingLog(value - 1, windowMs) });
    expect(seen).toMatchObject({ guarantee: 'broken', enforced: 'holds' });
    expect(seen.measured).toEqual({ lower: value - 1, upper: value - 1 });
  });

  test('one more than the limit breaks the enforcement and is measured', () => {
    const seen = verdicts({ budget, limiter: () => slidingLog(value + 1, windowMs) });
    expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
    expect(seen.measured).toEqual({ lower: value + 1, upper: value + 1 });
  });

  test('no limiter at all breaks the enforcement, and no bound is claimed', () => {
    const seen = verdicts({ budget, limiter: () => unlimited });
    expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
    expect(seen.measured?.upper).toBeNull();
  });

  test('a bucket smaller than the limit breaks the guarantee', { timeout: 30_000 }, () => {
    expect(verdicts({ budget, limiter: () => tokenBucket(value / 2, value, windowMs) }).guarantee).toBe('broken');
  });
});

describe('the window is judged where the value alone would pass', () => {
  const { value, windowMs } = rateLimit('run');
  const judged = (limiter: () => Limiter, beginsAtMs = 0) => {
    const { guarantee, enforced, measured } = verdicts({ budget: 'run', limiter, beginsAtMs });
    return { guarantee, enforced, measured };
  };

  test('a log that forgets a second too early', () => {
    expect(judged(() => slidingLog(value, 0.9 * windowMs))).toEqual({
      guarantee: 'holds',
      enforced: 'broken',
      measured: { lower: value, upper: value },
    });
  });

  test('a fixed window that is a second too short', () => {
    expect(judged(() => fixedWindow(value, 0.9 * windowMs, 0.35 * windowMs)).enforced).toBe('broken');
  });

  test('a bucket that is refilled too fast, or too slowly', () => {
    expect(judged(() => tokenBucket(value, 1.2 * value, windowMs)).enforced).toBe('broken');
    expect(judged(() => tokenBucket(value, 0.8 * value, windowMs)).guarantee).toBe('broken');
  });
});

test('a longer window is found by the pace', () => {
  const { value, windowMs } = rateLimit('cancel');
  expect(verdicts({ budget: 'cancel', limiter: () => slidingLog(value, windowMs * 1.1) }).guarantee).toBe('broken');
});

test('jobs of a pace that nobody saw finished may fill the queue; health tells that they do not', () => {
  const { value, windowMs } = rateLimit('run');
  const oneRefusalLate = (): Limiter => {
    const honest = slidingLog(value, windowMs);
    let refusals = 0;
    return (atMs) => (atMs > 4 * windowMs && refusals++ === 0 ? false : honest(atMs));
  };
  const setting = { budget: 'run', limiter: oneRefusalLate } as const;
  expect(verdicts(setting).guarantee).toBe('inconclusive');
  expect(verdicts({ ...setting, queued: 3 }).guarantee).toBe('broken');
  expect(verdicts({ ...setting, queued: 1600 }).guarantee).toBe('inconclusive');
});

test('a longer window is found by the polls already, before the pace', () => {
  const { value, windowMs } = rateLimit('run');
  const seen = verdicts({ budget: 'run', limiter: () => slidingLog(value, windowMs * 1.2) });
  expect(seen.guarantee).toBe('broken');
  expect(seen.facts.refusedWithinLimit).toBeGreaterThan(seen.facts.pace.refusedWithinLimit);
});

test('one refusal in a hundred inside the limit is found', () => {
  const { value, windowMs } = rateLimit('run');
  const moody = (): Limiter => {
    const honest = slidingLog(value, windowMs);
    let count = 0;
    return (atMs) => ++count % 100 !== 0 && honest(atMs);
  };
  expect(verdicts({ budget: 'run', limiter: moody }).guarantee).toBe('broken');
});

test('a limit below the documented one is found even where the burst was still going on when more was sent', () => {
  const { value, windowMs } = rateLimit('run');
  const early = { overAtMs: windowMs + 1 };
  const limiter = () => slidingLog(value - 10, windowMs);
  expect(verdicts({ budget: 'run', limiter, changes: early }).guarantee).toBe('broken');
});

test('a budget that is not shared is found by its siblings', () => {
  const { value, windowMs } = rateLimit('status');
  const seen = verdicts({ budget: 'status', limiter: () => slidingLog(value, windowMs) });
  expect(seen.shared).toBe('holds');
  expect(verdicts({ budget: 'status', limiter: () => unlimited }).shared).toBe('inconclusive');
});

test('on an endpoint that others use, a refusal proves nothing', () => {
  const { value, windowMs } = rateLimit('cancel');
  const endpoints = [{ instId: 'inst-a', workersMax: 3, dedicated: false }];
  expect(verdicts({ budget: 'cancel', limiter: () => slidingLog(value - 1, windowMs), endpoints }).guarantee).toBe(
    'inconclusive',
  );
});

test('a refusal with another status is a refusal, of an unusual form', () => {
  const { value, windowMs } = rateLimit('cancel');
  const seen = verdicts({ budget: 'cancel', limiter: () => slidingLog(value, windowMs), refusedStatus: 403 });
  expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'holds', refusal: 'broken' });
});

test('a burst that crawls over more than a window says nothing about it', () => {
  const { value, windowMs } = rateLimit('requests');
  const slow = { overAtMs: 3 * windowMs };
  expect(verdicts({ budget: 'requests', limiter: () => slidingLog(value, windowMs), changes: slow }).enforced).toBe(
    'inconclusive',
  );
});

const anyLimiter = fc.record({
  budget: fc.constantFrom(...budgets),
  algorithm: fc.constantFrom('sliding', 'fixed', 'counter', 'token'),
  phase: fc.double({ min: 0, max: 1, noNaN: true }),
  // Up to where a burst takes as long as a window.
  roundTripMs: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 120, max: 500 })),
  /** Of how late each request is sent, up to some ms as in a real sender. */
  seed: fc.integer({ min: 1, max: 1e9 }),
});

type AnyLimiter = typeof anyLimiter extends fc.Arbitrary<infer One> ? One : never;

/** `more` requests than documented. */
function keeping(more: number, { budget, algorithm, phase, roundTripMs, seed }: AnyLimiter) {
  const { value: documented, windowMs } = rateLimit(budget);
  const value = documented + more;
  const limiter = () => {
    if (algorithm === 'sliding') return slidingLog(value, windowMs);
    if (algorithm === 'counter') return slidingCounter(value, windowMs, phase * windowMs);
    return algorithm === 'fixed' ? fixedWindow(value, windowMs, phase * windowMs) : tokenBucket(value, value, windowMs);
  };
  return { value, ...verdicts({ budget, limiter, beginsAtMs: phase * 1e6, roundTripMs, lateMs: lateness(seed) }) };
}

const LATE_MOST_MS = 4;

/** The same numbers for the same seed; none at all for 0. */
function lateness(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (LATE_MOST_MS * state) / 2147483647;
  };
}

test.each<[AnyLimiter, number]>([
  // A burst that takes almost a window: a counter refuses what follows a little sooner than a log does.
  [{ budget: 'status', algorithm: 'counter', phase: 0, roundTripMs: 218, seed: 0 }, 1],
  [{ budget: 'status', algorithm: 'counter', phase: 1, roundTripMs: 225, seed: 0 }, 0],
  // A bucket that is refilled while one request follows the other looks like a counter of a larger limit.
  [{ budget: 'requests', algorithm: 'token', phase: 0, roundTripMs: 165, seed: 0 }, 0],
])('was once called what it is not: %j, %i more than documented', (any, more) => {
  const { measured, value, enforced, guarantee } = keeping(more, any);
  expect(guarantee).not.toBe('broken');
  if (more === 0) expect(enforced).not.toBe('broken');
  expect(measured?.lower ?? 0).toBeLessThanOrEqual(value);
  expect(measured?.upper ?? Infinity).toBeGreaterThanOrEqual(value);
});

test('whatever correct limiter stands there, nothing is ever called broken', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(anyLimiter, (any) => {
      const seen = keeping(0, any);
      expect([seen.guarantee, seen.enforced, seen.shared]).not.toContain('broken');
    }),
    RUNS,
  );
});

test('what is measured holds the value that is kept, and is on its side of the documented one', {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(anyLimiter, fc.constantFrom(-1, 0, 1), (any, more) => {
      const { measured, value, enforced, guarantee } = keeping(more, any);
      expect(measured?.lower ?? 0).toBeLessThanOrEqual(value);
      expect(measured?.upper ?? Infinity).toBeGreaterThanOrEqual(value);
      expect(more > 0 ? guarantee : enforced).not.toBe('broken');
    }),
    RUNS,
  );
});

describe('a bucket loses what comes in while it is full', () => {
  const { value, windowMs } = rateLimit('run');

  /** A target that does nothing for a while right behind the first request, each time after an idle window. */
  function stalling(size: number, stallMs: number, times: number): () => Limiter {
    return () => {
      const bucket = tokenBucket(size, size, windowMs);
      let [lastMs, untilMs, left] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, times];
      return (atMs) => {
        const isFirst = atMs - lastMs > 0.9 * windowMs && left > 0;
        const readMs = isFirst ? atMs : Math.max(atMs, untilMs);
        if (isFirst) [untilMs, left] = [atMs + stallMs, left - 1];
        lastMs = atMs;
        return bucket(readMs);
      };
    };
  }

  test.each([10, 25, 40, 60])('in a stall of %i ms, which is no smaller bucket', (stallMs) => {
    // Whoever asks is answered after the stall.
    for (const size of [value - 20, value, value + 20]) {
      const { guarantee, enforced, measured } = verdicts({
        budget: 'run',
        limiter: stalling(size, stallMs, 1),
        roundTripMs: stallMs + 2,
      });
      if (size >= value) expect(guarantee, `${size}`).not.toBe('broken');
      if (size <= value) expect(enforced, `${size}`).not.toBe('broken');
      expect(measured?.lower, `${size}`).toBeLessThanOrEqual(size);
      expect(measured?.upper, `${size}`).toBeGreaterThanOrEqual(size);
    }
  });

  test.each([1999, 2000, 2001])(
    'what its siblings take of one of %i, while the burst goes on, is reckoned with',
    (size) => {
      const probe = probeOf(rateLimit('status'));
      const measured = measureRate(probed(probe, () => tokenBucket(size, size, windowMs), { siblingsEarly: true }));
      expect(measured).toEqual({ lower: size, upper: size });
    },
  );

  test('twice exactly the documented size, but for such a stall, is taken for it', () => {
    const sound = verdicts({ budget: 'run', limiter: () => tokenBucket(value, value, windowMs) }).facts;
    const point = { lower: value, upper: value };
    const size = { lower: value, upper: value + 2 };
    const once = { ...sound, bucket: { size, likely: point } };
    expect([needsConfirmation(once), measureRate(once)]).toEqual([true, size]);
    const { burst, over } = sound;
    const place = { betweenBoundaries: false, apart: true, noBoundary: true };
    const seen = { likeDocumented: true, fittedWindows: null, maybeInSteps: false, burst, over, ...place };
    const twice = (likelySize: Bounds) => measureRate({ ...once, confirmation: { ...seen, likelySize } });
    expect(twice(point)).toEqual(point);
    expect(twice({ lower: value, upper: value + 1 })).toEqual(size);
    expect(twice({ lower: value - 1, upper: value - 1 })).toEqual(size);
    const smaller = {
      ...sound,
      bucket: { size: { lower: value - 2, upper: value }, likely: { lower: value - 2, upper: value - 2 } },
    };
    expect(needsConfirmation(smaller)).toBe(false);
  });
});
