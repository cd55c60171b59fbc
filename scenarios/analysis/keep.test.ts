/** `keep` is `filter`, and `countOf` its length, whatever is wanted. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countOf, keep } from './keep.ts';

test('the same as filter', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.func(fc.boolean()), (rows, wanted) => {
      const expected = rows.filter((row) => wanted(row));
      expect(keep(rows, wanted)).toEqual(expected);
      expect(countOf(rows, wanted)).toBe(expected.length);
    }),
  );
});

test('all of a list are the list, so that what is known of it is known of them', () => {
  const rows = [1, 2];
  expect(keep(rows, (row) => row > 0)).toBe(rows);
  expect(keep(rows, (row) => row > 1)).not.toBe(rows);
});

test('what a guard says of a row is known of those that are kept', () => {
  const isText = (row: string | number): row is string => typeof row === 'string';
  expect(keep<string | number, string>([1, 'a'], isText).map((text) => text.length)).toEqual([1]);
});
