import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../schemas/ledger.ts';
import { seeded } from '../../../schemas/seeded.ts';
import { slidingLog, tokenBucket } from '../../testing/rate-simulation.ts';
import type { Classify } from '../outcome.ts';
import { bucketRefill, bucketSize, bucketSizeBy, longRefill } from './bucket.ts';

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

/**
 * On a busy machine each request is on its way for a while, and so is its answer: they overtake one another. And now and
 * then the target does nothing for a while, also right after the first one.
 */
function askedLate(
  limiter: (atMs: number) => boolean,
  phases: Readonly<Record<string, readonly number[]>>,
  seed: number,
  latestMs: number,
): LedgerEntry[] {
  const random = seeded(seed);
  const late = (): number => latestMs * random() ** 3;
  const sent = Object.entries(phases).flatMap(([phase, all]) =>
    all.map((sentMs) => ({ phase, sentMs, atMs: sentMs + late() })),
  );
  const first = Math.min(...sent.map(({ atMs }) => atMs));
  const stalls = [first, first + 200 * random(), 1000 * random(), 2500 + 2500 * random()].map((fromMs) => ({
    fromMs,
    toMs: fromMs + (random() < 0.3 ? latestMs * random() : 0),
  }));
  const arrived = (atMs: number): number =>
    stalls.reduce((at, { fromMs, toMs }) => (at > fromMs && at < toMs ? toMs : at), atMs);
  return sent
    .map((one) => ({ ...one, atMs: arrived(one.atMs) }))
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ phase, sentMs, atMs }): LedgerEntry => {
      const status = limiter(atMs) ? 200 : 429;
      const firstByteMs = atMs + late();
      return { phase, operation: 'run', sentMs, firstByteMs, endMs: firstByteMs, status, error: '', note: '' };
    });
}

const latest = fc.integer({ min: 1, max: 80 });
const seeds = fc.integer({ min: 1 });
const sizes = fc.integer({ min: 1, max: 120 });

test('however late requests and answers come, the size of a bucket lies within its bounds', () => {
  const seen = { bounded: 0 };
  fc.assert(
    fc.property(sizes, latest, seeds, fc.integer({ min: 0, max: 20 }), (size, lateMs, seed, more) => {
      const burst = { burst: times(size, 0, 0.1), over: times(Math.ceil(size / 5) + more, 40, 0.2) };
      const all = askedLate(tokenBucket(size, size, WINDOW_MS), burst, seed, lateMs);
      const bounds = bucketSize(all, classify, WINDOW_MS);
      expect(bounds.lower).toBeLessThanOrEqual(size);
      expect(bounds.upper).toBeGreaterThanOrEqual(size);
      if (bounds.upper - bounds.lower < size / 4) seen.bounded += 1;
    }),
    { numRuns: 500 },
  );
  expect(seen.bounded).toBeGreaterThan(100);
});

test('what came in while a stalled target had a full bucket does not make it smaller', () => {
  const stalls = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(sizes, stalls, fc.integer({ min: 1, max: 4 }), seeds, (size, stallMs, lateMs, seed) => {
      const random = seeded(seed);
      const late = (): number => lateMs * random();
      const bucket = tokenBucket(size, size, WINDOW_MS);
      const sent = [...times(size, 0, 0.1), ...times(size, 70, 0.5)];
      const arrived = sent.map((sentMs, index) => ({
        sentMs,
        atMs: index === 0 ? 0 : Math.max(stallMs, sentMs + late()),
      }));
      const all = arrived
        .sort((one, other) => one.atMs - other.atMs)
        .map(({ sentMs, atMs }): LedgerEntry => {
          const status = bucket(atMs) ? 200 : 429;
          const firstByteMs = atMs + late();
          return {
            phase: 'burst',
            operation: 'run',
            sentMs,
            firstByteMs,
            endMs: firstByteMs,
            status,
            error: '',
            note: '',
          };
        });
      for (const bounds of [
        bucketSize(all, classify, WINDOW_MS),
        bucketSizeBy({ lower: size, upper: size }, all, classify, WINDOW_MS),
      ]) {
        expect(bounds.lower).toBeLessThanOrEqual(size);
        expect(bounds.upper).toBeGreaterThanOrEqual(size);
      }
    }),
    { numRuns: 500 },
  );
});

test('and so does that of one that is refilled at a rate of its own, as far as the rate is known', () => {
  const rates = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(40), fc.nat(40));
  const seen = { bounded: 0 };
  fc.assert(
    fc.property(sizes, rates, latest, seeds, (size, [rate, less, more], lateMs, seed) => {
      const burst = { burst: times(size, 0, 0.1), over: times(Math.ceil(size / 5) + 10, 40, 0.2) };
      const all = askedLate(tokenBucket(size, rate, WINDOW_MS), burst, seed, lateMs);
      const bounds = bucketSizeBy({ lower: Math.max(0, rate - less), upper: rate + more }, all, classify, WINDOW_MS);
      expect(bounds.lower).toBeLessThanOrEqual(size);
      expect(bounds.upper).toBeGreaterThanOrEqual(size);
      if (bounds.upper - bounds.lower < size / 4) seen.bounded += 1;
    }),
    { numRuns: 500 },
  );
  expect(seen.bounded).toBeGreaterThan(100);
});

test('the same of its refill, over a short time and over a long one', () => {
  const seen = { soon: 0, long: 0 };
  const [periods, silences] = [
    fc.tuple(fc.integer({ min: 5, max: 300 }), fc.integer({ min: 5, max: 60 })),
    fc.nat(900),
  ];
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 120 }),
      latest,
      seeds,
      periods,
      silences,
      (size, lateMs, seed, [poll, pace], silentMs) => {
        const phases = {
          burst: times(size, 0, 0.1),
          over: times(Math.ceil(size / 5) + 10, 40, 0.2),
          recovery: times(Math.ceil(1800 / poll), 200, poll),
          pace: times(Math.ceil((2200 - silentMs) / pace), 2000 + silentMs, pace),
          again: times(Math.ceil(1.3 * size) + 10, 4600, 0.3),
          echo: times(Math.ceil(0.6 * size) + 10, 4900, 0.3),
        };
        const all = askedLate(tokenBucket(size, size, WINDOW_MS), phases, seed, lateMs);
        const phase = (name: string) => all.filter((one) => one.phase === name);
        const soon = bucketRefill(phase('again'), phase('echo'), all, classify, WINDOW_MS);
        if (!soon) return;
        seen.soon += 1;
        expect([soon.lower <= size, soon.upper >= size]).toEqual([true, true]);
        const given = { windowMs: WINDOW_MS, size: size - 1, soon };
        const long = longRefill(phase('over'), phase('again'), all, classify, given);
        if (!long) return;
        seen.long += 1;
        expect([long.lower <= size, long.upper >= size]).toEqual([true, true]);
      },
    ),
    { numRuns: 500 },
  );
  expect(Math.min(seen.soon, seen.long)).toBeGreaterThan(20);
});
