import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCut } from './answer.ts';

test('what was complete before the cut is read, and what the cut went through is marked', () => {
  const read = readCut('{"object":"list","data":[{"id":"a","n":1},{"id":"b","n"');
  expect(read?.value).toEqual({ object: 'list', data: [{ id: 'a', n: 1 }, { id: 'b' }] });
  const torn = [...(read?.torn ?? [])];
  expect(torn).toContainEqual({ id: 'b' });
  expect(torn).not.toContainEqual({ id: 'a', n: 1 });
});

test('brackets and commas in texts are texts', () => {
  expect(readCut('["a,]}\\"", "b", "c')?.value).toEqual(['a,]}"', 'b']);
});

test('nothing complete is nothing', () => {
  for (const text of ['', '"abc', '{"a":1', 'not json, at all']) expect(readCut(text)).toBeNull();
});

test('for any JSON and any cut, it is read without a word that was not there', () => {
  const leaves = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
  const property = fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (text, at) => {
    const read = readCut(text.slice(0, at % (text.length + 1)));
    const whole = new Set(leaves(JSON.parse(text)).map(String));
    for (const leaf of read ? leaves(read.value) : []) expect(whole).toContain(String(leaf));
  });
  fc.assert(property);
});
