/** The name, the window and the value of a limiter, on limiters that are what they are by construction. */
import { describe, expect, test } from 'vitest';
import type { RateFacts } from '../../../schemas/facts.ts';
import { limitsOf } from '../../../schemas/limits.ts';
import type { RateParameters } from '../../probe.ts';
import { plannedFor } from '../../testing/rate-probed.ts';
import {
  fixedWindow,
  type Limiter,
  rateParameters,
  simulateRate,
  slidingCounter,
  slidingLog,
  tokenBucket,
  unlimited,
} from '../../testing/rate-simulation.ts';
import { analyseRate } from '../rate.ts';

const planned = (limit: number, windowMs: number): RateParameters =>
  rateParameters(limit, windowMs, plannedFor({ limit, windowMs }));

function seen(limit: number, windowMs: number, limiter: Limiter, beginsAtMs = 0) {
  const parameters = planned(limit, windowMs);
  return analyseRate(parameters, simulateRate(parameters, limiter, { beginsAtMs }), 0);
}

const PHASES = [0.12, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95];
const rows = limitsOf('requests').map(({ id, value, windowMs }) => [id, value, windowMs] as const);

/** A fixed window that the first request begins. */
function anchored(limit: number, windowMs: number): Limiter {
  let [endsMs, count] = [Number.NEGATIVE_INFINITY, 0];
  return (atMs) => {
    if (atMs >= endsMs) [endsMs, count] = [atMs + windowMs, 0];
    count += 1;
    return count <= limit;
  };
}

for (const [id, value, windowMs] of rows) {
  describe(id, () => {
    test('a log, a bucket and a window of its own are named', () => {
      expect(seen(value, windowMs, slidingLog(value, windowMs))).toMatchObject({ algorithm: 'sliding-log' });
      expect(seen(value, windowMs, tokenBucket(value, value, windowMs))).toMatchObject({ algorithm: 'token-bucket' });
      expect(seen(value, windowMs, anchored(value, windowMs))).toMatchObject({ algorithm: 'fixed-window' });
    });

    test.for(PHASES)('a window and a counter on the clock, begun at %f of it', (share) => {
      const phase = share * windowMs;
      expect(seen(value, windowMs, fixedWindow(value, windowMs, phase)).algorithm).toBe('fixed-window');
      expect(seen(value, windowMs, slidingCounter(value, windowMs, phase)).algorithm).toBe('sliding-counter');
    });
  });
}

test('what was never exhausted has no name', () => {
  expect(seen(1000, 10_000, unlimited)).toMatchObject({ algorithm: 'unknown', couldBe: [] });
});

const run = [1000, 10_000] as const;

describe('another window than documented is fitted', () => {
  const near = ({ fittedWindows }: RateFacts, expected: number) => {
    expect((fittedWindows?.lower ?? 0) / expected).toBeCloseTo(1, 1.2);
    expect((fittedWindows?.upper ?? 0) / expected).toBeCloseTo(1, 1.2);
  };

  test.for([0.9, 1.1])('a log, %f times as long', (share) => {
    for (const [limit, windowMs] of [run, [100, 10_000]] as const) {
      const facts = seen(limit, windowMs, slidingLog(limit, share * windowMs));
      expect(facts.algorithm).toBe('sliding-log');
      near(facts, share * windowMs);
    }
  });

  test.for([0.9, 1.1])('a window of its own, %f times as long', (share) => {
    const facts = seen(...run, anchored(run[0], share * run[1]));
    expect(facts.algorithm).toBe('fixed-window');
    near(facts, share * run[1]);
  });

  test('a bucket that is refilled faster or slower than it is large', () => {
    for (const refill of [800, 1200]) {
      const { bucket, algorithm } = seen(...run, tokenBucket(run[0], refill, run[1]));
      expect(algorithm).toBe('token-bucket');
      expect(bucket?.refill?.lower).toBeLessThanOrEqual(refill);
      expect(bucket?.refill?.upper).toBeGreaterThanOrEqual(refill);
      expect((bucket?.refill?.upper ?? 0) - (bucket?.refill?.lower ?? 0)).toBeLessThan(0.08 * refill);
    }
  });
});

test('where a second look is like the documented one too, what the first found is still open', () => {
  const parameters = planned(4, 10_000);
  const [first, blurred] = [0, 600].map((slowerMs) => simulateRate(parameters, slidingLog(4, 9500), { slowerMs }));
  const { likeDocumented, fittedWindows, confirmation } = analyseRate(parameters, first ?? '', 0, blurred);
  expect([likeDocumented, confirmation?.likeDocumented]).toEqual([false, true]);
  expect(fittedWindows?.upper).toBeLessThan(9700);
  expect(confirmation?.fittedWindows?.lower).toBeLessThanOrEqual(fittedWindows?.upper ?? 0);
  expect(analyseRate(parameters, blurred ?? '', 0).likeDocumented).toBe(true);
});

test('a burst that takes longer than a window says nothing: what came first has come back meanwhile', () => {
  const slow = rateParameters(2000, 10_000, {}, 203);
  const facts = analyseRate(slow, simulateRate(slow, slidingLog(2000, 10_000), { roundTripMs: 203 }), 0);
  expect(facts).toMatchObject({ algorithm: 'unknown', couldBe: [], likeDocumented: null });
});

test.for([999, 1000, 1001])('a bucket of %i is measured to the token', (size) => {
  const { bucket } = seen(...run, tokenBucket(size, size, run[1]));
  expect(bucket?.size).toEqual({ lower: size, upper: size });
});

test('polls that a late sender sends among its burst are part of it', () => {
  const parameters = planned(100, 10_000);
  const late = { ...parameters, recovery: { ...parameters.recovery, fromMs: parameters.burstAtMs + 1 } };
  const facts = analyseRate(late, simulateRate(late, slidingLog(100, 10_000)), 0);
  expect(facts.burst.admitted + facts.over.admitted).toBe(100);
});
