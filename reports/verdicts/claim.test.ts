import { expect, test } from 'vitest';
import { broken, type Claim, claimOf, holds, inconclusive, mergeRetry, strongest, verdictOf } from './claim.ts';

const yes = holds('a', 'b');
const no = broken('a', 'c');
const maybe = inconclusive('a', 'd', 'too little');

test.each<[string, Claim[], Claim['verdict'] | undefined]>([
  ['nothing', [], undefined],
  ['one break among many', [yes, no, maybe], 'broken'],
  ['one answer among doubts', [maybe, yes], 'holds'],
  ['a harness error beside an answer', [yes, claimOf({ kind: 'error', message: 'broke' }, 'a')], 'error'],
  ['a skip beside a doubt', [claimOf({ kind: 'skipped', by: 'profile', why: 'smoke' }, 'a'), maybe], 'inconclusive'],
])('of %s the strongest is kept', (_, claims, expected) => {
  expect(strongest(claims)?.verdict).toBe(expected);
});

test('claims of equal strength are listed together, each once', () => {
  const both = strongest([no, broken('a', 'e'), no]);
  expect(both).toEqual({ verdict: 'broken', expected: 'a', observed: 'c; e' });
});

test.each<[string, Claim | undefined, Claim | undefined, string | undefined]>([
  ['nothing at all', undefined, undefined, undefined],
  ['asked once', yes, undefined, 'b'],
  ['a doubt and then an answer', maybe, yes, 'b'],
  ['a doubt and then a break', maybe, no, 'c'],
  ['a doubt and a skip, as when the run is stopped', maybe, claimOf({ kind: 'skipped', by: 'x', why: 'y' }, 'a'), 'd'],
  ['an answer and then a doubt', yes, maybe, 'b'],
  ['an answer and then a break', yes, no, 'c'],
  ['a break and then an answer', no, yes, 'c'],
  ['an answer twice', yes, holds('a', 'e'), 'b'],
])('retried, %s: the final claim', (_, first, again, observed) => {
  expect(mergeRetry(first, again)?.observed).toBe(observed);
});

test('the reason of a retry that differs in its numbers alone is said once', () => {
  const lost = (count: string) => inconclusive('a', `${count} seen`, `${count} of 20 got no answer`);
  expect(mergeRetry(lost('2'), lost('1,003.5'))).toMatchObject({ reason: '1,003.5 of 20 got no answer' });
  expect(mergeRetry(maybe, lost('2'))).toMatchObject({ reason: '2 of 20 got no answer; too little' });
});

test('only what is documented can fail, only what is judged can pass', () => {
  expect(['documented', 'convention', 'observed'].map((level) => verdictOf(no, level as 'documented'))).toEqual([
    'fail',
    'warn',
    'observed',
  ]);
  expect(['documented', 'convention', 'observed'].map((level) => verdictOf(yes, level as 'documented'))).toEqual([
    'pass',
    'pass',
    'observed',
  ]);
  expect(verdictOf(maybe, 'observed')).toBe('inconclusive');
  expect([no, yes, maybe].map((claim) => verdictOf(claim, 'goal'))).toEqual(['fail', 'pass', 'inconclusive']);
});

test('a skip names its cause, and what a target would have to offer', () => {
  expect(claimOf({ kind: 'skipped', by: 'profile', why: 'smoke sends no bursts' }, 'a').reason).toBe(
    'skipped by profile: smoke sends no bursts',
  );
  expect(claimOf({ kind: 'not-observable', needs: '--dedicated' }, 'a').reason).toBe('needs --dedicated');
  expect(claimOf({ kind: 'inconclusive', reason: 'slow', remedy: 'use more workers' }, 'a').reason).toBe(
    'slow; use more workers',
  );
});
