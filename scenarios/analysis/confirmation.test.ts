/** Two bursts and the boundaries of windows, wherever those lie. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areApart } from './confirmation.ts';

const WINDOW_MS = 10_000;
const burst = fc
  .record({ fromMs: fc.integer({ min: 0, max: 100_000 }), lastsMs: fc.integer({ min: 0, max: 12_000 }) })
  .map(({ fromMs, lastsMs }) => ({ fromMs, toMs: fromMs + lastsMs }));

test('of two bursts that are apart one meets no boundary, wherever the boundaries are', () => {
  fc.assert(
    fc.property(burst, burst, fc.integer({ min: 0, max: WINDOW_MS }), (one, other, boundaryMs) => {
      fc.pre(areApart(one, other, WINDOW_MS));
      const windowOf = (ms: number) => Math.floor((ms - boundaryMs) / WINDOW_MS);
      const met = [one, other].filter(({ fromMs, toMs }) => windowOf(fromMs) !== windowOf(toMs));
      expect(met.length).toBeLessThan(2);
    }),
  );
});

test.each([
  ['half a window off', 5000, true],
  ['many windows and a half off', 75_000, true],
  ['at the same phase', 30_000, false],
  ['a little later in the window', 32_000, false],
  ['a little earlier in the window', 28_000, false],
])('%s', (_, laterMs, expected) => {
  const one = { fromMs: 1000, toMs: 4000 };
  const other = { fromMs: one.fromMs + laterMs, toMs: one.toMs + laterMs };
  expect(areApart(one, other, WINDOW_MS)).toBe(expected);
  expect(areApart(other, one, WINDOW_MS)).toBe(expected);
});

test('one that cannot be placed on the wall clock is apart from nothing', () => {
  expect(areApart(null, { fromMs: 0, toMs: 1 }, WINDOW_MS)).toBe(false);
});
