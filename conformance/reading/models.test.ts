import { expect, test } from 'vitest';
import { hasCapabilities, modelIdsOf, modelItemsOf } from './models.ts';

test.each([
  [{ object: 'list', data: [{ id: 'a/b' }, { id: 'a/c' }] }],
  [[{ id: 'a/b' }, { name: 'a/c' }]],
  [{ models: ['a/b', 'a/c'] }],
  [{ page: { items: [{ model: 'a/b' }, { id: 'a/c' }] } }],
])('ids out of %j', (body) => {
  expect(modelIdsOf(body)).toEqual(['a/b', 'a/c']);
});

test.each([[{}], [null], ['text'], [{ data: 'none' }], [{ data: [] }], [[1, null, {}]]])('none in %j', (body) => {
  expect(modelIdsOf(body)).toEqual([]);
});

test('a list that is there but empty is the list', () => {
  expect(modelItemsOf({ data: [], other: [{ id: 'x' }] })).toEqual([]);
});

test('identity is no capability', () => {
  expect(hasCapabilities({ id: 'a/b', object: 'model', created: 1, owned_by: 'a' })).toBe(false);
  expect(hasCapabilities({ id: 'a/b', context_length: null })).toBe(false);
  expect(hasCapabilities({ id: 'a/b', context_length: 8 })).toBe(true);
  expect(hasCapabilities('a/b')).toBe(false);
});
