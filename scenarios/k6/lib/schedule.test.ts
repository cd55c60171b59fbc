import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOf, slotAt, slots, tooLateMs } from './schedule.ts';

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
  const times = Array.from({ length: slots(span) }, (_, index) => slotAt(span, index));
  expect(times[0]).toBe(300);
  expect(times[1]).toBe(311);
  expect(Math.max(...times)).toBeLessThan(1000);
  expect(Math.max(...times) + span.periodMs).toBeGreaterThanOrEqual(1000);
});

test('a slot may be late by a twentieth of a window, or by its own period where that is longer', () => {
  expect(tooLateMs({ fromMs: 0, periodMs: 10, untilMs: 1 }, 10_000)).toBe(500);
  expect(tooLateMs({ fromMs: 0, periodMs: 6000, untilMs: 1 }, 10_000)).toBe(6000);
});
