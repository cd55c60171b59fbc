/** Spells of exhaustion: between refusals with nothing served meanwhile, on the wall clock. */
import { expect, test } from 'vitest';
import type { Ledger, LedgerEntry } from '../../schemas/ledger.ts';
import { exhaustionOf } from './exhaustion.ts';
import { classifier } from './outcome.ts';

const WALL_MS = 1_000_000;

function at(sentMs: number, status: number): LedgerEntry {
  const times = { sentMs, firstByteMs: sentMs + 2, endMs: sentMs + 2 };
  return { phase: 'burst', operation: 'run', ...times, status, error: '', note: '' };
}

function spellsOf(entries: readonly LedgerEntry[]) {
  const ledger: Ledger = { entries, marks: [{ mark: 'start', wallMs: WALL_MS, monotonicMs: 0 }], unreadable: 0 };
  return exhaustionOf(ledger, entries, classifier([at(0, 200)]), []);
}

test('from the answer of the first refusal to the sending of the last', () => {
  const { exhausted, served } = spellsOf([at(0, 200), at(10, 429), at(20, 429), at(30, 429), at(40, 200)]);
  expect(exhausted).toEqual([{ fromMs: WALL_MS + 12, toMs: WALL_MS + 30 }]);
  expect([...served.fromMs].map((ms) => ms - WALL_MS)).toEqual([0, 40]);
  expect([...served.toMs].map((ms) => ms - WALL_MS)).toEqual([2, 42]);
});

test('something served in between ends a spell, and another may follow', () => {
  const { exhausted } = spellsOf([at(0, 429), at(10, 429), at(20, 200), at(30, 429), at(50, 429)]);
  expect(exhausted.map(({ fromMs, toMs }) => [fromMs - WALL_MS, toMs - WALL_MS])).toEqual([
    [2, 10],
    [32, 50],
  ]);
});

test('one refusal alone is no spell', () => {
  expect(spellsOf([at(0, 200), at(10, 429), at(20, 200)]).exhausted).toEqual([]);
});
