import fc from 'fast-check';
import { expect, test } from 'vitest';
import { element, toXml } from './junit.ts';

test('elements nest, text is kept to the character', () => {
  const tree = element('a', { x: 1 }, [element('b'), element('c', {}, ['one\n  two'])]);
  expect(toXml(tree)).toBe('<a x="1">\n  <b/>\n  <c>one\n  two</c>\n</a>');
});

test('nothing ends an element or an attribute early', () => {
  const text = `]]> </c> "' & <x>\n\t\u0000\ufffe`;
  const made = toXml(element('c', { m: text }, [text]));
  expect(made).toBe(
    '<c m="]]&gt; &lt;/c&gt; &quot;&#39; &amp; &lt;x&gt;&#10;&#9;\u2400[U+FFFE]">' +
      ']]&gt; &lt;/c&gt; &quot;&#39; &amp; &lt;x&gt;\n\t\u2400[U+FFFE]</c>',
  );
});

test('for any text, only characters that XML allows come out, and no markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inner = toXml(element('t', {}, [text])).slice(3, -4);
      expect(inner).not.toMatch(/[<>"]|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(inner).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]/u);
    }),
  );
});
