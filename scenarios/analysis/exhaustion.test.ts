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

function spellsOf(entries: readonly LedgerEntry[], within: readonly LedgerEntry[] = []) {
  const ledger: Ledger = { entries, marks: [{ mark: 'start', wallMs: WALL_MS, monotonicMs: 0 }], unreadable: 0 };
  return exhaustionOf(ledger, entries, classifier([at(0, 200)]), within);
}

test('from the answer of the last that was served to the sending of the last refusal', () => {
  const { exhausted, served } = spellsOf([at(0, 200), at(10, 429), at(20, 429), at(30, 429), at(40, 200)]);
  expect(exhausted).toEqual([{ fromMs: WALL_MS + 2, toMs: WALL_MS + 30 }]);
  expect([...served.fromMs].map((ms) => ms - WALL_MS)).toEqual([0, 40]);
  expect([...served.toMs].map((ms) => ms - WALL_MS)).toEqual([2, 42]);
});

test('something served in between ends a spell, and another may follow', () => {
  const { exhausted } = spellsOf([at(0, 429), at(10, 429), at(20, 200), at(30, 429), at(50, 429)]);
  expect(exhausted.map(({ fromMs, toMs }) => [fromMs - WALL_MS, toMs - WALL_MS])).toEqual([
    [2, 10],
    [22, 50],
  ]);
});

test('one refusal alone shows what had come back until it was sent', () => {
  const { exhausted } = spellsOf([at(0, 200), at(10, 429), at(20, 200)]);
  expect(exhausted).toEqual([{ fromMs: WALL_MS + 2, toMs: WALL_MS + 10 }]);
});

test('it begins with its own answer where another was served meanwhile, or where the limit does not explain it', () => {
  const slow = { ...at(1, 200), firstByteMs: 90, endMs: 90 };
  const [first, last] = [at(10, 429), at(20, 429)];
  expect(spellsOf([at(0, 200), slow, first, last]).exhausted).toEqual([{ fromMs: WALL_MS + 12, toMs: WALL_MS + 20 }]);
  expect(spellsOf([at(0, 200), first, last], [first]).exhausted).toEqual([
    { fromMs: WALL_MS + 12, toMs: WALL_MS + 20 },
  ]);
});
