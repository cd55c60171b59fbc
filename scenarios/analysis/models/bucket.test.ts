import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../schemas/ledger.ts';
import { slidingLog, tokenBucket } from '../../testing/rate-simulation.ts';
import type { Classify } from '../outcome.ts';
import { bucketRefill, longRefill } from './bucket.ts';

const WINDOW_MS = 1000;
const classify: Classify = ({ status }) => (status === 200 ? 'admitted' : 'refused');

/** Requests at these moments, each answered 2 ms later. */
function asked(limiter: (atMs: number) => boolean, phases: Readonly<Record<string, readonly number[]>>) {
  const moments = Object.entries(phases).flatMap(([phase, all]) => all.map((atMs) => ({ phase, atMs })));
  return moments
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ phase, atMs }): LedgerEntry => {
      const status = limiter(atMs + 1) ? 200 : 429;
      const times = { sentMs: atMs, firstByteMs: atMs + 2, endMs: atMs + 2 };
      return { phase, operation: 'run', ...times, status, error: '', note: '' };
    });
}

function refillOf(all: readonly LedgerEntry[]) {
  const phase = (name: string) => all.filter((one) => one.phase === name);
  return bucketRefill(phase('again'), phase('echo'), all, classify, WINDOW_MS);
}

const times = (count: number, fromMs: number, periodMs: number) =>
  Array.from({ length: count }, (_, index) => fromMs + index * periodMs);

test('the refill of a bucket lies within its bounds, whoever takes tokens between the two exhaustions', () => {
  const [size, perWindow] = [fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 })];
  const [idleMs, pollMs, echoMs] = [fc.integer({ min: 1, max: 900 }), fc.integer({ min: 5, max: 50 }), fc.nat(1000)];
  fc.assert(
    fc.property(size, perWindow, idleMs, pollMs, echoMs, (capacity, rate, idle, poll, later) => {
      const phases = {
        burst: times(capacity + 2, 0, 1),
        again: times(capacity + 5, 100 + idle, 3),
        return: times(Math.ceil(later / poll), 200 + idle + 3 * capacity, poll),
        echo: times(capacity + 25, 210 + idle + 3 * capacity + later, 3),
      };
      const spanMs = (phases.echo.at(-1) ?? 0) - 100;
      const bounds = refillOf(asked(tokenBucket(capacity, rate, WINDOW_MS), phases));
      // What comes in when it is full is lost, and nobody can see that.
      fc.pre(bounds !== undefined && (rate * spanMs) / WINDOW_MS < capacity);
      expect(bounds?.lower).toBeLessThanOrEqual(rate);
      expect(bounds?.upper).toBeGreaterThanOrEqual(rate);
    }),
  );
});

test('over a long time it is known far closer, or not at all where the bucket may have been full', () => {
  const about = (min: number, max: number) => fc.integer({ min, max });
  const seen = { long: 0, full: 0 };
  fc.assert(
    fc.property(
      about(5, 40),
      about(5, 60),
      fc.tuple(about(10, 300), about(10, 300), about(0, 1500)),
      fc.tuple(about(0, 10), about(0, 10)),
      (capacity, rate, [poll, pace, silentMs], [less, more]) => {
        const paceFrom = 2000 + silentMs;
        const phases = {
          burst: times(capacity, 0, 0.1),
          over: times(capacity + 5, 50, 1),
          recovery: times(Math.ceil(1800 / poll), 200, poll),
          pace: times(Math.ceil((4200 - paceFrom) / pace), paceFrom + poll, pace),
          again: times(capacity + 5, 4600, 0.5),
        };
        const all = asked(tokenBucket(capacity, rate, WINDOW_MS), phases);
        const phase = (name: string) => all.filter((one) => one.phase === name);
        const soon = { lower: Math.max(0, rate - less), upper: rate + more };
        const given = { windowMs: WINDOW_MS, size: capacity, soon };
        const long = longRefill(phase('over'), phase('again'), all, classify, given);
        seen[long ? 'long' : 'full'] += 1;
        if (!long) return;
        expect(long.lower).toBeLessThanOrEqual(rate);
        expect(long.upper).toBeGreaterThanOrEqual(rate);
        expect(long.upper - long.lower).toBeLessThan(0.1 * rate + 1);
      },
    ),
    { numRuns: 500 },
  );
  expect(Math.min(seen.long, seen.full)).toBeGreaterThan(10);
});

test.each([6, 11, 16, 21])('filled in a silence, a bucket of %i has lost some of what came in', (capacity) => {
  const limit = capacity - 1;
  const pace = (1.03 * WINDOW_MS) / limit;
  for (const silentMs of [900, 1000, 1100, 1300]) {
    const all = asked(tokenBucket(capacity, capacity, WINDOW_MS), {
      burst: times(capacity, 0, 0.1),
      over: times(5, 50, 1),
      recovery: times(42, 150, 25),
      pace: times(2 * limit, 1200 + silentMs, pace),
      again: times(capacity + 5, 1200 + silentMs + 2 * limit * pace, 0.5),
    });
    const phase = (name: string) => all.filter((one) => one.phase === name);
    const soon = { lower: 0.7 * capacity, upper: 1.3 * capacity };
    const given = { windowMs: WINDOW_MS, size: limit, soon };
    const long = longRefill(phase('over'), phase('again'), all, classify, given);
    if (long) expect([long.lower <= capacity, long.upper >= capacity]).toEqual([true, true]);
  }
});

test('a poll that took the only token is reckoned with', () => {
  const bucket = tokenBucket(2, 2, WINDOW_MS);
  // The last token is taken when a whole one has just come in, so the next one takes almost half a window.
  const all = asked(bucket, { burst: [0, 2], again: [501, 505], return: times(22, 525, 23), echo: [1015] });
  expect(all.filter(({ phase }) => phase === 'return').some((one) => classify(one) === 'admitted')).toBe(true);
  expect(refillOf(all)?.upper).toBeGreaterThan(2);
});

test('nothing is known without two exhaustions', () => {
  const all = asked(slidingLog(1, WINDOW_MS), { again: [0, 5], echo: [1200] });
  expect(refillOf(all)).toBeUndefined();
});
