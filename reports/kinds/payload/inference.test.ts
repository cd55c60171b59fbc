import { expect, test } from 'vitest';
import type { PayloadAttempt } from '../../../schemas/facts.ts';
import { payloadAttempt, soundHealth } from '../../verdicts/testing/facts.ts';
import { judgeInferencePayload } from './index.ts';

const judged = (attempts: readonly PayloadAttempt[], complete = true) =>
  judgeInferencePayload({
    kind: 'inference-payload',
    operation: 'chat',
    capBytes: 4_000_000,
    attempts,
    health: soundHealth({ complete }),
  });

const small = payloadAttempt(1000, 'accepted');

test('the result is reported as an interval, with the form of the refusal', () => {
  const attempts = [small, payloadAttempt(2_000_000, 'refused'), payloadAttempt(1_500_000, 'accepted')];
  expect(judged(attempts).observed).toMatch(
    /^accepted up to 1,500,000 bytes, refused from 2,000,000 bytes on \(.*413\)/,
  );
});

test('where nothing is refused, the largest that was tried is reported', () => {
  expect(judged([small, payloadAttempt(4_000_000, 'accepted')])).toMatchObject({
    verdict: 'holds',
    observed: 'all were accepted, up to 4,000,000 bytes',
  });
});

test.each<[string, readonly PayloadAttempt[], boolean, RegExp]>([
  ['a small body refused', [payloadAttempt(1000, 'refused')], true, /not even a small body/],
  ['a server error', [small, payloadAttempt(65_536, 'other')], true, /neither/],
  ['a probe cut off', [small], false, /cut off/],
  ['nothing sent', [], true, /no body was sent/],
])('%s says nothing', (_, attempts, complete, reason) => {
  const claim = judged(attempts, complete);
  expect(claim.verdict).toBe('inconclusive');
  expect(claim.reason).toMatch(reason);
});
