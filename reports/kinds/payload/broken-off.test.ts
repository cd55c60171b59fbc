/** Cut connections and server errors: those of a size, and those of a road or a moment. */
import { expect, test } from 'vitest';
import type { PayloadAttempt, PayloadFacts } from '../../../schemas/facts.ts';
import { payloadAttempt, payloadFacts, soundHealth } from '../../verdicts/testing/facts.ts';
import { doubtOfBreak } from './judge.ts';

const small = payloadAttempt(1000, 'accepted');
const cut = payloadAttempt(20_000, 'broken-off');
const again = { ...cut, isRetry: true };
const smallCut = payloadAttempt(1000, 'broken-off');

function doubt(attempts: readonly PayloadAttempt[], changes: Partial<PayloadFacts['health']> = {}): string | undefined {
  const unanswered = attempts.filter(({ status }) => status === 0).length;
  const facts = payloadFacts('run.payload', 10_000, [10_000, 20_000]);
  return doubtOfBreak(cut, { ...facts, attempts, health: soundHealth({ unanswered, ...changes }) });
}

test('three of a size, with small bodies that are taken between them and afterwards, are for the size', () => {
  expect(doubt([small, cut, again, small, again, small])).toBeUndefined();
  expect(doubt([small, cut, small, again, again, small])).toBeUndefined();
});

test.each<[string, readonly PayloadAttempt[], RegExp]>([
  ['two may be chance', [small, cut, small, again, small], /broke off 2 times only/],
  ['all in a row may be one moment', [small, cut, again, again, small], /between these 3 times/],
  ['none is taken afterwards', [small, cut, again, small, again], /between these 3 times and afterwards/],
  ['a small one is cut too', [small, cut, again, small, again, smallCut, small], /1 requests that were not large/],
  [
    'a small one is answered 500',
    [small, cut, again, small, again, { ...smallCut, status: 500 }, small],
    /^1 requests/,
  ],
])('%s', (_, attempts, why) => expect(doubt(attempts)).toMatch(why));

test('all other missing responses count, and so does a ledger that is not whole', () => {
  const whole = [small, cut, again, small, again, small];
  expect(doubt(whole, { unanswered: 5 })).toMatch(/^2 requests/);
  expect(doubt(whole, { unreadable: 1 })).toMatch(/^1 lines/);
});
