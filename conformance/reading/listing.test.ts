import { expect, test } from 'vitest';
import { listIn, orderIn, rowsOf, statesIn } from './listing.ts';

const rows = [
  { id: 'b', status: 'IN_QUEUE' },
  { id: 'a', status: 'IN_PROGRESS' },
];

test.each([
  ['a page', { requests: rows, total: 2 }],
  ['a bare list', rows],
  ['other words, a layer deeper', { page: { items: rows.map(({ id, status }) => ({ jobId: id, state: status })) } }],
])('%s is read', (_what, body) => {
  expect(statesIn(body, ['a', 'b', 'c'])).toEqual(['running', 'queued']);
  expect(orderIn(body, ['a', 'b'])).toEqual(['b', 'a']);
  expect(listIn(body)).toHaveLength(2);
});

test('a job that stands twice has two rows', () => {
  expect(rowsOf([...rows, ...rows], 'a')).toHaveLength(2);
});

test.each([[{}], [null], ['text'], [{ requests: [] }]])('no job is found in %j', (body) => {
  expect(rowsOf(body, 'a')).toEqual([]);
  expect(orderIn(body, ['a'])).toEqual([]);
});

test('what is no list is none', () => {
  expect(listIn({ total: 3 })).toBeNull();
});
