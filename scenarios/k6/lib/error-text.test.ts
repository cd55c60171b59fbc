import { expect, test } from 'vitest';
import { errorText, isCut } from './error-text.ts';

test('a connection cut while sending has one name, whichever half of the client noticed', () => {
  const closed = 'write tcp 127.0.0.1:50258->127.0.0.1:33113: use of closed network connection';
  expect(errorText(closed)).toBe('connection reset while sending');
  expect(errorText('read: connection reset by peer')).toBe('read: connection reset by peer');
});

test('a long text is cut', () => {
  expect(errorText('x'.repeat(500))).toHaveLength(120);
});

test.each([
  ['1220 write: connection reset by peer', true],
  ['1201 write: broken pipe', true],
  ['1200 connection reset while sending', true],
  ['1633 http2: stream error', true],
  ['1000 EOF', true],
  ['timeout', false],
  ['1212 dial: connection refused', false],
  ['', false],
])('"%s" is a cut connection: %s', (error, expected) => {
  expect(isCut(error)).toBe(expected);
});
