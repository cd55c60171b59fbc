/** What was seen, in the order of time, and how far a model is from it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../schemas/ledger.ts';
import { anchoredWindow, slidingLog } from './limiters.ts';
import { deviation, observe, orderOf, parts } from './observation.ts';

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

const entry = (phase: string, sentMs: number, status: number): LedgerEntry => ({
  phase,
  operation: 'run',
  sentMs,
  firstByteMs: sentMs,
  endMs: sentMs,
  status,
  error: '',
  note: '',
});
const classify = ({ status }: LedgerEntry) => (status === 429 ? ('refused' as const) : ('admitted' as const));

/** Two at 0 ms, which is all there is, and polls each 10 ms, of which the last one is admitted. */
function polled(phase: string, lastMs: number, few: boolean) {
  const polls = Array.from({ length: lastMs / 10 }, (_, index) =>
    entry(phase, (index + 1) * 10, (index + 1) * 10 === lastMs ? 200 : 429),
  );
  const seen = observe([entry('burst', 0, 200), entry('burst', 0, 200), ...polls], classify, { pollMs: 10, few });
  if (!seen) throw new Error('every request was answered');
  return seen;
}

test.for<[number, number]>([
  [100, 0],
  [80, 2],
  [50, 5],
  [120, 2],
  [150, 5],
])('polls that end at %i ms are %i polls from a log of 100 ms', ([lastMs, polls]) => {
  const seen = polled('return', lastMs, false);
  expect(deviation(seen, () => slidingLog(2, 100)).return).toBe(polls);
});

test('what follows such polls is compared with a model that saw only what was sent', () => {
  const seen = polled('return', 50, false);
  const partAt = Uint8Array.from([...seen.partAt, parts.indexOf('echo')]);
  const [atMs, admitted] = [Float64Array.from([...seen.atMs, 100]), Uint8Array.from([...seen.admitted, 1])];
  const differing = deviation({ ...seen, partAt, atMs, admitted }, () => slidingLog(2, 100));
  expect(differing).toMatchObject({ return: 5, echo: 0 });
});

test('where few are admitted, a poll that comes back sooner or later counts by how much', () => {
  const differing = (few: boolean, ms: number) => deviation(polled('recovery', 100, few), () => anchoredWindow(2, ms));
  expect([100, 90, 50].map((ms) => differing(false, ms).recovery)).toEqual([0, 1, 2]);
  expect([100, 90, 50].map((ms) => differing(true, ms).recovery)).toEqual([0, 2, 11]);
});

test('a burst that ends with what is refused counts what a model would have admitted beyond it', () => {
  const answers = (phase: string, atMs: number, admitted: number, refused: number) => [
    ...Array.from({ length: admitted }, () => entry(phase, atMs, 200)),
    ...Array.from({ length: refused }, () => entry(phase, atMs + 1, 429)),
  ];
  const sent = [...answers('burst', 0, 20, 2), ...answers('again', 150, 5, 2), ...answers('echo', 300, 15, 2)];
  const seen = observe(sent, classify, { pollMs: 10, few: false });
  if (!seen) throw new Error('every request was answered');
  // Of both windows the second ends in time, so 15 and 5 more were left over.
  expect(deviation(seen, () => anchoredWindow(20, 100))).toMatchObject({ first: 0, again: 15, echo: 5 });
  expect(deviation(seen, () => slidingLog(20, 1000))).toMatchObject({ again: 5, echo: 15 });
});
