import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PayloadAttempt, PayloadFacts, PayloadJob } from '../../../schemas/facts.ts';
import { limitsOf } from '../../../schemas/limits.ts';
import { payloadAttempt, payloadFacts, soundHealth } from '../../verdicts/testing/facts.ts';
import { judgePayload } from './judge.ts';
import { bytesPictures, measurePayload } from './sides.ts';

const [limit] = limitsOf('content-bytes');
if (!limit) throw new Error('a payload limit exists');
const { id, value, upperReading } = limit;
const refuseBytes = upperReading + 1;

function claimsOf(facts: PayloadFacts) {
  const claims = judgePayload(facts, limit ?? never());
  const word = (aspect: string) => claims[`${id}.${aspect}`]?.verdict;
  return { guarantee: word('guarantee'), enforced: word('enforced'), refusal: word('refusal') };
}

function judged(border: number, extra: readonly number[] = [], refusal: 'refused' | 'broken-off' = 'refused') {
  return claimsOf(payloadFacts(id, border, [value, refuseBytes, ...extra], refusal));
}

function never(): never {
  throw new Error('unreachable');
}

function textOf(facts: PayloadFacts, aspect: string): string {
  const claim = judgePayload(facts, limit ?? never())[`${id}.${aspect}`];
  return `${claim?.observed} | ${claim?.reason ?? ''}`;
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
  expect(judged(upperReading, [], 'broken-off')).toEqual({ guarantee: 'holds', enforced: 'holds', refusal: 'broken' });
});

test('a target that responds 500 to a size, each time, refuses it: below the limit too', () => {
  const breaksAbove = (border: number) => {
    const facts = payloadFacts(id, border, [value, refuseBytes], 'broken-off');
    const attempts = facts.attempts.map((one) =>
      one.outcome === 'broken-off' ? { ...one, status: 502, error: '' } : one,
    );
    return { ...facts, attempts };
  };
  expect(claimsOf(breaksAbove(upperReading))).toEqual({ guarantee: 'holds', enforced: 'holds', refusal: 'broken' });
  expect(textOf(breaksAbove(upperReading), 'refusal')).toContain('502');
  expect(claimsOf(breaksAbove(value - 1)).guarantee).toBe('broken');
  expect(textOf(breaksAbove(value - 1), 'guarantee')).toContain('answered 502');
});

const built = (attempts: readonly PayloadAttempt[], changes: Partial<PayloadFacts> = {}): PayloadFacts => ({
  ...payloadFacts(id, upperReading, [value, refuseBytes]),
  attempts,
  ...changes,
});
const small = payloadAttempt(1000, 'accepted');
const usual = (outcome: PayloadAttempt['outcome'], changes: Partial<PayloadAttempt> = {}) => [
  small,
  payloadAttempt(value, 'accepted'),
  payloadAttempt(refuseBytes, outcome, changes),
];

test('another status refuses as well, if small bodies are still taken afterwards', () => {
  const refused = usual('refused-otherwise');
  expect(claimsOf(built([...refused, small]))).toEqual({ guarantee: 'holds', enforced: 'holds', refusal: 'holds' });
  expect(textOf(built([...refused, small]), 'enforced')).toContain('refused with 422, which does not name its size');
  expect(claimsOf(built(refused)).enforced).toBe('inconclusive');
  expect(claimsOf(built(usual('broken-off'))).enforced).toBe('inconclusive');
});

test('a 409 is sent again by clients, so it is no way to refuse a size', () => {
  expect(claimsOf(built([...usual('refused-otherwise', { status: 409 }), small])).refusal).toBe('broken');
});

test('a reset below a size that was accepted is not a size limit', () => {
  const reset = payloadAttempt(value, 'broken-off');
  const larger = payloadAttempt(value + 5, 'accepted');
  const facts = built([small, reset, payloadAttempt(refuseBytes, 'refused'), larger, small]);
  expect(claimsOf(facts).guarantee).toBe('inconclusive');
});

test('a cut connection that was a clean refusal when it was retried is a clean refusal, at every size', () => {
  const facts = built([
    ...usual('broken-off', { sent: null }),
    payloadAttempt(value + 1, 'broken-off', { sent: null }),
    payloadAttempt(refuseBytes, 'refused', { isRetry: true, sent: 'part' }),
  ]);
  expect(claimsOf(facts)).toEqual({ guarantee: 'holds', enforced: 'holds', refusal: 'holds' });
  expect(textOf(facts, 'refusal')).toBe('413 | ');
});

test('a cut connection that was accepted when it was retried is accepted', () => {
  const facts = built([...usual('broken-off'), payloadAttempt(refuseBytes, 'accepted', { isRetry: true }), small]);
  expect(claimsOf(facts).enforced).toBe('broken');
});

test.each([
  ['part', 'before its end was sent'],
  ['whole', 'after all of it was sent'],
  [null, 'while sending'],
] as const)('a connection cut with %s of the body sent is reported as such', (sent, words) => {
  expect(textOf(built([...usual('broken-off', { sent }), small]), 'enforced')).toContain(words);
});

test.each(['other', 'unanswered'] as const)('an answer of the kind %s in the way decides nothing', (outcome) => {
  const facts = built([small, payloadAttempt(value, outcome), payloadAttempt(refuseBytes, outcome)]);
  expect(Object.values(claimsOf(facts))).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
});

test('where not even a small body is taken, it is not about the size', () => {
  const facts = built([payloadAttempt(1000, 'refused')]);
  expect(claimsOf(facts)).toEqual({ guarantee: 'inconclusive', enforced: 'inconclusive', refusal: 'inconclusive' });
  expect(textOf(facts, 'enforced')).toContain('not even a body of 1,000 bytes');
});

test('a probe that stopped before a size says so', () => {
  const facts = built([], { health: soundHealth({ complete: false }) });
  expect(textOf(facts, 'guarantee')).toMatch(/cut off/);
});

const asChunked = (attempts: readonly PayloadAttempt[]) =>
  attempts.map((one) => ({ ...one, encoding: 'chunked' as const }));
const both = (chunked: readonly PayloadAttempt[]) => built([...usual('refused'), ...asChunked(chunked), small]);

test('a limit on Content-Length alone is broken, and reported by name', () => {
  const facts = both(usual('accepted'));
  expect(claimsOf(facts)).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
  expect(textOf(facts, 'enforced')).toMatch(
    /bytes with Content-Length: refused with 413.* bytes chunked: answered 200.*only bodies with Content-Length/,
  );
  expect(measurePayload(facts)).toEqual({ lower: value, upper: null });
});

test('chunked bodies that are refused within the size break the guarantee', () => {
  const facts = both([small, payloadAttempt(value, 'refused'), payloadAttempt(refuseBytes, 'refused')]);
  expect(claimsOf(facts)).toMatchObject({ guarantee: 'broken', enforced: 'holds' });
  expect(measurePayload(facts)).toEqual({ lower: 1000, upper: upperReading });
});

test('a service without chunked bodies breaks nothing, and neither does one that was not seen to take them', () => {
  const without = both([payloadAttempt(1000, 'refused-otherwise', { status: 411 })]);
  expect(claimsOf(without)).toEqual({ guarantee: 'holds', enforced: 'holds', refusal: 'holds' });
  expect(textOf(without, 'guarantee')).toContain('no chunked body is taken, not even a small one (411)');
  const unseen = both([small, payloadAttempt(value, 'other')]);
  expect(claimsOf(unseen)).toMatchObject({ guarantee: 'holds', enforced: 'holds' });
  expect(textOf(unseen, 'guarantee')).toContain('chunked not shown');
});

test('each side that is taken has its picture', () => {
  expect(bytesPictures(both(usual('refused'))).map(({ encoding }) => encoding)).toEqual(['content-length', 'chunked']);
  expect(bytesPictures(both([payloadAttempt(1000, 'refused-otherwise')]))).toHaveLength(1);
});

const shown: PayloadJob = { state: 'completed', endCameBack: true, paddingCameBack: false, watchedMs: 5 };

function withJob(job: Partial<PayloadJob>, ofSmall: Partial<PayloadJob> = {}, readable = true): PayloadFacts {
  const attempts = [
    small,
    payloadAttempt(value, 'accepted', { job: { ...shown, ...job } }),
    payloadAttempt(refuseBytes, 'refused'),
    payloadAttempt(1000, 'accepted', { job: { ...shown, ...ofSmall } }),
  ];
  return built(attempts, { readable });
}

test.each<[string, PayloadFacts, string, RegExp]>([
  ['came back whole', withJob({}), 'holds', /gave back its last part/],
  ['was cut short', withJob({ endCameBack: false }), 'broken', /cut short/],
  ['is forgotten', withJob({ state: 'forgotten', endCameBack: null }), 'broken', /its job is unknown/],
  ['waits for ever', withJob({ state: 'queued', watchedMs: 9000 }), 'inconclusive', /still queued 9,000 ms after/],
  ['waits like all others', withJob({ state: 'queued', watchedMs: null }), 'inconclusive', /not seen to end either/],
  ['failed', withJob({ state: 'ended' }), 'inconclusive', /due to the handler/],
  ['shows no output', withJob({ endCameBack: null }), 'holds', /without an output/],
  ['shows no state', withJob({ state: 'unseen' }), 'holds', /no answer showed/],
  ['has no name', withJob({ state: 'nameless' }), 'holds', /named no job/],
  ['cannot be read', withJob({ endCameBack: false }, {}, false), 'holds', /no \{\{echo\}\}/],
  [
    'is like a small one',
    withJob({ endCameBack: false }, { endCameBack: false }),
    'holds',
    /and so does that of a small/,
  ],
  ['lost its end', withJob({ endCameBack: false, paddingCameBack: true }), 'broken', /cut short/],
  ['gives back all', withJob({ endCameBack: false }, { paddingCameBack: true }), 'holds', /too much/],
])('the job of an accepted body that %s', (_, facts, verdict, words) => {
  expect(claimsOf(facts).guarantee).toBe(verdict);
  expect(textOf(facts, 'guarantee')).toMatch(words);
});

test.each<[string, PayloadFacts, RegExp]>([
  ['may be forgotten with all others', withJob({ state: 'all-forgotten' }), /as in a restart/],
  ['was asked for in vain', withJob({ state: 'unanswered' }), /got no answer/],
  [
    'was not reached',
    built([...usual('refused'), small], { health: soundHealth({ complete: false, sent: 3, planned: 9 }) }),
    /not polled: .*cut off after 3 of 9/,
  ],
])('an accepted body whose job %s decides nothing', (_, facts, why) => {
  expect(claimsOf(facts).guarantee).toBe('inconclusive');
  expect(textOf(facts, 'guarantee')).toMatch(why);
});

test('connections that break now and then are no unclean refusal', () => {
  const one = built([...usual('refused'), payloadAttempt(value + 1, 'broken-off'), small]);
  expect(claimsOf(one).refusal).toBe('holds');
  expect(claimsOf(built([...usual('broken-off'), small])).refusal).toBe('inconclusive');
});
