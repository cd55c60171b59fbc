import { expect, test } from 'vitest';
import type { ResultCheck } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { check } from '../testing/fixtures.ts';
import { gather, type PlacedDifference } from './sentences.ts';

const one = (id: string, verdict: Verdict, observed = 'o'): ResultCheck => {
  const expectations = [{ what: 'w', expected: 'e', observed, holds: verdict === 'pass' }];
  return check({ id, title: id, clauses: [], level: 'documented' }, { verdict, evidence: { expectations } });
};
const missing: PlacedDifference = { operation: 'run', request: 'POST run', text: 'has no `id`', aspect: ['id'] };
const status: PlacedDifference = { ...missing, text: 'answers 500 where the reference answers 400', aspect: ['500'] };

const kinds = (checks: readonly ResultCheck[], found: Readonly<Record<string, readonly PlacedDifference[]>>) =>
  gather(checks, new Map(Object.entries(found))).map(({ text, kind, checks: ids }) => [text, kind, ids]);

test('a difference that only broken checks have goes with the break', () => {
  expect(kinds([one('run.a', 'fail')], { 'run.a': [missing] })).toEqual([[missing.text, 'spec', ['run.a']]]);
  expect(kinds([one('run.a', 'warn')], { 'run.a': [missing] })).toEqual([[missing.text, 'convention', ['run.a']]]);
});

test('one that checks pass with goes with a break only where the break speaks of it', () => {
  const found = { 'run.a': [missing], 'run.b': [missing] };
  expect(kinds([one('run.a', 'pass'), one('run.b', 'fail', 'too late')], found)).toEqual([
    [missing.text, 'different', ['run.b', 'run.a']],
  ]);
  expect(kinds([one('run.a', 'pass'), one('run.b', 'fail', 'the body has no id')], found)[0]?.[1]).toBe('spec');
});

test('a difference without a finding is different only', () => {
  expect(kinds([one('run.a', 'pass'), one('run.b', 'observed')], { 'run.a': [missing], 'run.b': [missing] })).toEqual([
    [missing.text, 'different', ['run.b', 'run.a']],
  ]);
});

test('the gravest first, then the most frequent; each once', () => {
  const checks = [one('run.a', 'pass'), one('run.b', 'pass'), one('run.c', 'fail')];
  const other = { ...missing, request: 'GET run' };
  const found = { 'run.a': [other], 'run.b': [missing, other], 'run.c': [status] };
  expect(kinds(checks, found).map(([text, kind, ids]) => [text, kind, ids?.length])).toEqual([
    [status.text, 'spec', 1],
    [missing.text, 'different', 2],
    [missing.text, 'different', 1],
  ]);
});
