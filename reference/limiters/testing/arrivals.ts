/** What the limiters' tests share: arrivals of every shape, and the counts that the definitions speak of. */
import fc from 'fast-check';
import type { RateLimiter } from '../rate-limiter.ts';

/** As fine as a present-day time stamp in milliseconds can be. */
export const GRAIN_MS = 2 ** -12;
/** The present: where differences of neighbouring time stamps are coarsest. A whole number of most windows. */
export const EPOCH_MS = 1.8e12;

export interface Case {
  readonly limit: number;
  readonly windowMs: number;
  readonly phaseMs: number;
  /** Ascending, with repetitions. */
  readonly times: readonly number[];
}

/** Pauses: none, a grain, short ones, exactly a window or a part of it and a grain off, long idleness. */
function gaps(limit: number, windowMs: number): fc.Arbitrary<number> {
  const part = windowMs / Math.max(1, limit);
  const grain = fc.constantFrom(-GRAIN_MS, 0, GRAIN_MS);
  const near = (ms: number): fc.Arbitrary<number> => grain.map((off) => Math.max(0, Math.round(ms) + off));
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: Math.ceil(part) * 4096 }).map((grains) => grains * GRAIN_MS) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: Math.ceil(windowMs / 3) }) },
    { weight: 1, arbitrary: near(windowMs) },
    { weight: 1, arbitrary: near(part) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * windowMs }) },
    { weight: 1, arbitrary: fc.constantFrom(10 * windowMs, 86_400_000, 30 * 86_400_000) },
  );
}

/** Arrivals around whole windows of the present, or from the clock's zero on. */
export const cases: fc.Arbitrary<Case> = fc
  .record({
    limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(1, 2, 100)),
    windowMs: fc.constantFrom(10, 1000, 10_000, 60_000),
  })
  .chain(({ limit, windowMs }) =>
    fc
      .record({
        phaseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: windowMs - 1 })),
        start: fc.oneof(
          fc.constantFrom(0, EPOCH_MS),
          fc.integer({ min: 0, max: 4096 * windowMs }).map((grains) => EPOCH_MS + grains * GRAIN_MS),
        ),
        pauses: fc.array(gaps(limit, windowMs), { minLength: 1, maxLength: 120 }),
      })
      .map(({ phaseMs, start, pauses }) => {
        let time = start;
        const times = pauses.map((pause) => {
          time += pause;
          return time;
        });
        return { limit, windowMs, phaseMs, times };
      }),
  );

export function admittedTimes(limiter: RateLimiter, times: readonly number[]): number[] {
  return times.filter((time) => limiter.take(time).admitted);
}

/** Most times in any window that includes its beginning and excludes its end. */
export function fullestWindow(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time - from < windowMs).length));
}

/** The largest part of these times, taken from the front, that never has more than `most` in any window. */
export function thinned(times: readonly number[], most: number, windowMs: number): number[] {
  const kept: number[] = [];
  for (const time of times) {
    if (kept.filter((one) => time - one < windowMs).length < most) kept.push(time);
  }
  return kept;
}

/** A time in grains, so that a model can reckon without rounding. */
export const grains = (ms: number): bigint => BigInt(Math.round(ms / GRAIN_MS));
