import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discard, readText } from './body.ts';

/** A body in pieces that counts how many of them were taken. */
function inPieces(...pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> & { taken: number } {
  const body = {
    taken: 0,
    async *[Symbol.asyncIterator]() {
      for (const piece of pieces) {
        body.taken += 1;
        yield piece;
      }
    },
  };
  return body;
}

test('a text is put together from its pieces, wherever it was cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(30), async (text, cut) => {
      const bytes = Buffer.from(text);
      const body = inPieces(bytes.subarray(0, cut), bytes.subarray(cut));
      expect(await readText(body, null, bytes.length)).toEqual({ text });
    }),
  );
});

test('exactly as many bytes as allowed are taken, one more is too large', async () => {
  const body = (): AsyncIterable<Uint8Array> => inPieces(new Uint8Array(6).fill(65), new Uint8Array(4).fill(65));
  expect(await readText(body(), null, 10)).toEqual({ text: 'AAAAAAAAAA' });
  expect(await readText(body(), '10', 10)).toEqual({ text: 'AAAAAAAAAA' });
  expect(await readText(body(), null, 9)).toEqual({ fault: 'too-large' });
});

test('a declared length that is too large is enough; nothing is read', async () => {
  const body = inPieces(new Uint8Array(1));
  expect(await readText(body, '11', 10)).toEqual({ fault: 'too-large' });
  expect(body.taken).toBe(0);
});

test('reading stops where it is known to be too large', async () => {
  const body = inPieces(...Array.from({ length: 100 }, () => new Uint8Array(10)));
  await readText(body, null, 25);
  expect(body.taken).toBe(3);
});

test('no body is an empty text', async () => {
  expect(await readText(null, null, 10)).toEqual({ text: '' });
  await discard(null);
});

test('a body that is not needed is read to its end', async () => {
  const body = inPieces(new Uint8Array(5), new Uint8Array(5));
  await discard(body);
  expect(body.taken).toBe(2);
});

test('bytes that are no UTF-8 are found, at any cut', async () => {
  const snowman = Buffer.from('☃');
  expect(await readText(inPieces(snowman.subarray(0, 1), snowman.subarray(1)), null, 10)).toEqual({ text: '☃' });
  const surrogate = [0xed, 0xa0, 0x80];
  const overlong = [0xc0, 0xaf];
  for (const bytes of [[0xff], [0x22, 0xc3, 0x22], surrogate, overlong, [...snowman.subarray(0, 2)]]) {
    expect(await readText(inPieces(new Uint8Array(bytes)), null, 10)).toEqual({ fault: 'not-utf8' });
  }
});

test('a piece that is a window on more bytes gives its own', async () => {
  const bytes = new Uint8Array([65, 66, 67, 68]).subarray(1, 3);
  expect(await readText(inPieces(bytes), null, 10)).toEqual({ text: 'BC' });
});
