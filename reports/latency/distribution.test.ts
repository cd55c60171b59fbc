import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hundredths, sorted } from './percentiles.ts';
import { distributionOf, VALUES_NEEDED } from './rows.ts';

const times = fc.array(
  fc.oneof(
    fc.double({ min: 0, max: 1e5, noNaN: true }),
    fc.double({ min: 0, max: 2, noNaN: true }),
    fc.constantFrom(0.01, 0.1, 1, 1.259, 1.585, 10, 100, 125.9, 1000, 10_000),
  ),
  { minLength: VALUES_NEEDED, maxLength: 200 },
);

test('every value is in the bin that its edges say, and in one only', () => {
  fc.assert(
    fc.property(times, (measured) => {
      const list = measured.map(hundredths);
      const { edgesMs = [], counts = [] } = distributionOf(sorted(measured)) ?? {};
      expect(edgesMs).toEqual([...edgesMs].sort((a, b) => a - b));
      counts.forEach((count, index) => {
        // What is quicker than the first edge of all is in the first bin.
        const from = index === 0 && edgesMs[0] === 0.01 ? 0 : (edgesMs[index] ?? 0);
        const inside = list.filter((ms) => ms >= from && ms < (edgesMs[index + 1] ?? 0));
        expect(count).toBe(inside.length);
      });
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(list.length);
      expect(edgesMs.length).toBe(counts.length + 1);
    }),
  );
});

test('two humps stay two', () => {
  const list = Array.from({ length: 100 }, (_, index) => (index < 70 ? 2 + index / 1000 : 200 + index / 1000));
  const { counts = [], edgesMs = [] } = distributionOf(sorted(list)) ?? {};
  expect(counts.filter((count) => count > 0)).toEqual([70, 30]);
  expect(edgesMs[0]).toBeLessThanOrEqual(2);
  expect(counts.length).toBe(21);
});

test('of few values there is none', () => {
  expect(distributionOf(sorted(new Array(VALUES_NEEDED - 1).fill(5)))).toBeUndefined();
  expect(distributionOf(sorted(new Array(VALUES_NEEDED).fill(5)))).toEqual({ edgesMs: [3.981, 5.012], counts: [20] });
});
