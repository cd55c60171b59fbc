import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesFor } from '../../execute/testing/addresses.ts';
import { bodyOf, frameOf } from './body.ts';

const usual = frameOf(addressesFor({}), 'one');

test('a body has exactly the requested bytes and is a valid job whose output stands behind the padding', () => {
  fc.assert(
    fc.property(fc.integer({ min: usual.smallest, max: 5000 }), (bytes) => {
      const body = bodyOf(usual, bytes);
      expect(body.byteLength).toBe(bytes);
      const text = new TextDecoder().decode(body);
      expect(JSON.parse(text)).toEqual({
        input: { echo: 'proofload run-1 one', delay_ms: 0, pad: 'a'.repeat(bytes - usual.smallest) },
      });
      expect(text.indexOf(usual.word)).toBeGreaterThan(text.lastIndexOf('aaa'));
    }),
  );
});

test.each([
  [
    { prompt: 'say {{echo}}', größe: '✓' },
    { pad: 'aaa', prompt: 'say proofload run-1 one', größe: '✓' },
  ],
  ['{{echo}}', 'aaa proofload run-1 one'],
  [['{{echo}}'], ['aaa', 'proofload run-1 one']],
  [
    { pad: 'mine', of: 'proofload-padding' },
    { pad_: 'aaa', pad: 'mine', of: 'proofload-padding' },
  ],
] as const)('the padding is inside the input, for any input: %j', (quick, input) => {
  const frame = frameOf(addressesFor({ workloads: { quick } }), 'one');
  const body = bodyOf(frame, frame.smallest + 3);
  expect(body.byteLength).toBe(frame.smallest + 3);
  expect(JSON.parse(new TextDecoder().decode(body))).toEqual({ input });
});

test('an input without room is padded next to it', () => {
  const frame = frameOf(addressesFor({ workloads: { quick: 7 } }), 'one');
  expect(JSON.parse(new TextDecoder().decode(bodyOf(frame, frame.smallest + 1)))).toEqual({ input: 7, pad: 'a' });
});

test('a body of many megabytes is exact too', () => {
  expect(bodyOf(usual, 20_971_521).byteLength).toBe(20_971_521);
});

test('fewer bytes than the frame needs are refused', () => {
  expect(() => bodyOf(usual, usual.smallest - 1)).toThrow(RangeError);
});
