/** The three limiters against their definitions, with random arrivals. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedWindow } from './fixed-window.ts';
import { type RateLimiter, unlimited } from './rate-limiter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

const WINDOW = 1000;
const limits = fc.integer({ min: 1, max: 12 });
/** Arrival times: bursts (no gap), short gaps and gaps beyond a window, from a realistic time stamp on. */
const arrivals = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 3 * WINDOW })), {
    minLength: 1,
    maxLength: 150,
  })
  .map((gaps) => {
    let time = 1_700_000_000_000;
    return gaps.map((gap) => {
      time += gap;
      return time;
    });
  });

function admittedTimes(limiter: RateLimiter, times: readonly number[]): number[] {
  return times.filter((time) => limiter.take(time).admitted);
}

/** Most times in any window that is closed on the left and open on the right. */
function fullestWindow(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length));
}

test('sliding log: no window ever holds more than the limit', () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, times) => {
      expect(fullestWindow(admittedTimes(slidingLog(limit, WINDOW), times), WINDOW)).toBeLessThanOrEqual(limit);
    }),
  );
});

test('sliding log: a refusal comes only when the window behind it is full', () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, times) => {
      const limiter = slidingLog(limit, WINDOW);
      const admitted: number[] = [];
      for (const time of times) {
        const inWindow = admitted.filter((one) => time - one < WINDOW).length;
        expect(limiter.take(time).admitted).toBe(inWindow < limit);
        if (inWindow < limit) admitted.push(time);
      }
    }),
  );
});

test('fixed window: no window of the clock holds more than the limit, and none is refused below it', () => {
  fc.assert(
    fc.property(limits, arrivals, fc.integer({ min: 0, max: WINDOW - 1 }), (limit, times, phase) => {
      const limiter = fixedWindow(limit, WINDOW, phase);
      const counts = new Map<number, number>();
      for (const time of times) {
        const window = Math.floor((time - phase) / WINDOW);
        const count = counts.get(window) ?? 0;
        const admission = limiter.take(time);
        expect(admission.admitted).toBe(count < limit);
        if (admission.admitted) counts.set(window, count + 1);
      }
    }),
  );
});

test('fixed window: up to twice the limit passes across a tick', () => {
  const limiter = fixedWindow(5, WINDOW, 250);
  const before = Array.from({ length: 9 }, () => 1249);
  const after = Array.from({ length: 9 }, () => 1250);
  expect(admittedTimes(limiter, [...before, ...after])).toHaveLength(10);
});

test('token bucket: any stretch of time admits at most the bucket and its refill', () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, times) => {
      const admitted = admittedTimes(tokenBucket(limit, WINDOW), times);
      admitted.forEach((from, first) => {
        admitted.slice(first).forEach((to, count) => {
          expect(count + 1).toBeLessThanOrEqual(limit + ((to - from) * limit) / WINDOW + 1e-6);
        });
      });
    }),
  );
});

test('token bucket: a client at its pace, and one that waits for a full bucket, is never refused', () => {
  fc.assert(
    fc.property(limits, fc.integer({ min: 1, max: 50 }), (limit, count) => {
      const limiter = tokenBucket(limit, WINDOW);
      const pace = Math.ceil(WINDOW / limit);
      for (let sent = 0; sent < count; sent += 1) expect(limiter.take(sent * pace).admitted).toBe(true);
      const later = count * pace + 2 * WINDOW;
      for (let sent = 0; sent < limit; sent += 1) expect(limiter.take(later).admitted).toBe(true);
      expect(limiter.take(later).admitted).toBe(false);
    }),
  );
});

const kinds: [string, (limit: number) => RateLimiter][] = [
  ['sliding log', (limit) => slidingLog(limit, WINDOW)],
  ['fixed window', (limit) => fixedWindow(limit, WINDOW)],
  ['token bucket', (limit) => tokenBucket(limit, WINDOW)],
];

test.for(kinds)('%s: the limit at once after an idle window is always admitted', ([, make]) => {
  fc.assert(
    fc.property(limits, arrivals, (limit, times) => {
      const limiter = make(limit);
      for (const time of times) limiter.take(time);
      // Whole windows on from the start of one, so that a fixed window is not crossed.
      const idle = Math.ceil(((times.at(-1) ?? 0) + 2 * WINDOW) / WINDOW) * WINDOW;
      expect(
        admittedTimes(
          limiter,
          Array.from({ length: limit }, () => idle),
        ),
      ).toHaveLength(limit);
    }),
  );
});

test.for(kinds)('%s: whoever waits as long as it was told to is admitted, and a moment earlier is not', ([, make]) => {
  fc.assert(
    fc.property(limits, arrivals, (limit, times) => {
      const limiter = make(limit);
      for (const time of times) {
        const admission = limiter.take(time);
        if (admission.admitted) continue;
        expect(admission.retryAfterMs).toBeGreaterThan(0);
        const due = time + admission.retryAfterMs;
        if (admission.retryAfterMs > 2) expect(limiter.take(due - 1).admitted).toBe(false);
        expect(limiter.take(due + 0.001).admitted).toBe(true);
        return;
      }
    }),
  );
});

test.for(kinds)('%s: a limit of nothing admits nothing', ([, make]) => {
  expect(admittedTimes(make(0), [0, 1, 5 * WINDOW])).toEqual([]);
});

test('without a limit everything is admitted', () => {
  expect(admittedTimes(unlimited, [0, 0, 0, 0])).toHaveLength(4);
});
