import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlLine } from './curl.ts';
import { exchange } from './testing/fixtures.ts';
import { visible } from './text.ts';

const KEY = `\${PROOFLOAD_JOB_KEY:-$PROOFLOAD_ACCESS_KEY}`;

test('a request is repeated with the key from the environment', () => {
  expect(curlLine(exchange(), 100)).toBe(
    [
      "curl -i -X POST 'http://127.0.0.1:40123/api/v1/sl/inst-1/run'",
      `  -H "authorization: Bearer ${KEY}"`,
      "  -H 'content-type: application/json'",
      '  --data-raw \'{"input":{"echo":"it\'\\\'\'s me"}}\'',
    ].join(' \\\n'),
  );
});

test.each([
  ['Bearer ***', `"authorization: Bearer ${KEY}"`],
  ['Bearer [masked]', `"authorization: Bearer ${KEY}"`],
  ['[masked]', `"authorization: ${KEY}"`],
  ['Bearer no-such-key', "'authorization: Bearer no-such-key'"],
  ['', "'authorization;'"],
])('authorization %j becomes %s', (authorization, argument) => {
  expect(curlLine(exchange({ requestHeaders: { authorization } }), 100)).toContain(`-H ${argument}`);
});

test('interface A has one key only', () => {
  const line = curlLine(exchange({ url: 'http://x/v1/models', requestHeaders: { authorization: 'Bearer ***' } }), 100);
  expect(line).toContain(`"authorization: Bearer \${PROOFLOAD_ACCESS_KEY}"`);
});

test('a masked credential that may be another one is left masked, and said to be', () => {
  const masked = exchange({ requestHeaders: { authorization: 'Bearer ***' } });
  const [remark, ...line] = curlLine(masked, 100, 'unsure').split('\n');
  expect(remark).toMatch(/^# \*\*\* is a credential that is not written down/);
  expect(line.join('\n')).toContain("-H 'authorization: Bearer ***'");
  expect(curlLine(exchange({ requestHeaders: {} }), 100, 'unsure')).not.toContain('#');
});

test('headers that curl sets itself are left to it', () => {
  const line = curlLine(exchange({ requestHeaders: { Host: 'x', 'Content-Length': '9' } }), 100);
  expect(line).not.toMatch(/host|content-length/i);
});

test.each([
  ['y'.repeat(50), 10, '# The file body has to hold the 50 characters that begin with yyyyyyyyyy…'],
  [
    `${'z'.repeat(20)}… (10485760 characters)`,
    100,
    '# The file body has to hold the 10485760 characters that begin with zzz',
  ],
  ['a\nrm -rf x\n'.repeat(9), 20, '# The file body has to hold the 99 characters that begin with a rm -rf x'],
])('of a long body the beginning is shown, and the rest comes from a file', (requestBody, most, remark) => {
  const [first, ...rest] = curlLine(exchange({ requestBody }), most).split('\n');
  expect(first).toContain(remark);
  expect(rest[0]).toMatch(/^curl /);
  expect(rest.at(-1)).toContain('--data-binary @body');
});

test('curl adds nothing that was not sent, and tidies nothing up', () => {
  expect(curlLine(exchange({ requestHeaders: {} }), 100)).toContain("-H 'content-type:'");
  const { requestBody: _, ...bare } = exchange({ requestHeaders: {}, url: 'http://x/a/../b/[1]' });
  expect(curlLine(bare, 100)).toBe("curl -i --path-as-is --globoff -X POST 'http://x/a/../b/[1]'");
  expect(curlLine({ ...bare, url: 'http://x/a', method: 'HEAD' }, 100)).toBe("curl -i --head 'http://x/a'");
});

/** What a shell makes of the line: curl's arguments, and what reaches its input. */
function shell(line: string): { args: string[]; input: string } {
  const stub = 'curl() { printf "%s\\0" "$@"; printf "\\1"; case "$*" in *@-*) cat;; esac; }';
  const out = execFileSync('sh', ['-c', `${stub}\n${line}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '' },
  });
  const at = out.indexOf('\u0001');
  return { args: out.slice(0, at).split('\0').slice(0, -1), input: out.slice(at + 1) };
}

test('nothing in a request is special to the shell', () => {
  const nasty = `'; echo owned; '$(echo owned) \`echo owned\` "`;
  const { args } = shell(
    curlLine(exchange({ method: 'P;x', url: nasty, requestHeaders: { 'x-a': nasty }, requestBody: nasty }), 1000),
  );
  const body = ['-H', 'content-type:', '--data-raw', nasty];
  expect(args).toEqual(['-i', '-X', 'P;x', nasty, '-H', `x-a: ${nasty}`, ...body]);
});

const bodies = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom(
    'a\r\nb',
    "it's\n'quoted'",
    '100 % \\n \\0',
    '\u202egnp',
    'ünï – 漢字 🙂',
    '@file',
    '\u0007bell\u001b[31m',
  ),
);

test('any body reaches curl unchanged, and the line shows nothing that is invisible', () => {
  const sent = bodies.filter((one) => !one.includes('\0') && !/\p{Cs}/u.test(one) && !one.includes('\u0001'));
  const property = fc.property(sent, (requestBody) => {
    const line = curlLine(exchange({ requestBody }), 1000);
    expect(visible(line)).toBe(line);
    const { args, input } = shell(line);
    expect(input === '' ? args.at(-1) : input).toBe(requestBody);
  });
  fc.assert(property, { numRuns: 60 });
});
