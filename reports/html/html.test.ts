import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, html, trusted } from './html.ts';

test('values are text, pieces are markup', () => {
  const piece = html`<b>${'<i>'}</b>`;
  expect(html`<p title="${'a"b'}">${piece}${['x', html`<br>`]}</p>`.text).toBe(
    '<p title="a&quot;b"><b>&lt;i&gt;</b>x<br></p>',
  );
});

test('nothing leaves nothing, zero is a number', () => {
  expect(html`${null}${undefined}${false}${0}${''}`.text).toBe('0');
});

test('an object that looks like a piece is not one', () => {
  const forged: unknown = { text: '<script>' };
  expect(html`${String(forged)}`.text).not.toContain('<script>');
});

test('trusted text is kept as it is', () => {
  expect(html`${trusted('a < b')}`.text).toBe('a < b');
});

// The first text of any character takes seconds to be drawn, on a busy machine more than a test usually gets.
test('any text ends neither content nor a quoted attribute', { timeout: 30_000 }, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"'`]|&(?!(?:amp|lt|gt|quot|#39|#96);)/);
    }),
  );
});
