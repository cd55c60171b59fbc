import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockOffset } from './clock-offset.ts';

test('the true offset lies within what is said of it, however long the answers took', () => {
  const way = fc.record({
    there: fc.double({ min: 0, max: 80, noNaN: true }),
    back: fc.double({ min: 0, max: 80, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.double({ min: -5000, max: 5000, noNaN: true }), fc.array(way, { minLength: 1 }), (aheadMs, ways) => {
      const readings = ways.map(({ there, back }, index) => {
        const fromMs = 1_000_000 + 200 * index;
        return { fromMs, toMs: fromMs + there + back, isMs: fromMs + there + aheadMs };
      });
      const { offsetMs, errorMs } = clockOffset(readings);
      expect(Math.abs(offsetMs - aheadMs)).toBeLessThanOrEqual(errorMs + 1e-6);
      expect(errorMs).toBeLessThanOrEqual(Math.min(...ways.map(({ there, back }) => (there + back) / 2)) + 1e-6);
    }),
  );
});

test('a question without an answer says nothing', () => {
  const good = { fromMs: 100, toMs: 104, isMs: 152 };
  expect(clockOffset([{ fromMs: 0, toMs: 1, isMs: Number.NaN }, good, { fromMs: 9, toMs: 10, isMs: 0 }])).toEqual({
    offsetMs: 50,
    errorMs: 2,
  });
});

test('without any nothing is known', () => {
  expect(clockOffset([]).errorMs).toBe(Number.POSITIVE_INFINITY);
});
