/** When tokens came, and streams that were none. */
import { expect, test } from 'vitest';
import type { StreamTiming } from '../../schemas/facts.ts';
import { judgeStreamTiming } from '../kinds/stream-timing/judge.ts';
import { streamRows, tokenTimes } from './streams.ts';
import { sound, streamFacts } from './testing/paced.ts';

const stream = (tokensMs: readonly number[], status = 200): StreamTiming => ({ status, tokensMs, wholeMs: 100 });

test('the first token and the time between two, over all streams', () => {
  const [row] = streamRows([streamFacts([stream([10, 20, 40]), stream([30, 35]), stream([], 500)])]);
  expect(row).toMatchObject({
    operation: 'chat',
    streams: 3,
    answered: 2,
    tokens: 5,
    firstToken: { p50: 10, max: 30 },
    betweenTokens: { p50: 10, max: 20 },
    inOnePiece: 0,
  });
  expect(row?.note).toContain('time to the first token: p90 needs 10');
});

test('a stream whose tokens all came at once is reported', () => {
  const facts = streamFacts([stream([90, 90, 90]), stream([10, 20])]);
  expect(streamRows([facts])[0]?.inOnePiece).toBe(1);
  const claim = judgeStreamTiming(facts);
  expect(claim.verdict).toBe('holds');
  expect(claim.observed).toBe(
    '5 tokens in 2 of 2 streams: the first token after 10 ms (at most 90 ms), at most 10 ms between two tokens; ' +
      'in 1 of 2 streams all tokens came at once, so nothing was streamed',
  );
});

test('a single token came in no piece but its own', () => {
  expect(streamRows([streamFacts([stream([10])])])[0]).toMatchObject({ inOnePiece: 0, tokens: 1 });
});

test('without a token nothing is said, and why', () => {
  expect(judgeStreamTiming(streamFacts([stream([], 404)]))).toMatchObject({
    verdict: 'inconclusive',
    observed: '1 stream without a token (status 404)',
  });
  expect(judgeStreamTiming(streamFacts([], { ...sound, complete: false })).reason).toContain('cut off');
  expect(streamRows([streamFacts([])])).toMatchObject([{ streams: 0, answered: 0 }]);
});

test('what a goal is held against', () => {
  const facts = [streamFacts([stream([10, 20, 40]), stream([30]), stream([])])];
  expect(tokenTimes(facts, 'chat', 'first-token')).toMatchObject({ values: [10, 30], streams: 3, answered: 2 });
  expect(tokenTimes(facts, 'chat', 'between-tokens')).toMatchObject({ values: [10, 20], answered: 1 });
  expect(tokenTimes(facts, 'stream', 'first-token')).toMatchObject({ values: [], streams: 0, why: undefined });
});
