import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Percentiles } from '../../schemas/latency.ts';
import { renderPercentiles, sharedScale } from './percentiles.ts';
import { WIDTH } from './plot.ts';

const rising = fc
  .array(fc.double({ min: 0, max: 1e5, noNaN: true }), { minLength: 5, maxLength: 5 })
  .map((values) => [...values].sort((a, b) => a - b))
  .map(([p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0]): Percentiles => ({ p50, p90, p95, p99, max }));

test('all marks of all rows are on the picture, and a longer time is never further left', () => {
  fc.assert(
    fc.property(fc.array(rising, { minLength: 1 }), (rows) => {
      const { x } = sharedScale(rows);
      for (const { p50 = 0, p99 = 0, max } of rows) {
        const places = [p50, p99, max].map(x);
        expect(places).toEqual([...places].sort((a, b) => a - b));
        for (const place of places) expect(place >= 0 && place <= WIDTH).toBe(true);
      }
    }),
  );
});

test('it says in words what it shows', () => {
  const one = { p50: 1.2, max: 3000 };
  const { text } = renderPercentiles(one, sharedScale([one]));
  expect(text).toContain('aria-label="p50 1.2 ms, max 3,000 ms"');
  expect(text).toContain('>1 s<');
  expect(text).not.toContain('NaN');
});

test('one value and none beside it is a mark at that value', () => {
  const { text } = renderPercentiles({ max: 5 }, sharedScale([{ max: 5 }]));
  expect(text).toContain('class="cross');
  expect(text).not.toContain('class="dot');
});
