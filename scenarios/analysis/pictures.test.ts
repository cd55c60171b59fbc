/** What the pictures of a rate say is never more than what happened. */
import { expect, test } from 'vitest';
import type { LedgerRow } from '../../schemas/ledger-rows.ts';
import { entryOf } from '../testing/ledger.ts';
import { arrivalsPicture } from './pictures.ts';

function at(sentMs: number, firstByteMs: number, status = 200): LedgerRow {
  return entryOf({ phase: 'burst', operation: 'purge-queue', sentMs, firstByteMs, endMs: firstByteMs, status });
}

const limit = { value: 2, windowMs: 10_000 };
const picture = (entries: readonly LedgerRow[]) =>
  arrivalsPicture(entries, ({ status }) => (status === 429 ? 'refused' : 'admitted'), limit);

test('the burst and its refill a window later are not in one window, for any width of the bins', () => {
  // A poll that was sent within ten seconds of the burst and reached the target after them.
  const shown = picture([
    at(10_600, 10_604),
    at(10_600, 10_605),
    at(10_700, 10_702, 429),
    at(20_598, 20_606),
    at(94_000, 94_001),
  ]);
  expect(shown.binMs).toBe(350);
  expect(shown.admitted.reduce((sum, count) => sum + count)).toBe(4);
  expect(Math.max(...(shown.inWindow ?? []))).toBe(2);
  expect(shown.inWindow?.length).toBe(shown.admitted.length);
});

test('one too many within a window is seen, and goes with the window', () => {
  const { inWindow = [], binMs } = picture([at(1000, 1004), at(1000, 1005), at(10_990, 10_995), at(60_000, 60_001)]);
  expect(Math.max(...inWindow)).toBe(3);
  expect(inWindow[Math.ceil(22_000 / binMs)]).toBe(0);
});

test('the last answer may come after the last bin', () => {
  const { inWindow } = picture([at(0, 5000)]);
  expect(inWindow).toEqual([1]);
});
