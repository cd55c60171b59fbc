import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyOf, SMALLEST_BODY } from './body.ts';

const parsed = (bytes: number): unknown => JSON.parse(new TextDecoder().decode(bodyOf(bytes)));

test('a body has exactly the bytes asked for and is a valid job', () => {
  fc.assert(
    fc.property(fc.integer({ min: SMALLEST_BODY, max: 5000 }), (bytes) => {
      expect(bodyOf(bytes).byteLength).toBe(bytes);
      expect(parsed(bytes)).toEqual({ input: { echo: 1, pad: 'a'.repeat(bytes - SMALLEST_BODY) } });
    }),
  );
});

test('a body of many megabytes is exact too', () => {
  expect(bodyOf(20_971_521).byteLength).toBe(20_971_521);
});

test('fewer bytes than the frame needs are refused', () => {
  expect(() => bodyOf(SMALLEST_BODY - 1)).toThrow(RangeError);
});
