import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mdCode, mdTable, mdText } from './summary.ts';

test('our own text keeps its look and loses its power', () => {
  expect(mdText('a|b *c* `d` <e> [f](g)\nh')).toBe('a\\|b \\*c\\* \\`d\\` &lt;e\\> \\[f\\](g) h');
});

test.each([
  ['plain', '`plain`'],
  ['has `one`', '`` has `one` ``'],
  ['has ``` three', '````has ``` three````'],
  ['two\nlines', '`two lines`'],
  ['', '(nothing)'],
])('%j is fenced as %j', (text, code) => {
  expect(mdCode(text)).toBe(code);
});

test('long text is cut and says so', () => {
  expect(mdCode('x'.repeat(400))).toBe(`\`${'x'.repeat(300)}\u2026 (100 more characters)\``);
});

test('a pipe ends no cell', () => {
  expect(mdTable(['a'], [[mdCode('x|y')], [mdText('x|y')]])).toBe('| a |\n| --- |\n| `x\\|y` |\n| x\\|y |');
});

test('a code span is one span with any content', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '``', 'a', ' ', '|', '\\', '\n', '<'), { maxLength: 20 }), (parts) => {
      const code = mdCode(parts.join(''));
      const fence = /^`*/.exec(code)?.[0] ?? '';
      const inner = code.slice(fence.length, code.length - fence.length);
      expect(code).not.toContain('\n');
      if (fence !== '') expect(inner.match(/`+/g) ?? []).not.toContain(fence);
    }),
  );
});
