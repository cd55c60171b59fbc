import { expect, test } from 'vitest';
import { placeOf, segmentOf } from './segments.ts';

test('as k6 wants them', () => {
  expect(segmentOf(1, 3)).toEqual({ segment: '1/3:2/3', sequence: '0,1/3,2/3,1' });
  expect(segmentOf(0, 1)).toEqual({ segment: '0:1', sequence: '0,1' });
});

test.each([1, 2, 3, 7, 200])('each of %i is found again', (count) => {
  for (let index = 0; index < count; index += 1) {
    const { segment, sequence } = segmentOf(index, count);
    expect(placeOf(segment, sequence)).toEqual({ index, count });
  }
});

test('also with the fractions that k6 makes of them', () => {
  expect(placeOf('1/3:4/9', '0,1/9,2/9,1/3,4/9,5/9,2/3,7/9,8/9,1')).toEqual({ index: 3, count: 9 });
  expect(placeOf('', '')).toEqual({ index: 0, count: 1 });
});
