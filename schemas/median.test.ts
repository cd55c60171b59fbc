import { expect, test } from 'vitest';
import { median } from './median.ts';

test('the middle, or the mean of the two in the middle', () => {
  expect([median([]), median([3]), median([9, 1, 2]), median([4, 1, 2, 3])]).toEqual([0, 3, 2, 2.5]);
});
