import { expect, test } from 'vitest';
import { verdicts } from '../schemas/verdicts.ts';
import { bySeverity, mostSevere, worstFirst } from './severity.ts';

test('every verdict has its place', () => {
  expect([...bySeverity].sort()).toEqual([...verdicts].sort());
});

test.each([
  [['pass', 'fail', 'error'], 'fail'],
  [['pass', 'skipped'], 'skipped'],
  [['pass', 'not-observable', 'inconclusive'], 'inconclusive'],
  [['observed', 'pass'], 'observed'],
  [[], undefined],
] as const)('of %j counts %s', (list, expected) => {
  expect(mostSevere(list)).toBe(expected);
});

test('sorting keeps the order among equals and leaves the original alone', () => {
  const list = [
    { verdict: 'pass', id: 1 },
    { verdict: 'fail', id: 2 },
    { verdict: 'pass', id: 3 },
  ] as const;
  expect(worstFirst(list).map((one) => one.id)).toEqual([2, 1, 3]);
  expect(list[0].id).toBe(1);
});
