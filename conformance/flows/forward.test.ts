/** States one after the other, and those that are not. */
import { expect, test } from 'vitest';
import { CheckContext } from '../context.ts';
import { stateOf } from '../reading/job.ts';
import type { Reply } from '../target/reply.ts';
import { Inconclusive } from '../target/signals.ts';
import { json, openFake } from '../testing/fake-dispatcher.ts';
import { expectForward } from './forward.ts';
import type { Seen } from './submit.ts';

const reply = (body: unknown, status = 200): Reply => ({
  request: 'GET /status',
  status,
  headers: {},
  text: JSON.stringify(body),
  json: body,
  sentMs: 0,
  headersMs: 0,
  endMs: 0,
  pieces: [],
});
const seen = (body: unknown, status?: number): Seen => ({ reply: reply(body, status), state: stateOf(body) });
const looks = (...states: readonly string[]): Seen[] => states.map((status) => seen({ status }));
const context = (): CheckContext =>
  new CheckContext(
    openFake(() => json(200, {})),
    new AbortController().signal,
  );

function holds(...states: readonly string[]): boolean {
  const t = context();
  expectForward(t, looks(...states));
  return t.expectations.every((one) => one.holds);
}

test.each([
  ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'],
  ['IN_QUEUE', 'IN_QUEUE', 'COMPLETED', 'COMPLETED'],
  ['queued', 'cancelled', 'canceled'],
  ['IN_PROGRESS', 'what is this', 'FAILED'],
])('%s, %s and %s lead forward', (...states) => {
  expect(holds(...states)).toBe(true);
});

test.each([
  ['IN_PROGRESS', 'IN_QUEUE', 'COMPLETED'],
  ['IN_PROGRESS', 'COMPLETED', 'IN_PROGRESS'],
  ['IN_PROGRESS', 'CANCELLED', 'COMPLETED'],
  ['IN_QUEUE', 'FAILED', 'COMPLETED'],
])('%s, %s and %s do not', (...states) => {
  expect(holds(...states)).toBe(false);
});

test('nothing is said where no end was seen, nothing moved, or the states can not be read', () => {
  for (const states of [['IN_QUEUE', 'IN_PROGRESS'], ['COMPLETED', 'COMPLETED'], ['a', 'b'], []]) {
    expect(() => expectForward(context(), looks(...states))).toThrow(Inconclusive);
  }
});

test('a job that says that it was started again may go back', () => {
  const all = [...looks('IN_PROGRESS'), seen({ status: 'IN_QUEUE', retries: 1 }), ...looks('COMPLETED')];
  expect(() => expectForward(context(), all)).toThrow('started again');
});

test('a refusal in between is no state', () => {
  const t = context();
  expectForward(t, [...looks('IN_PROGRESS'), seen({ status: 'IN_QUEUE' }, 500), ...looks('COMPLETED')]);
  expect(t.expectations.every((one) => one.holds)).toBe(true);
});
