import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderOf } from './observation.ts';

const moments = (max: number) => fc.float64Array({ min: 0, max, noNaN: true, maxLength: 200 });

test.for([10, 600_000, 1e15])('moments up to %f ms come in the order of time, each once', (max) => {
  fc.assert(
    fc.property(moments(max), (all) => {
      const order = orderOf(all);
      expect([...order].sort((a, b) => a - b)).toEqual([...all.keys()]);
      const sorted = Array.from(order, (index) => all[index] ?? 0);
      for (const [index, ms] of sorted.entries()) {
        // To a thousandth of a millisecond: closer ones may come in any order.
        expect(ms).toBeGreaterThanOrEqual((sorted[index - 1] ?? Number.NEGATIVE_INFINITY) - 0.0011);
      }
    }),
  );
});
