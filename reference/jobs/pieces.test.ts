import fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf } from './pieces.ts';

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null');
/** Of every kind: plain, to be escaped, several bytes long, half a pair. */
const text = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', '"', '\n', '\u0001', '\ud800')),
});

test('a text comes in texts that fit and joined are the text', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 40 }), (chunk, maxBytes) => {
      const pieces = piecesOf(chunk, maxBytes);
      expect(pieces.join('')).toBe(chunk);
      for (const piece of pieces) expect(bytes(piece)).toBeLessThanOrEqual(maxBytes);
      expect(pieces.length === 1).toBe(bytes(chunk) <= maxBytes);
    }),
    { numRuns: 500 },
  );
});

test('anything else stays what it is when it fits, and comes as pieces of its JSON when it does not', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 8, max: 40 }), (chunk, maxBytes) => {
      const pieces = piecesOf(chunk, maxBytes);
      if (bytes(chunk) <= maxBytes) expect(pieces).toEqual([chunk]);
      else expect(pieces.join('')).toBe(typeof chunk === 'string' ? chunk : JSON.stringify(chunk));
      for (const piece of pieces) expect(bytes(piece)).toBeLessThanOrEqual(maxBytes);
    }),
    { numRuns: 500 },
  );
});

test('however small the limit, every piece holds something, and no character is cut in two', () => {
  expect(piecesOf('a😀b', 1)).toEqual(['a', '😀', 'b']);
  expect(piecesOf('', 1)).toEqual(['']);
  expect(piecesOf(undefined, 100)).toEqual([undefined]);
});

test('a long text is taken apart in one go through it', () => {
  const chunk = 'é'.repeat(1_000_000);
  const pieces = piecesOf(chunk, 1024 * 1024);
  expect(pieces.map(bytes)).toEqual([1024 * 1024, 2_000_000 + 4 - 1024 * 1024]);
  expect(pieces.join('')).toBe(chunk);
});
