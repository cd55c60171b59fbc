/** Timings as k6 gives them, of requests that were sent once and of some that were not. */
import { expect, test } from 'vitest';
import { sentTwiceJudge } from './sent-twice.ts';

test('of a target nearby: what took several times as long to write as the rest', () => {
  const judge = sentTwiceJudge();
  expect(judge({ sending: 0.02, waiting: 0.5 })).toBe(false);
  expect(judge({ sending: 0.19, waiting: 9 })).toBe(false);
  expect(judge({ sending: 1.4, waiting: 0.7 })).toBe(false);
  expect(judge({ sending: 2.6, waiting: 0.7 })).toBe(true);
});

test('of a target far away a moment means nothing, a round trip does', () => {
  const judge = sentTwiceJudge();
  expect(judge({ sending: 0.02, waiting: 90 })).toBe(false);
  expect(judge({ sending: 12, waiting: 95 })).toBe(false);
  expect(judge({ sending: 180, waiting: 95 })).toBe(true);
});

test('without an answer there is nothing to judge by', () => {
  expect(sentTwiceJudge()({ sending: 0, waiting: 0 })).toBe(false);
});
