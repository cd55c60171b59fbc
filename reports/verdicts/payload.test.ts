import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import { measurePayload } from './measure.ts';
import { judgePayload } from './payload.ts';
import { payloadFacts, soundHealth } from './testing/facts.ts';

const [limit] = limitsOf('content-bytes');
if (!limit) throw new Error('a payload limit exists');
const { id, value, upperReading } = limit;
const refuseBytes = upperReading + 1;

function judged(border: number, extra: readonly number[] = [], refusal: 'refused' | 'reset' = 'refused') {
  const facts = payloadFacts(id, border, [value, refuseBytes, ...extra], refusal);
  const claims = judgePayload(facts, limit ?? never());
  const word = (aspect: string) => claims[`${id}.${aspect}`]?.verdict;
  return { guarantee: word('guarantee'), enforced: word('enforced'), refusal: word('refusal') };
}

function never(): never {
  throw new Error('unreachable');
}

test('both readings of a megabyte conform, and everything between them', () => {
  fc.assert(
    fc.property(fc.integer({ min: value, max: upperReading }), (border) => {
      expect(judged(border)).toEqual({ guarantee: 'holds', enforced: 'holds', refusal: 'holds' });
    }),
  );
});

test('a border one byte below the decimal reading breaks the guarantee only', () => {
  expect(judged(value - 1, [1000])).toMatchObject({ guarantee: 'broken', enforced: 'holds' });
});

test('a border one byte above the binary reading breaks the enforcement only', () => {
  expect(judged(refuseBytes)).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
});

test('neighbouring sizes give the border to the byte', () => {
  const facts = payloadFacts(id, 8_000_000, [value, refuseBytes, 1000, 8_000_000, 8_000_001]);
  expect(measurePayload(facts)).toEqual({ lower: 8_000_000, upper: 8_000_000 });
});

test('nothing refused has no upper bound', () => {
  expect(measurePayload(payloadFacts(id, 1e9, [value, refuseBytes]))).toEqual({ lower: refuseBytes, upper: null });
});

test('a reset refuses too, in an unusual form', () => {
  expect(judged(upperReading, [], 'reset')).toEqual({ guarantee: 'holds', enforced: 'holds', refusal: 'broken' });
});

test('a reset below a size that was accepted is not a size limit', () => {
  const facts = payloadFacts(id, upperReading, [value, refuseBytes]);
  const flaky = facts.attempts.map((one) =>
    one.bytes === value ? { ...one, outcome: 'reset' as const, status: 0 } : one,
  );
  const accepted = { bytes: value + 5, outcome: 'accepted' as const, status: 200, error: '' };
  const claims = judgePayload({ ...facts, attempts: [...flaky, accepted] }, limit);
  expect(claims[`${id}.guarantee`]?.verdict).toBe('inconclusive');
});

test('a rate refusal or a server error in the way decides nothing', () => {
  const facts = payloadFacts(id, upperReading, [value, refuseBytes]);
  const attempts = facts.attempts.map((one) => ({ ...one, outcome: 'other' as const, status: 429 }));
  const claims = judgePayload({ ...facts, attempts }, limit);
  expect(Object.values(claims).map((claim) => claim.verdict)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
});

test('a probe that stopped before a size says so', () => {
  const facts = {
    ...payloadFacts(id, upperReading, [value, refuseBytes]),
    attempts: [],
    health: soundHealth({ complete: false }),
  };
  expect(judgePayload(facts, limit)[`${id}.guarantee`]?.reason).toMatch(/cut off/);
});
