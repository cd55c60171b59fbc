import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrivalsIn, noteOf } from './index.ts';

test('the moments are read again as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1e9 }).map((micro) => micro / 1000)), (moments) => {
      expect(arrivalsIn(noteOf(moments))).toEqual(moments);
    }),
  );
});

test('a note of something else holds none', () => {
  expect(arrivalsIn('early retry-after=1')).toEqual([]);
});
