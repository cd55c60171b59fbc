import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Percentiles } from '../../schemas/latency.ts';
import { renderLatency, sharedScale } from './percentiles.ts';
import { WIDTH } from './plot.ts';

const rising = fc
  .array(fc.double({ min: 0, max: 1e5, noNaN: true }), { minLength: 5, maxLength: 5 })
  .map((values) => [...values].sort((a, b) => a - b))
  .map(([p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0]): Percentiles => ({ p50, p90, p95, p99, max }));

test('all marks of all rows are on the picture, and a longer time is never further left', () => {
  fc.assert(
    fc.property(fc.array(rising, { minLength: 1 }), (rows) => {
      const { x } = sharedScale(rows.map((latency) => ({ latency })));
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
  const { text } = renderLatency({ latency: one }, sharedScale([{ latency: one }]));
  expect(text).toContain('aria-label="p50 1.2 ms, max 3,000 ms"');
  expect(text).toContain('>1 s<');
  expect(text).not.toContain('NaN');
});

test('one value alone is a mark at that value', () => {
  const { text } = renderLatency({ latency: { max: 5 } }, sharedScale([{ latency: { max: 5 } }]));
  expect(text).toContain('class="cross');
  expect(text).not.toContain('class="dot');
});

test('the hill stands on the scale, its quickest and its rarest time too', () => {
  const distribution = { edgesMs: [0.01, 0.01259, 0.01585, 0.01995], counts: [1, 0, 9999] };
  const one = { latency: { p50: 3, max: 5 }, distribution };
  const { text } = renderLatency(one, sharedScale([one]));
  const blocks =
    /class="hill" d="([^"]+)"/
      .exec(text)?.[1]
      ?.split('z')
      .filter((block) => block !== '') ?? [];
  expect(blocks.length).toBe(2);
  const heights = blocks.map((block) => Number(/v-([\d.]+)/.exec(block)?.[1]));
  expect(heights).toEqual([1, 28]);
  for (const block of blocks) expect(Number(/^M([\d.]+)/.exec(block)?.[1])).toBeGreaterThanOrEqual(0);
  expect(renderLatency({ latency: one.latency }, sharedScale([one])).text).not.toContain('hill');
});
