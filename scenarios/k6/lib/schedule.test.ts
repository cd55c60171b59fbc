import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latestMs, pollTimes, shareOf, slotAt, slots, slotTimes, watchSpan } from './schedule.ts';

test('the shares of a burst add up to it and differ by one at most, the larger ones first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 300 }), (total, vus) => {
      const shares = Array.from({ length: vus }, (_, index) => shareOf(total, vus, index));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      expect([...shares].sort((a, b) => b - a)).toEqual(shares);
    }),
  );
});

test.each([
  [{ fromMs: 0, periodMs: 10, untilMs: 100 }, 10],
  [{ fromMs: 5, periodMs: 10, untilMs: 100 }, 10],
  [{ fromMs: 0, periodMs: 10, untilMs: 101 }, 11],
  [{ fromMs: 0, periodMs: 10.1, untilMs: 100 }, 10],
  [{ fromMs: 50, periodMs: 10, untilMs: 50 }, 0],
  [{ fromMs: 0, periodMs: 10_000, untilMs: 0 }, 0],
])('%j has %i slots', (span, expected) => {
  expect(slots(span)).toBe(expected);
});

test('every slot lies within its span, one period apart', () => {
  const span = { fromMs: 300, periodMs: 11, untilMs: 1000 };
  const times = slotTimes(span);
  expect(times[0]).toBe(300);
  expect(times[1]).toBe(311);
  expect(Math.max(...times)).toBeLessThan(1000);
  expect(Math.max(...times) + span.periodMs).toBeGreaterThanOrEqual(1000);
});

test('the slots of an uneven pace come one after the other, within its span, and as many in each cycle', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 1000 }), (cycle, lengthMs) => {
      const span = { fromMs: 300, periodMs: 11, untilMs: 300 + lengthMs, cycle };
      const times = slotTimes(span);
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
      expect(times.filter((ms) => ms < 300 || ms >= span.untilMs)).toEqual([]);
      expect(slotAt(span, times.length)).toBeGreaterThanOrEqual(span.untilMs);
      for (const [index, ms] of times.slice(cycle).entries())
        expect(ms - (times[index] ?? 0)).toBeCloseTo(cycle * span.periodMs);
    }),
  );
});

test.each([
  [1000, 10.1, 80],
  [2, 5150, 240],
  [10, 1150, 1200],
  [1000, 10, 20],
  [100, 50, 20],
])('at a limit of %i, one each %d ms: at most %i ms late', (limit, periodMs, expected) => {
  expect(latestMs({ fromMs: 0, periodMs, untilMs: 1 }, limit, 10_000)).toBeCloseTo(expected);
});

test('with no request later than that, no window holds more than the limit', () => {
  const windowMs = 10_000;
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 200 }),
      fc.double({ min: 1.01, max: 1.3, noNaN: true }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 450, maxLength: 450 }),
      (limit, margin, lateness) => {
        const steady = { fromMs: 0, periodMs: (windowMs / limit) * margin, untilMs: Number.POSITIVE_INFINITY };
        const latest = latestMs(steady, limit, windowMs);
        fc.pre(latest > 20);
        for (const span of [steady, { ...steady, cycle: limit }]) {
          const sent = lateness.map((share, slot) => slotAt(span, slot) + share * latest);
          for (let first = 0; first + limit < sent.length; first += 1) {
            expect((sent[first + limit] ?? 0) - (sent[first] ?? 0)).toBeGreaterThan(windowMs);
          }
        }
      },
    ),
  );
});

test('the queue is polled from the first burst on', () => {
  expect(watchSpan({ burstAtMs: 1000, untilMs: 4000 })).toEqual({ fromMs: 500, periodMs: 500, untilMs: 4000 });
});

test('single requests stand in place of those near them', () => {
  const spans = [
    { fromMs: 0, periodMs: 10, untilMs: 40 },
    { fromMs: 100, periodMs: 10, untilMs: 130 },
  ];
  expect(pollTimes({ spans, edgesMs: [19, 60] })).toEqual([0, 10, 19, 30, 60, 100, 110, 120]);
});
