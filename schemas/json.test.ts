import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, mentions, saysSomething, show, walk } from './json.ts';

test('at follows keys and indexes and never throws', () => {
  expect(at({ a: [{ b: 1 }] }, 'a', 0, 'b')).toBe(1);
  expect(at({ a: [] }, 'a', 0, 'b')).toBeUndefined();
  expect(at(null, 'a')).toBeUndefined();
  expect(at([1], 'length')).toBeUndefined();
});

test('walk meets everything once', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const met = [...walk(value)];
      expect(met[0]).toEqual({ key: '', value, depth: 0 });
      expect(met.length).toBeGreaterThanOrEqual(1);
    }),
  );
});

test('a word planted anywhere is found, and one that is nowhere is not', () => {
  const word = 'needle-0123';
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.string(), { maxLength: 4 }), (value, path) => {
      const planted = path.reduce<unknown>(
        (inner, key, depth) => (depth % 2 ? [inner, value] : { [key]: inner }),
        word,
      );
      expect(mentions(planted, word)).toBe(true);
      if (!JSON.stringify(value).includes(word)) expect(mentions(value, word)).toBe(false);
    }),
  );
});

test.each([
  [{}, false],
  [[], false],
  ['', false],
  [null, false],
  [undefined, false],
  [0, true],
  [false, true],
  ['x', true],
])('%j says something: %s', (value, says) => {
  expect(saysSomething(value)).toBe(says);
});

test('show is short and never fails', () => {
  expect(show(undefined)).toBe('nothing');
  expect(show({ a: 1 })).toBe('{"a":1}');
  expect(show('x'.repeat(999), 10)).toHaveLength(11);
});
