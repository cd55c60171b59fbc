import { expect, test } from 'vitest';
import type { CheckFacts, CheckOutcome, Expectation } from '../../schemas/facts.ts';
import type { Level } from '../../schemas/verdicts.ts';
import { judgeCheck } from './check.ts';

function facts(outcome: CheckOutcome, level: Level = 'documented'): CheckFacts {
  return {
    id: 'run.returns-id',
    title: 'run returns a job id',
    clauses: ['run.id'],
    level,
    outcome,
    exchanges: [],
    durationMs: 1,
  };
}

const met: Expectation = { what: 'status', expected: '200', observed: '200', holds: true };
const unmet: Expectation = { what: 'id', expected: 'a string', observed: 'nothing', holds: false };
const ran = (...expectations: Expectation[]): CheckOutcome => ({ kind: 'ran', expectations });

test.each<[string, CheckFacts, string]>([
  ['all met', facts(ran(met)), 'pass'],
  ['one unmet, documented', facts(ran(met, unmet)), 'fail'],
  ['one unmet, convention', facts(ran(met, unmet), 'convention'), 'warn'],
  ['one unmet, observed', facts(ran(met, unmet), 'observed'), 'observed'],
  ['nothing asked', facts(ran()), 'error'],
  ['skipped', facts({ kind: 'skipped', by: 'profile', why: 'x' }), 'skipped'],
  ['not observable', facts({ kind: 'not-observable', needs: 'x' }), 'not-observable'],
  ['inconclusive', facts({ kind: 'inconclusive', reason: 'x', remedy: 'y' }), 'inconclusive'],
  ['harness error', facts({ kind: 'error', message: 'x' }), 'error'],
])('%s', (_, given, verdict) => {
  expect(judgeCheck(given).verdict).toBe(verdict);
});

test('a failing check lists only broken expectations', () => {
  expect(judgeCheck(facts(ran(met, unmet)))).toMatchObject({ expected: 'id: a string', observed: 'id: nothing' });
});

test('what held keeps its first and last exchanges, and what did not keeps all', () => {
  const exchanges = Array.from({ length: 20 }, (_, index) => ({
    method: 'GET',
    url: `http://x.local/${index}`,
    requestHeaders: {},
    durationMs: 1,
  }));
  const kept = (outcome: CheckOutcome) => judgeCheck({ ...facts(outcome), exchanges }).evidence?.exchanges ?? [];
  expect(kept(ran(met)).map(({ url }) => url.split('/').at(-1))).toEqual(['0', '1', '18', '19']);
  expect(kept(ran(unmet))).toHaveLength(20);
  expect(kept({ kind: 'inconclusive', reason: 'r', remedy: 's' })).toHaveLength(20);
});

test('of many findings the first few are listed, and how many more there are', () => {
  const many = Array.from(
    { length: 30 },
    (_, index): Expectation => ({ ...unmet, what: `the result of job ${index}` }),
  );
  const { expected, observed, evidence } = judgeCheck(facts(ran(...many)));
  expect(expected).toMatch(/job 0: a string; .*job 3: a string; and 26 more like these$/);
  expect(observed).toMatch(/job 3: nothing; and 26 more like these$/);
  expect(evidence?.expectations).toHaveLength(30);
});
