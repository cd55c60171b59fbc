/** Where an echo is looked for: found wherever a handler may put it, and never in what only resembles it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeOf } from './echo.ts';

test('a value is at its own root', () => {
  const isThere = fc.property(fc.jsonValue(), (value) => {
    expect(placeOf(value, value)).toEqual([]);
  });
  fc.assert(isThere);
});

test('a value is found below keys and in lists', () => {
  const wanted = { text: 'word', list: ['one'] };
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.nat(3)), { maxLength: 5 }), (path) => {
      const wrapped = path.reduceRight<unknown>(
        (inner, key) => (typeof key === 'number' ? [...Array(key).fill(null), inner] : { [`k${key}`]: inner, x: 1 }),
        wanted,
      );
      const place = placeOf(wrapped, wanted);
      expect(place).toEqual(path.map((key) => (typeof key === 'number' ? key : `k${key}`)));
    }),
  );
});

test('the order of keys says nothing, their values and types do', () => {
  expect(placeOf({ a: { y: 2, x: 1 } }, { x: 1, y: 2 })).toEqual(['a']);
  for (const other of [{ x: '1', y: 2 }, { x: 1 }, { x: 1, y: 2, z: 3 }, [1, 2], null, 'x', '{"x":1,"y":2}']) {
    expect(placeOf({ a: other }, { x: 1, y: 2 })).toBeNull();
  }
});
