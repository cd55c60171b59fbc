import { expect, test } from 'vitest';
import { isSuccess } from './status.ts';

test.each([
  [0, false],
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [429, false],
])('%i is a success: %s', (status, expected) => {
  expect(isSuccess(status)).toBe(expected);
});
