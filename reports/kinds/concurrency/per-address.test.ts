import { expect, test } from 'vitest';
import type { ConcurrencyFacts, ElsewhereCounts } from '../../../schemas/facts.ts';
import { limitsOf } from '../../../schemas/limits.ts';
import { exactConcurrency, wave } from '../../verdicts/testing/facts.ts';
import { judgePerAddress } from './addresses.ts';

const limit = limitsOf('concurrent-requests').find((one) => one.per === 'address');
if (!limit) throw new Error('no limit is counted by address');
const row = limit;

const spared: ElsewhereCounts = {
  address: '10.0.0.2',
  alone: wave(1),
  meanwhile: wave(3),
  stillFull: wave(1, { refusedEarly: 1 }),
  statuses: { 200: 4 },
  error: '',
};
const refusedToo = { meanwhile: wave(3, { refusedEarly: 3 }), statuses: { 200: 1, 429: 3 } };

const judged = (elsewhere: Partial<ElsewhereCounts>, changes: Partial<ConcurrencyFacts> = {}) =>
  judgePerAddress(exactConcurrency(row.id, row.value, changes), { ...spared, ...elsewhere }, row);

test('another address is served while the first has all its slots taken, before and after', () => {
  expect(judged({}).verdict).toBe('holds');
});

test('another address that is refused during it is counted together with the first', () => {
  expect(judged(refusedToo)).toMatchObject({ verdict: 'broken', observed: expect.stringContaining('10.0.0.2') });
});

test.each<[string, Partial<ElsewhereCounts>, Partial<ConcurrencyFacts>, string]>([
  ['nothing can be sent from it', { error: 'EADDRNOTAVAIL', alone: wave(1, { lost: 1 }) }, {}, '--other-address'],
  ['it is refused also by itself', { ...refusedToo, alone: wave(1, { refusedEarly: 1 }) }, {}, 'nothing is in flight'],
  ['it gets no answer by itself', { ...refusedToo, alone: wave(1, { lost: 1 }) }, {}, 'nothing is in flight'],
  ['it was not tried', { meanwhile: wave(0) }, {}, 'all its slots'],
  ['the first address was not full', refusedToo, { beyond: wave(3) }, 'all its slots'],
  [
    'the first address was refused early',
    refusedToo,
    { within: wave(row.value, { refusedEarly: 1 }) },
    'all its slots',
  ],
  ['it met an overload', { ...refusedToo, statuses: { 503: 3 } }, {}, 'overload'],
  ['its requests were lost', { meanwhile: wave(3, { lost: 1 }) }, {}, 'no usable answer'],
  ['the slots had come free', { stillFull: wave(1) }, {}, 'not all taken any more'],
])('where %s nothing is said', (_, elsewhere, changes, reason) => {
  expect(judged(elsewhere, changes)).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining(reason),
  });
});
