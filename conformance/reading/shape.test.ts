import { expect, test } from 'vitest';
import type { Reply } from '../target/reply.ts';
import { headerNames, shapeOf, shapeOfReply } from './shape.ts';

const reply = (text: string, headers: Record<string, string> = {}): Reply => ({
  request: 'GET /',
  status: 200,
  headers,
  text,
  json: text === '' ? undefined : JSON.parse(text),
  sentMs: 0,
  headersMs: 0,
  endMs: 0,
  pieces: [],
});

test.each([
  [{ b: 1, a: 'x' }, '{a: string, b: number}'],
  [{ list: [{ id: 'a' }, { id: 'b', more: null }] }, '{list[].id: string, list[].more: null}'],
  [{ list: [] }, '{list[]}'],
  [[{ id: 1 }], '{[].id: number}'],
  [{ output: { anything: 1 }, status: 's' }, '{output: any, status: string}'],
  [{ output: null }, '{output: null}'],
  ['text', '{string}'],
  [undefined, 'not JSON'],
])('the shape of %j', (body, shape) => {
  expect(shapeOf(body)).toBe(shape);
});

test('two answers that say different things have one shape', () => {
  expect(shapeOf({ id: 'a', at: 1 })).toBe(shapeOf({ at: 2, id: 'b' }));
});

test('a body of many fields is cut', () => {
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`field${index}`, 1]));
  expect(shapeOf(many)).toMatch(/…\}$/);
});

test('an answer is its status, its type and its shape', () => {
  expect(shapeOfReply(reply('{"a":1}', { 'content-type': 'Application/JSON; charset=utf-8' }))).toBe(
    '200 application/json {a: number}',
  );
  expect(shapeOfReply(reply(''))).toBe('200 without a body');
});

test('headers that anything adds are not named', () => {
  expect(headerNames(reply('', { date: 'x', 'x-b': '1', 'retry-after': '1' }))).toBe('retry-after, x-b');
  expect(headerNames(reply('', { date: 'x' }))).toBe('none');
});
