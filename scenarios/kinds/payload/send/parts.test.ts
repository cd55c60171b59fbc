/** The pure parts of the payload senders: what answers mean, what they show of jobs, notes, pieces, sizes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesFor } from '../../../execute/testing/addresses.ts';
import { bodyOf, frameOf } from '../../../k6/lib/body.ts';
import { echoIn } from './job-echo.ts';
import { piecesOf, spacedPieces } from './large-body.ts';
import { decodeSize, decodeVisibility, encodeSize, encodeVisibility } from './note.ts';
import { fateOf, payloadOutcome } from './outcome.ts';

test.each([
  [200, '', 'accepted', 'accepted'],
  [413, '', 'refused', 'refused'],
  [400, '', 'refused', 'refused'],
  [403, '', 'refused-otherwise', 'refused'],
  [422, '', 'refused-otherwise', 'refused'],
  [0, '1220 connection reset', 'broken-off', 'refused'],
  [0, 'ECONNRESET', 'broken-off', 'refused'],
  [0, 'EPIPE', 'broken-off', 'refused'],
  [0, 'timeout', 'unanswered', 'unknown'],
  [0, 'ECONNREFUSED', 'other', 'unknown'],
  [401, '', 'other', 'unknown'],
  [408, '', 'other', 'unknown'],
  [429, '', 'other', 'unknown'],
  [503, '', 'other', 'unknown'],
  [500, '', 'broken-off', 'refused'],
  [502, '', 'broken-off', 'refused'],
  [302, '', 'other', 'unknown'],
])('an answer of %i %s is %s', (status, error, outcome, fate) => {
  expect(payloadOutcome({ status, error })).toBe(outcome);
  expect(fateOf(payloadOutcome({ status, error }))).toBe(fate);
});

const job = (more: object) => JSON.stringify({ id: 'j1', ...more });

test.each([
  [job({ status: 'IN_QUEUE' }), { id: 'j1', state: 'queued', endCameBack: null }],
  [job({ status: 'IN_PROGRESS' }), { state: 'running' }],
  [job({ status: 'FAILED', error: 'x' }), { state: 'ended', endCameBack: null }],
  [job({ status: 'COMPLETED', output: 'the word' }), { state: 'completed', endCameBack: true, paddingCameBack: false }],
  [job({ status: 'COMPLETED', output: { of: ['the word'] } }), { endCameBack: true }],
  [job({ status: 'COMPLETED', output: 'else' }), { endCameBack: false }],
  [job({ status: 'COMPLETED', output: null }), { endCameBack: null }],
  [job({ status: 'COMPLETED' }), { endCameBack: null }],
  [job({ status: 'COMPLETED', output: `${'a'.repeat(99)} the word` }), { endCameBack: true, paddingCameBack: true }],
  ['', { id: null, state: 'unseen', endCameBack: null }],
  ['not JSON', { id: null, state: 'unseen' }],
])('the answer %s shows %j', (body, seen) => {
  expect(echoIn(body, 'the word')).toMatchObject(seen);
});

test('notes are read as they were written, and distinguished from others', () => {
  const seen = { id: 'j1', state: 'completed', endCameBack: true, paddingCameBack: false } as const;
  const size = { bytes: 7, encoding: 'chunked', sent: 'part', seen } as const;
  expect(decodeSize(encodeSize(size))).toEqual(size);
  expect(decodeVisibility(encodeVisibility({ jobs: 3, ids: ['a'] }))).toEqual({ jobs: 3, ids: ['a'] });
  expect(decodeSize(encodeVisibility({ jobs: 3, ids: null }))).toBeNull();
  for (const other of [
    '',
    '10000',
    'null',
    '[]',
    '{"bytes":"7"}',
    '{"bytes":7,"encoding":"gzip","sent":null,"seen":null}',
  ]) {
    expect(decodeSize(other)).toBeNull();
    expect(decodeVisibility(other)).toBeNull();
  }
});

const frame = frameOf(addressesFor({}), 'one');

test('the pieces of a body are the body that k6 sends, and none of them is large', () => {
  fc.assert(
    fc.property(fc.integer({ min: frame.smallest, max: 1_500_000 }), (bytes) => {
      const pieces = [...piecesOf(frame, bytes)];
      expect(Buffer.concat(pieces).equals(Buffer.from(bodyOf(frame, bytes)))).toBe(true);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(500_000);
    }),
    { numRuns: 20 },
  );
  expect(() => piecesOf(frame, frame.smallest - 1)).toThrow(RangeError);
});

test('spaces make a JSON text longer and change nothing in it', () => {
  const text = JSON.stringify({ model: 'ä/b', messages: [] });
  fc.assert(
    fc.property(fc.integer({ min: Buffer.byteLength(text), max: 600_000 }), (bytes) => {
      const longer = Buffer.concat([...spacedPieces(text, bytes)]);
      expect(longer.length).toBe(bytes);
      expect(JSON.parse(longer.toString())).toEqual(JSON.parse(text));
    }),
    { numRuns: 20 },
  );
  expect(() => spacedPieces(text, 3)).toThrow(RangeError);
});
