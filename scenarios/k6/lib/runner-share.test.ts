/** Several runners together send what one would: each connection and each slot once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeOf, shareOf, sizeOf } from './schedule.ts';

const placesOf = (total: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => ({ index, count })).flatMap((part) =>
    Array.from({ length: sizeOf(total, part) }, (_, own) => placeOf(own, part)),
  );

test.each([1, 2, 3, 7, 200])('%i runners have every connection once', (count) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), (total) => {
      expect(placesOf(total, count).sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, place) => place));
    }),
  );
});

test('and so the limit in all, however it is parted', () => {
  fc.assert(
    fc.property(
      fc.nat(5000),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 200 }),
      (limit, vus, count) => {
        const sent = placesOf(vus, count).reduce((sum, vu) => sum + shareOf(limit, vus, vu), 0);
        expect(sent).toBe(limit);
      },
    ),
  );
});
