/** Each kind of limiter is left when it was there, with its numbers, and none that is not. */
import { describe, expect, test } from 'vitest';
import type { RateSurvivor } from '../../../../schemas/facts.ts';
import { decodeLedger } from '../../../../schemas/ledger.ts';
import { oneByOne } from '../../../../test/setup/sweeps.ts';
import {
  blocking,
  byClock,
  forgetfulBucket,
  inParts,
  inTurn,
  logOfAll,
  windowFromFirst,
} from '../../../testing/limiters.ts';
import {
  fixedWindow,
  type Limiter,
  rateParameters,
  simulateRate,
  slidingCounter,
  slidingLog,
  tokenBucket,
} from '../../../testing/rate-simulation.ts';
import type { Answer } from './answers.ts';
import { eliminate, exceedsRoom } from './eliminate.ts';
import { analyseRate } from './index.ts';

const WINDOW_MS = 10_000;
const LIMITS = [10, 100, 1000] as const;

function survivors(limit: number, limiter: Limiter, roundTripMs = 2): readonly RateSurvivor[] {
  const parameters = rateParameters(limit, WINDOW_MS, {}, roundTripMs);
  return analyseRate(parameters, decodeLedger(simulateRate(parameters, limiter, { beginsAtMs: 123, roundTripMs })), 0)
    .survivors;
}

const kindsOf = (left: readonly RateSurvivor[]) => [...new Set(left.map(({ algorithm }) => algorithm))];

const cases: Readonly<Record<string, readonly [RateSurvivor['algorithm'], (limit: number) => Limiter]>> = {
  'a log': ['sliding-log', (limit) => slidingLog(limit, WINDOW_MS)],
  'a log of all requests': ['sliding-log', (limit) => logOfAll(limit, WINDOW_MS)],
  'windows on the clock': ['fixed-window', (limit) => fixedWindow(limit, WINDOW_MS, 3700)],
  'windows from the first request': ['fixed-window', (limit) => windowFromFirst(limit, WINDOW_MS)],
  'a counter': ['sliding-counter', (limit) => slidingCounter(limit, WINDOW_MS, 3000)],
  'a bucket': ['token-bucket', (limit) => tokenBucket(limit, limit, WINDOW_MS)],
  'a window in five parts': ['sliding-log', (limit) => inParts(limit, WINDOW_MS, 5, 700)],
  'a block': ['blocking', (limit) => blocking(limit, WINDOW_MS, WINDOW_MS)],
};

describe.each(Object.entries(cases))('%s', (_, [algorithm, make]) => {
  test.each(LIMITS)('of %i is named, with its number', (limit) => {
    const left = survivors(limit, make(limit));
    expect(kindsOf(left)).toEqual([algorithm]);
    for (const { value, windowMs } of left) {
      expect(value.lower).toBeLessThanOrEqual(limit);
      expect(value.upper).toBeGreaterThanOrEqual(limit);
      expect(windowMs.lower).toBeLessThan(WINDOW_MS);
      expect(windowMs.upper).toBeGreaterThan(WINDOW_MS);
    }
    if (algorithm !== 'sliding-counter') expect(left[0]?.value).toEqual({ lower: limit, upper: limit });
  });

  test.each(LIMITS)('of %i is left when the target is 20 ms away', (limit) => {
    expect(kindsOf(survivors(limit, make(limit), 40))).toContain(algorithm);
  });
});

test('the survivor says whether refused requests count', () => {
  expect(survivors(100, logOfAll(100, WINDOW_MS))).toMatchObject([{ counts: 'all' }]);
  expect(survivors(100, slidingLog(100, WINDOW_MS))).toMatchObject([{ counts: 'admitted' }]);
});

test.each([5000, 20_000])('a window of %i ms is measured as that', (windowMs) => {
  for (const limiter of [slidingLog(100, windowMs), fixedWindow(100, windowMs, 0.37 * windowMs)]) {
    const [one] = survivors(100, limiter);
    expect(one?.value).toEqual({ lower: 100, upper: 100 });
    expect(one?.windowMs.lower).toBeLessThanOrEqual(windowMs);
    expect(one?.windowMs.upper).toBeGreaterThanOrEqual(windowMs);
  }
});

test.each([19, 21, 99, 101])('a bucket of %i that gets back as many is measured as that', (limit) => {
  const documented = Math.round(limit / 20) * 20;
  for (const { value, windowMs } of survivors(documented, tokenBucket(limit, limit, WINDOW_MS))) {
    expect(value).toEqual({ lower: limit, upper: limit });
    expect(windowMs.lower).toBeLessThan(WINDOW_MS);
    expect(windowMs.upper).toBeGreaterThan(WINDOW_MS);
  }
});

test('how long a block lasts is found', () => {
  const [one] = survivors(100, blocking(100, WINDOW_MS, 1.3 * WINDOW_MS));
  expect(one?.pauseMs?.lower).toBeLessThan(1.3 * WINDOW_MS);
  expect(one?.pauseMs?.upper).toBeGreaterThan(1.3 * WINDOW_MS);
  expect((one?.pauseMs?.upper ?? 0) - (one?.pauseMs?.lower ?? 0)).toBeLessThan(0.1 * WINDOW_MS);
});

test('a bucket that forgets a silent client is found, and keeps no limit', () => {
  const left = survivors(100, forgetfulBucket(100, WINDOW_MS, 2000));
  expect(left).toMatchObject([{ algorithm: 'token-bucket', enforces: false, value: { lower: 100, upper: 100 } }]);
});

test('a bucket that is refilled in steps is one', () => {
  const left = survivors(1000, byClock(1000, tokenBucket(1000, 1000, WINDOW_MS)));
  expect(kindsOf(left)).toEqual(['token-bucket']);
  for (const { name } of left) expect(name).toContain('steps of 1 s');
  // Where the steps lie is known to a twentieth of one, and a step may come in the middle of a burst.
  expect(left.some(({ value }) => value.lower <= 1000 && value.upper >= 1000)).toBe(true);
});

test.each(oneByOne([150, 200, 250]))('a bucket of %i, refilled each second, is among those that are left', (size) => {
  const left = survivors(100, byClock(1000, tokenBucket(size, size, WINDOW_MS)));
  expect(left.some(({ value }) => value.lower <= size && value.upper >= size)).toBe(true);
});

test.each([2, 3])('%i processes of 100 each come to as many times that', (count) => {
  const left = survivors(100, inTurn(Array.from({ length: count }, () => slidingLog(100, WINDOW_MS))));
  if (count === 2) expect(left.map(({ value }) => value)).toEqual([{ lower: 200, upper: 200 }]);
  else expect(left.every(({ value }) => value.lower > 100)).toBe(true);
});

test('where nothing is refused nothing is left that could be named', () => {
  expect(survivors(100, () => true)).toEqual([]);
});

test('what no known kind explains is named by none', () => {
  let count = 0;
  const log = slidingLog(100, WINDOW_MS);
  expect(survivors(100, (atMs) => ++count % 50 !== 0 && log(atMs))).toEqual([]);
});

describe('a limiter that delays', () => {
  /** Whatever comes waits until one has come in for it; `size` may come at once. */
  function delayed(perMs: number, size: number): Answer[] {
    let fullAtMs = 0;
    const parts = [0, 10_200, 20_400].flatMap((fromMs) =>
      Array.from({ length: 100 }, (_, index) => fromMs + index * 0.5),
    );
    const over = Array.from({ length: 130 }, (_, index) => 29_500 + index * 0.5);
    return [...parts, ...over].map((sentMs) => {
      fullAtMs = Math.max(sentMs, fullAtMs) + 1 / perMs;
      const waitMs = Math.max(0, fullAtMs - sentMs - size / perMs);
      return { sentMs, answeredMs: sentMs + 2 + waitMs, outcome: 'admitted' as const };
    });
  }
  const scale = { limit: 100, windowMs: WINDOW_MS, originMs: 29_500 };

  test('instead of refusing is found by when it answers', () => {
    const left = eliminate(delayed(100 / WINDOW_MS, 100), -WINDOW_MS, scale);
    expect(left.map(({ algorithm }) => algorithm)).toContain('delay');
    for (const { value } of left) expect(value.upper).toBeLessThanOrEqual(101);
  });

  test('less than it should is no limiter of that number', () => {
    const left = eliminate(delayed(200 / WINDOW_MS, 200), -WINDOW_MS, scale);
    for (const { value } of left) expect(value.lower).toBeGreaterThan(100);
  });
});

describe('what the limit has room for', () => {
  const burst = (fromMs: number, count: number): Answer[] =>
    Array.from({ length: count }, (_, index) => {
      const sentMs = fromMs + index * 0.5;
      return { sentMs, answeredMs: sentMs + 2, outcome: 'admitted' as const };
    });
  const exceeded = (...bursts: readonly Answer[][]) =>
    exceedsRoom(bursts.flat(), { limit: 100, windowMs: WINDOW_MS, originMs: 0 });

  test.each([
    ['the limit each time', [burst(0, 100), burst(23_000, 100), burst(47_000, 100)]],
    ['twice the limit where a window ends and the next begins', [burst(9_900, 200), burst(39_900, 200)]],
    ['a full bucket and what comes in for a window', [burst(0, 100), burst(5_000, 50), burst(10_000, 50)]],
    ['more, once, across the boundary of a window', [burst(0, 100), burst(25_000, 130), burst(47_000, 100)]],
  ])('%s', (_, bursts) => {
    expect(exceeded(...bursts)).toBe(false);
  });

  test('more at three moments that no boundary of windows explains', () => {
    expect(exceeded(burst(0, 140), burst(23_000, 135), burst(47_500, 145))).toBe(true);
  });

  test('is a matter of what was admitted alone', () => {
    const refused = [0, 23_200, 47_500].flatMap((fromMs) => burst(fromMs, 50));
    const none = refused.map((one) => ({ ...one, outcome: 'refused' as const }));
    expect(exceeded(burst(0, 100), burst(23_000, 100), burst(47_500, 100), none)).toBe(false);
  });
});
