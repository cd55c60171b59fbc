import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, oneLine, visible } from './text.ts';

test.each([
  ['\u001b[31mred', '\u241b[31mred'],
  ['a\u0000b', 'a\u2400b'],
  ['a\u007fb', 'a\u2421b'],
  ['right\u202eleft', 'right[U+202E]left'],
  ['a\r\nb\tc', 'a\nb\tc'],
  ['\ufeff', '[U+FEFF]'],
  ['lone \ud800 surrogate', 'lone \ufffd surrogate'],
  ['pair \u{1f600}', 'pair \u{1f600}'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('one line is one line', () => {
  expect(oneLine(' a\n\n b\u2028c\t\r d ')).toBe('a b c \u240d d');
});

test('a cut says how much it took and keeps pairs whole', () => {
  expect(cut('abcdef', 6)).toBe('abcdef');
  const more = 'f'.repeat(40);
  expect(cut(`abcd${more}`, 4)).toBe('abcd\u2026 (40 more characters)');
  expect(cut(`abc\u{1f600}${more}`, 4)).toBe('abc\u2026 (42 more characters)');
});

test('nothing is cut for a text that is longer', () => {
  expect(cut('abcdef', 4)).toBe('abcdef');
  for (let length = 0; length < 80; length += 1) {
    const text = 'f'.repeat(length);
    expect(cut(text, 4).length).toBeLessThanOrEqual(length);
  }
});

test('nothing invisible is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(text)).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u);
      expect(visible(visible(text))).toBe(visible(text));
    }),
  );
});
