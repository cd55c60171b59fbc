import { expect, test } from 'vitest';
import type { AddressesFacts } from '../../../schemas/facts.ts';
import { soundHealth } from '../../verdicts/testing/facts.ts';
import { judgeAddresses } from './addresses.ts';

const health = soundHealth();

const LIMIT = 100;
const EXTRA = 5;

function judged(admitted: readonly number[], changes: Partial<AddressesFacts> = {}) {
  const parts = admitted.map((count, index) => {
    const refused = LIMIT + EXTRA - count;
    return { runner: index + 1, admitted: count, refused, statuses: { 200: count, 429: refused } };
  });
  const sent = admitted.length * (LIMIT + EXTRA);
  const together = admitted.reduce((sum, count) => sum + count, 0);
  const own = { ...health, sent, planned: sent };
  return judgeAddresses({
    kind: 'addresses',
    limitId: 'inference.concurrency',
    limit: LIMIT,
    parts,
    together,
    health: own,
    ...changes,
  });
}

test('runners that all get what one address may have are counted apart', () => {
  expect(judged([100, 100, 100])).toMatchObject({
    verdict: 'holds',
    observed:
      '300 served at once, 15 refused (100 of runner 1, 100 of runner 2, 100 of runner 3): 3 addresses are counted apart',
  });
});

test('runners behind one address share its limit, whichever of them gets it', () => {
  expect(judged([100, 63, 37])).toMatchObject({
    verdict: 'holds',
    observed: expect.stringContaining(': 2 addresses are counted apart'),
  });
});

test('runners that get the limit together may have one address: nothing is said against the limit', () => {
  expect(judged([60, 40])).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('--other-address'),
  });
});

test.each<readonly number[]>([
  [100, 99],
  [60, 30],
  [100, 100, 50],
  [105, 105],
])('no number of addresses comes to %i and %i', (...admitted) => {
  expect(judged(admitted)).toMatchObject({ verdict: 'broken' });
});

test.each<[string, Partial<AddressesFacts>]>([
  ['in flight at once', { together: 150 }],
  ['may be an overload', { parts: [{ runner: 1, admitted: 100, refused: 5, statuses: { 200: 100, 503: 5 } }] }],
  ['no usable answer', { health: { ...health, sent: 211, planned: 210 } }],
  [
    'left no ledger',
    { health: { ...health, runners: { count: 3, skewMs: 0, errorMs: 0, faults: ['runner 3 of 3 left no ledger'] } } },
  ],
])('%s: nothing is known', (why, changes) => {
  expect(judged([100, 100], changes)).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining(why) });
});
