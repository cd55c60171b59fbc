import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Clause } from '../schemas/clauses/clause.ts';
import { type Verdict, verdicts } from '../schemas/verdicts.ts';
import { coverageOf } from './counts.ts';
import { check } from './testing/fixtures.ts';

const clause = (id: string, observable: Clause['observable'] = true): Clause => ({
  id,
  section: '8.2',
  level: 'documented',
  text: `what ${id} promises`,
  observable,
});

const asking = (id: string, clauses: readonly string[], verdict: Verdict) =>
  check({ id, title: id, clauses, level: 'documented' }, { verdict });

const some = [clause('a'), clause('b'), clause('c', { needs: 'a look inside' })];

test('every clause is listed in its order, with the checks that reported on it', () => {
  const { byClause } = coverageOf(some, [asking('x', ['b', 'a'], 'pass'), asking('y', ['b'], 'fail')]);
  expect(Object.entries(byClause)).toEqual([
    ['a', ['x']],
    ['b', ['x', 'y']],
    ['c', []],
  ]);
});

test.each([
  ['pass', 1],
  ['fail', 1],
  ['warn', 1],
  ['observed', 1],
  ['known', 1],
  ['inconclusive', 0],
  ['not-observable', 0],
  ['skipped', 0],
  ['error', 0],
] as const)('a clause whose one check is %s counts %i as checked', (verdict, checked) => {
  expect(coverageOf(some, [asking('x', ['a'], verdict)])).toMatchObject({ clauses: 3, observable: 2, checked });
});

test('one check that says something is enough', () => {
  expect(coverageOf(some, [asking('x', ['a'], 'skipped'), asking('y', ['a'], 'pass')]).checked).toBe(1);
});

test('what is counted never exceeds what there is', () => {
  const anyCheck = fc.record({
    id: fc.constantFrom('x', 'y', 'z'),
    clauses: fc.subarray(['a', 'b', 'c', 'elsewhere']),
    verdict: fc.constantFrom(...verdicts),
  });
  fc.assert(
    fc.property(fc.array(anyCheck), (list) => {
      const seen = coverageOf(
        some,
        list.map((one) => asking(one.id, one.clauses, one.verdict)),
      );
      expect(seen.checked).toBeLessThanOrEqual(seen.clauses);
      const listed = Object.values(seen.byClause).flat().length;
      expect(listed).toBe(list.reduce((sum, one) => sum + one.clauses.length, 0));
    }),
  );
});
