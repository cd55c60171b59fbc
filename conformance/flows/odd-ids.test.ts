/** Odd names stay apart, are all right to send, and a refusal is told from an answer and from a breakdown. */
import { expect, test } from 'vitest';
import { operationPath } from '../../schemas/operations.ts';
import { CheckContext } from '../context.ts';
import { json, openFake } from '../testing/fake-dispatcher.ts';
import { expectTurnedAway, oddIds, shortened, wrongName } from './untouched.ts';

test('each has an aspect of its own and stays one segment of the path', () => {
  expect(new Set(oddIds.map((one) => one.aspect)).size).toBe(oddIds.length);
  for (const { id } of oddIds) {
    const path = operationPath('status', { instId: 'inst-1', jobId: id });
    expect(new URL(path, 'http://fake.local').pathname).toBe(path);
    expect(path.split('/').length).toBe(operationPath('status', { instId: 'a', jobId: 'b' }).split('/').length);
    expect(decodeURIComponent(path.split('/').at(-1) ?? '')).toBe(id);
  }
});

test('what could touch somebody else is read only', () => {
  for (const { id, readOnly } of oddIds) expect(readOnly ?? false, id).toBe(/[*%]|\.\./.test(id));
});

test('those for a small budget are few, and harmless', () => {
  const first = oddIds.filter((one) => one.first);
  expect(first.length).toBe(4);
  for (const { id, readOnly } of first) expect(readOnly, id).toBeUndefined();
});

test('only an empty name breaks the schemas of our own requests', () => {
  expect(oddIds.filter(({ id }) => wrongName(id).breaks !== undefined).map((one) => one.id)).toEqual(['']);
});

test.each([
  [200, false],
  [204, false],
  [301, true],
  [400, true],
  [404, true],
  [414, true],
  [500, false],
  [503, false],
])('status %i is a clean refusal: %s', async (status, clean) => {
  const target = openFake(() => json(status, { error: 'x' }));
  const t = new CheckContext(target, new AbortController().signal);
  expectTurnedAway(t, 'an odd id', await t.jobs.status('odd'));
  expect(t.expectations.map((one) => one.holds)).toEqual([clean]);
});

test.each([
  ['0b67fe83-91f2-d6a0-5613-07685516ba4d', '0b67fe83-91f2-d6a0-5613-07685516ba4'],
  ['sync-0123456789ab', 'sync-0123456789a'],
  ['short', null],
  ['12345678901234567890', null],
])('%s without its last character is %s', (id, expected) => {
  expect(shortened(id)).toBe(expected);
});
