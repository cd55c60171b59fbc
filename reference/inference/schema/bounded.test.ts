import { expect, test } from 'vitest';
import { bounded, instanceText, TooMuch } from './instance.ts';

test('work that ends is done', () => {
  expect(bounded(() => 'done')).toBe('done');
  expect(bounded(() => bounded(() => 'inside'))).toBe('inside');
});

test.for<[string, () => string]>([
  [
    'an endless loop',
    () => {
      for (;;);
    },
  ],
  [
    'a recursion without end',
    function again(): string {
      return again() + again();
    },
  ],
  ['an expression that backtracks', () => String(/^(x+x+)+y$/.test('x'.repeat(60)))],
  ['an error', () => decodeURIComponent('%')],
])('%s is too much', ([, work]) => {
  expect(() => bounded(work)).toThrow(TooMuch);
  expect(bounded(() => 'next')).toBe('next');
});

test('a schema that is too much is a 400, each time', () => {
  const nested = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'array', minItems: 100, items: nested(levels - 1) };
  for (let round = 0; round < 2; round += 1) {
    expect(() => instanceText(nested(6))).toThrow(
      expect.objectContaining({ reply: expect.objectContaining({ status: 400 }) }),
    );
  }
  expect(JSON.parse(instanceText(nested(1)))).toHaveLength(100);
});
