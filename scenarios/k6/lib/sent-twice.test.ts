/** Timings as k6 gives them, of requests that were sent once and of some that were not. */
import { expect, test } from 'vitest';
import { sentTwiceJudge } from './sent-twice.ts';

const once = { blocked: 0.01, connecting: 0, sending: 0.03 };
const first = { blocked: 0.54, connecting: 0.47, sending: 0.09 };

test('a request that had to reconnect although it had a connection', () => {
  const judge = sentTwiceJudge();
  expect([first, once].map(judge)).toEqual([false, false]);
  // As measured, of connections that broke at once and after 5 ms.
  for (const [blocked, sending] of [
    [0.25, 0.85],
    [0.62, 2.72],
    [0.22, 7.88],
  ] as const) {
    expect(judge({ blocked, connecting: 0, sending })).toBe(true);
  }
});

test('a pause in one place is none', () => {
  const judge = sentTwiceJudge();
  expect(judge({ ...once, sending: 50 })).toBe(false);
  expect(judge({ ...once, blocked: 50 })).toBe(false);
});

test('nor is a busy machine, on which everything takes a little longer', () => {
  const judge = sentTwiceJudge();
  expect(judge({ blocked: 0.2, connecting: 0.15, sending: 0.1 })).toBe(false);
  // As measured beside other processes, one in five hundred.
  for (const [blocked, sending] of [
    [0.06, 0.117],
    [0.084, 0.112],
    [0.081, 0.134],
  ] as const) {
    expect(judge({ blocked, connecting: 0, sending })).toBe(false);
  }
});

test('of a target far away a new connection takes a round trip', () => {
  const judge = sentTwiceJudge();
  expect(judge({ blocked: 82, connecting: 40, sending: 0.1 })).toBe(false);
  expect(judge({ blocked: 3, connecting: 0, sending: 4 })).toBe(false);
  expect(judge({ blocked: 41, connecting: 0, sending: 83 })).toBe(true);
});
