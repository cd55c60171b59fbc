import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlLine } from './curl.ts';
import { exchange } from './fixtures.ts';

test('a request is repeated with the key from the environment', () => {
  expect(curlLine(exchange(), 100)).toBe(
    [
      "curl -i -X POST 'http://127.0.0.1:40123/api/v1/sl/inst-1/run'",
      '  -H "authorization: Bearer $PROOFLOAD_ACCESS_KEY"',
      "  -H 'content-type: application/json'",
      '  --data-raw \'{"input":{"echo":"it\'\\\'\'s me"}}\'',
    ].join(' \\\n'),
  );
});

test.each([
  ['Bearer ***', '"authorization: Bearer $PROOFLOAD_ACCESS_KEY"'],
  ['Bearer [masked]', '"authorization: Bearer $PROOFLOAD_ACCESS_KEY"'],
  ['[masked]', '"authorization: $PROOFLOAD_ACCESS_KEY"'],
  ['Bearer no-such-key', "'authorization: Bearer no-such-key'"],
  ['', "'authorization;'"],
])('authorization %j becomes %s', (authorization, argument) => {
  expect(curlLine(exchange({ requestHeaders: { authorization } }), 100)).toContain(`-H ${argument}`);
});

test('headers that curl sets itself are left to it, and a long body is cut', () => {
  const line = curlLine(
    exchange({ requestHeaders: { Host: 'x', 'Content-Length': '9' }, requestBody: 'y'.repeat(50) }),
    10,
  );
  expect(line).not.toMatch(/host|content-length/i);
  expect(line).toContain("--data-raw 'yyyyyyyyyy… (40 more characters)'");
});

test('nothing in a request is special to the shell', () => {
  const nasty = `'; echo owned; '$(echo owned) \`echo owned\` "`;
  const line = curlLine(
    exchange({ method: 'P;x', url: nasty, requestHeaders: { 'x-a': nasty }, requestBody: nasty }),
    1000,
  );
  const printed = execFileSync('sh', ['-c', line.replace(/^curl/, "printf '%s\\n'")], { encoding: 'utf8' });
  expect(printed.split('\n')).toEqual(['-i', '-X', 'P;x', nasty, '-H', `x-a: ${nasty}`, '--data-raw', nasty, '']);
});
