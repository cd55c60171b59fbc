import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullestWindow, mostOverlapping, surelyWithin, worstCaseCounts } from './windows.ts';

const moments = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 60 });
const intervals = fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 80 })), {
  maxLength: 40,
});

test('an empty ledger fills no window', () => {
  expect(fullestWindow([], 100)).toBe(0);
  expect(worstCaseCounts([], [], 100)).toEqual([]);
  expect(mostOverlapping([])).toBe(0);
});

test('both ends of a window count', () => {
  expect(fullestWindow([0, 100, 101], 100)).toBe(2);
  expect(fullestWindow([0, 50, 100], 100)).toBe(3);
});

test('the fullest window is the one that counting every window finds', () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 300 }), (all, windowMs) => {
      const byHand = all.map((from) => all.filter((at) => at >= from && at <= from + windowMs).length);
      expect(fullestWindow(all, windowMs)).toBe(Math.max(0, ...byHand));
    }),
  );
});

test('the worst case is never below the count for any arrival the intervals allow', () => {
  fc.assert(
    fc.property(
      intervals,
      fc.integer({ min: 1, max: 300 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (pairs, windowMs, shares) => {
        const all = pairs.map(([sentMs, length]) => ({ sentMs, firstByteMs: sentMs + length }));
        const arrivals = all.map((one) => one.sentMs + (one.firstByteMs - one.sentMs) * (shares.next().value ?? 0));
        const worst = worstCaseCounts(all, all, windowMs);
        arrivals.forEach((at, index) => {
          const real = arrivals.filter((other) => other > at - windowMs && other <= at).length;
          expect(worst[index]).toBeGreaterThanOrEqual(real);
        });
      },
    ),
  );
});

test('with exact arrivals the worst case is the exact count', () => {
  const all = [0, 10, 20, 105].map((at) => ({ sentMs: at, firstByteMs: at }));
  expect(worstCaseCounts(all, all, 100)).toEqual([1, 2, 3, 3]);
});

test('overlap is that of a sweep at every start', () => {
  fc.assert(
    fc.property(intervals, (pairs) => {
      const all = pairs.map(([from, length]) => ({ from, to: from + length + 1 }));
      const byHand = all.map((one) => all.filter((other) => other.from <= one.from && other.to > one.from).length);
      expect(mostOverlapping(all)).toBe(Math.max(0, ...byHand));
    }),
  );
});

test('intervals that only touch do not overlap', () => {
  expect(
    mostOverlapping([
      { from: 0, to: 10 },
      { from: 10, to: 20 },
    ]),
  ).toBe(1);
});

test('what was surely within a window really was, and all of it where the moments are known', () => {
  const arrivals = fc.array(fc.tuple(fc.nat(1000), fc.nat(80), fc.nat(80)), { maxLength: 40 });
  fc.assert(
    fc.property(arrivals, fc.array(fc.nat(1500)), fc.integer({ min: 1, max: 300 }), (all, requested, windowMs) => {
      const within = (at: number, ms: number) => at > ms - windowMs && at <= ms;
      const reported = surelyWithin(
        all.map(([at, before, after]) => ({ sentMs: at - before, firstByteMs: at + after })),
        windowMs,
      );
      const known = surelyWithin(
        all.map(([at]) => ({ sentMs: at, firstByteMs: at })),
        windowMs,
      );
      for (const ms of requested) {
        const really = all.filter(([at]) => within(at, ms)).length;
        expect(reported(ms)).toBeLessThanOrEqual(really);
        expect(known(ms)).toBe(really);
      }
    }),
  );
});
