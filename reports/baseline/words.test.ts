import { expect, test } from 'vitest';
import type { BaselineReport } from '../../schemas/results.ts';
import { baselineResults } from '../testing/fixtures-baseline.ts';
import { debt, excuse, outdatedWords, remarks } from './words.ts';

const empty: BaselineReport = {
  file: 'b.yaml',
  entries: 0,
  elsewhere: 0,
  known: 0,
  nextExpires: null,
  stale: [],
  expired: [],
  unobserved: [],
  quiet: [],
  unexplained: [],
};
const outdated = { check: 'run.route', at: 'b.yaml:3', target: '*', why: 'w', remedy: 'r' };

test('an excuse has a reason, and what else there is', () => {
  expect(excuse({ verdict: 'fail', reason: 'old gateway' })).toBe('expected to fail: old gateway');
  expect(excuse({ verdict: 'warn', reason: 'a', ticket: 'OPS-7', expires: '2026-12-01', flaky: true })).toBe(
    'expected to warn: a (OPS-7, expires 2026-12-01, flaky)',
  );
});

test('the debt is counted by kind, with the day on which it is due', () => {
  expect(debt(baselineResults('green'))).toBe('2 known failures and 1 known warning, next expires 2026-12-01');
  expect(debt(baselineResults('settled'))).toBeUndefined();
  const { baseline, ...rest } = baselineResults('green');
  expect(debt({ ...rest, baseline: { ...empty, ...baseline, nextExpires: null } })).toBe(
    '2 known failures and 1 known warning, no expiry date given',
  );
});

test('what fails the run is counted by kind', () => {
  expect(outdatedWords(undefined)).toBeUndefined();
  expect(outdatedWords(empty)).toBeUndefined();
  expect(outdatedWords({ ...empty, stale: [outdated] })).toBe('1 stale entry');
  expect(outdatedWords({ ...empty, stale: [outdated], expired: [outdated, outdated] })).toBe(
    '1 stale and 2 expired entries',
  );
});

test('a run without a baseline has nothing to remark, one in order neither', () => {
  expect([...remarks(undefined), ...remarks(empty)]).toEqual([]);
});

test('an update says what it wrote', () => {
  const updated = { added: ['a', 'b'], removed: [], seen: ['c'] };
  expect(remarks({ ...empty, updated })).toEqual([
    { text: 'b.yaml written: 2 added, 0 removed, 1 seen again.', urgent: false },
  ]);
  expect(remarks({ ...empty, updated: { added: [], removed: [], seen: [] } })[0]?.text).toContain(
    'nothing was written',
  );
});

test('a missing reason is urgent; an entry that was not observed is listed with its verdict', () => {
  const unobserved = [
    { check: 'a', verdict: 'skipped' as const },
    { check: 'b', verdict: null },
    { check: 'c', verdict: null },
  ];
  const said = remarks({ ...empty, unexplained: ['a', 'b', 'c', 'd', 'e'], unobserved, quiet: ['f'] });
  expect(said).toEqual([
    {
      text: '5 entries of b.yaml have no reason yet: write one in place of TODO, for a, b, c and 2 more.',
      urgent: true,
    },
    { text: 'Flaky, and passed this time: f.', urgent: false },
    {
      text: '3 entries of b.yaml not observed in this run, and left alone: 1 skipped, 2 not selected.',
      urgent: false,
    },
  ]);
});
