/** Texts made from regular expressions: always ones that match, of the length that was asked for. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matching } from './pattern.ts';

/** Expressions put together from parts that stand in schemas. */
const part = fc.oneof(
  fc.constantFrom('a', '\\d', '\\w', '[a-f]', '[^x]', '.', '\\.', '(?:ab|c)', '(x|y)', '\\s', '[0-9A-Z]'),
  fc.constantFrom('b+', 'c*', 'd?', '\\d{2}', '[a-z]{1,3}', '(?:no){2,}', '(z)+?'),
);
const expression = fc
  .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean())
  .map(([from, parts, to]) => `${from ? '^' : ''}${parts.join('')}${to ? '$' : ''}`);

test('every expression of everyday parts gets a text that it matches', () => {
  fc.assert(
    fc.property(expression, (pattern) => {
      const text = matching(pattern, 0, 1000);
      expect(text).not.toBeNull();
      expect(new RegExp(pattern, 'u').test(text ?? '')).toBe(true);
    }),
  );
});

test('a length is kept to where the expression leaves room for it', () => {
  fc.assert(
    fc.property(expression, fc.nat(12), (pattern, least) => {
      const text = matching(`${pattern.replace(/\$$/, '')}[q-z]*$`, least, 100);
      expect(text?.length).toBeGreaterThanOrEqual(least);
      expect(text?.length).toBeLessThanOrEqual(100);
    }),
  );
  expect(matching('^[a-c]+$', 12, 12)).toHaveLength(12);
  expect(matching('^a{3}$', 4, 9)).toBeNull();
  expect(matching('^a{3}$', 0, 2)).toBeNull();
});

test('what is not understood yields nothing, and nothing wrong', () => {
  for (const pattern of ['(', '[', '^(?=x)y', '^(a)\\1b\\2$', '\\bx\\b(?!x)$^']) {
    const text = matching(pattern, 0, 100);
    if (text !== null) expect(new RegExp(pattern, 'u').test(text)).toBe(true);
  }
  expect(matching('(', 0, 100)).toBeNull();
  expect(matching('^(?=x)y', 0, 100)).toBeNull();
});
