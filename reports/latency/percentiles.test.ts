import fc from 'fast-check';
import { expect, test } from 'vitest';
import { percentileNames } from '../../schemas/latency.ts';
import { missingPercentiles, nearestRank, percentilesOf, shares, sorted, valuesNeeded } from './percentiles.ts';

const ms = fc.integer({ min: 0, max: 1e7 }).map((hundredths) => hundredths / 100);
const values = fc.array(ms, { minLength: 1, maxLength: 400 });
const share = fc.constantFrom(...Object.values(shares));

test('a percentile is a value that was measured, with its share of the others at or below it and no less', () => {
  fc.assert(
    fc.property(values, share, (all, part) => {
      const found = nearestRank(sorted(all), part);
      expect(all).toContain(found);
      const atMost = all.filter((one) => one <= found).length;
      const below = all.filter((one) => one < found).length;
      expect(atMost).toBeGreaterThanOrEqual(part * all.length - 1e-6);
      expect(below).toBeLessThan(part * all.length + 1e-6);
    }),
  );
});

test('percentiles rise, end at the largest and do not depend on the order', () => {
  fc.assert(
    fc.property(values, (all) => {
      const found = percentilesOf(sorted(all));
      const reported = percentileNames.flatMap((name) => found?.[name] ?? []);
      expect(reported).toEqual([...reported].sort((a, b) => a - b));
      expect(found?.max).toBe(Math.max(...all));
      expect(percentilesOf(sorted([...all].reverse()))).toEqual(found);
    }),
  );
});

test('twice the same values have the same percentiles', () => {
  fc.assert(
    fc.property(values, share, (all, part) => {
      expect(nearestRank(sorted([...all, ...all]), part)).toBe(nearestRank(sorted(all), part));
    }),
  );
});

test('the ranks of a hundred are what their names say', () => {
  const hundred = sorted(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(percentilesOf(hundred)).toEqual({ p50: 50, p90: 90, p95: 95, p99: 99, max: 100 });
});

test('no percentile that so few values cannot carry', () => {
  fc.assert(
    fc.property(values, (all) => {
      const found = percentilesOf(sorted(all)) ?? { max: 0 };
      for (const name of percentileNames) expect(found[name] !== undefined).toBe(all.length >= valuesNeeded[name]);
      const missing = percentileNames.filter((name) => found[name] === undefined);
      expect(missingPercentiles(all.length)?.match(/p\d+/g) ?? []).toEqual(missing);
    }),
  );
  expect(percentilesOf(sorted([]))).toBeUndefined();
  expect(missingPercentiles(99)).toBe('p99 needs 100 values; there are 99');
});

test('where a percentile is reported, at least one value is expected beyond it', () => {
  for (const name of ['p90', 'p95', 'p99'] as const) {
    expect(valuesNeeded[name] * (1 - shares[name])).toBeCloseTo(1);
  }
});
