import { expect, test } from 'vitest';
import type { UnlimitedFacts } from '../../../schemas/facts.ts';
import { documentedTable } from '../../../schemas/limits.ts';
import { soundHealth } from '../../verdicts/testing/facts.ts';
import { judgeUnlimited } from './judge.ts';

function facts(changes: Partial<UnlimitedFacts['part']> = {}, rest: Partial<UnlimitedFacts> = {}): UnlimitedFacts {
  const part = {
    sent: 4000,
    admitted: 4000,
    refused: 0,
    statuses: { 200: 4000 },
    wrong: {},
    fromMs: 0,
    toMs: 9000,
    refusedWithinLimit: 0,
    ...changes,
  };
  return {
    kind: 'unlimited',
    instId: 'inst-a',
    operation: 'health',
    part,
    fullestWindow: 4000,
    health: soundHealth(),
    ...rest,
  };
}

test.each<[string, UnlimitedFacts, string]>([
  ['all answered far beyond the highest limit', facts(), 'holds'],
  ['one refusal', facts({ admitted: 3999, refused: 1, statuses: { 200: 3999, 429: 1 } }), 'broken'],
  [
    'a server error may be an overload',
    facts({ admitted: 3999, refused: 1, statuses: { 200: 3999, 503: 1 } }),
    'inconclusive',
  ],
  ['an answer that is neither', facts({ admitted: 3999, statuses: { 200: 3999, 500: 1 } }), 'inconclusive'],
  ['too little load', facts({}, { fullestWindow: 1500 }), 'inconclusive'],
  ['less than planned, but enough', facts({}, { health: soundHealth({ planned: 5000, sent: 4000 }) }), 'holds'],
  ['an operation that is not there', facts({ statuses: { 404: 4000 } }), 'inconclusive'],
  ['a lost answer', facts({}, { health: soundHealth({ unanswered: 1 }) }), 'inconclusive'],
  ['cut off', facts({}, { health: soundHealth({ complete: false }) }), 'inconclusive'],
])('%s', (_, given, verdict) => {
  expect(judgeUnlimited(given, documentedTable).verdict).toBe(verdict);
});
