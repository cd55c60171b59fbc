/** When two operations say the same about a job, and when they don't. */
import { expect, test } from 'vitest';
import { CheckContext } from '../context.ts';
import type { Reply } from '../target/reply.ts';
import { Inconclusive } from '../target/signals.ts';
import { json, openFake } from '../testing/fake-dispatcher.ts';
import { expectSame, type Part, type Telling } from './everywhere.ts';
import { rowOf } from './listed.ts';

const telling = (body: unknown, status = 200): Telling => ({ where: 'status', reply: replyOf(body, status) });

function replyOf(body: unknown, status: number): Reply {
  const text = JSON.stringify(body);
  const ms = { sentMs: 0, headersMs: 0, endMs: 0 };
  return { request: 'GET /status', status, headers: {}, text, json: body, ...ms, pieces: [] };
}

const context = (): CheckContext =>
  new CheckContext(
    openFake(() => json(200, {})),
    new AbortController().signal,
  );

function same(one: unknown, other: unknown, ...parts: readonly Part[]): boolean {
  const t = context();
  expectSame(t, telling(one), [telling(other)], parts);
  expect(t.expectations.length).toBe(1);
  return t.expectations.every(({ holds }) => holds);
}

test.each<[unknown, unknown, Part]>([
  [{ status: 'COMPLETED' }, { job: { state: 'succeeded' } }, 'state'],
  [{ id: 'a' }, { jobId: 'a' }, 'id'],
  [{ output: { a: 1, b: 2 } }, { result: { b: 2, a: 1 } }, 'output'],
  [{ error: 'no' }, { error: 'no' }, 'error'],
  [{ delayTime: 1, executionTime: 2 }, { executionTime: 2 }, 'times'],
  [{ delayTime: 1 }, { status: 'COMPLETED' }, 'times'],
])('%j and %j agree on the %s', (one, other, part) => {
  expect(same(one, other, part)).toBe(true);
});

test.each<[unknown, unknown, Part]>([
  [{ status: 'COMPLETED' }, { status: 'FAILED' }, 'state'],
  [{ status: 'COMPLETED' }, {}, 'state'],
  [{ status: 'odd' }, { status: 'other' }, 'state'],
  [{ output: 'a' }, { output: ['a'] }, 'output'],
  [{ output: 'a' }, {}, 'output'],
  [{ error: 'no' }, {}, 'error'],
  [{ delayTime: 1, executionTime: 2 }, { delayTime: 1, executionTime: 0.002 }, 'times'],
])('%j and %j differ in the %s', (one, other, part) => {
  expect(same(one, other, part)).toBe(false);
});

test('a part that the standard does not tell is not asked for', () => {
  expect(same({ status: 'COMPLETED' }, { status: 'COMPLETED', output: 'more' }, 'state', 'output')).toBe(true);
  expect(() => same({ status: 'COMPLETED' }, { status: 'COMPLETED' }, 'output', 'times')).toThrow(Inconclusive);
});

test('a refusal is no contradiction, but nothing is left to compare', () => {
  const t = context();
  expect(() => expectSame(t, telling({ status: 'FAILED' }), [telling({}, 404)], ['state'])).toThrow(Inconclusive);
});

test('a row is found by the id of its job, however the list is wrapped', () => {
  const row = { id: 'b', status: 'FAILED' };
  expect(rowOf({ requests: [{ id: 'a' }, row] }, 'b')).toBe(row);
  expect(rowOf([row], 'b')).toBe(row);
  expect(rowOf({ page: { items: [row] } }, 'b')).toBe(row);
  expect(rowOf({ requests: [] }, 'b')).toBeUndefined();
  expect(rowOf(null, 'b')).toBeUndefined();
});
