/** A schedule that was kept, and ways in which one is not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paceSeen } from './windows.ts';

const schedule = { fromMs: 1000, periodMs: 10, count: 40, windowMs: 105 };
const due = Array.from({ length: schedule.count }, (_, index) => schedule.fromMs + index * schedule.periodMs);

test('what comes a little off its moment is in its window all the same', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -4.9, max: 4.9, noNaN: true }), { minLength: 40, maxLength: 40 }), (off) => {
      const { windows, late } = paceSeen(
        due.map((ms, index) => ms + (off[index] ?? 0)),
        schedule,
      );
      expect(windows).toEqual([10, 10, 10, 10].map((planned) => ({ planned, came: planned })));
      expect(Math.max(...late.map(Math.abs))).toBeLessThan(10);
    }),
  );
});

test('one that is left out, and one that comes twice, are in the count', () => {
  expect(paceSeen(due.slice(1), schedule).windows.map(({ came }) => came)).toEqual([9, 10, 10, 10]);
  expect(paceSeen([...due, 1250.5], schedule).windows.map(({ came }) => came)).toEqual([10, 10, 11, 10]);
});

test('one that comes half a period late is in the next window, and so late', () => {
  const arrivals = due.map((ms, index) => (index === 9 ? ms + 7 : ms));
  const { windows, late } = paceSeen(arrivals, schedule);
  expect(windows.map(({ came }) => came)).toEqual([9, 11, 10, 10]);
  expect(late.at(-1)).toBe(7);
});
