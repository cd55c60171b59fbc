/** Bodies that nobody sends by accident: what each of them gets is the table of docs/hostile.md. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { operationPath } from '../../schemas/operations.ts';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';

const CHAT = operationPath('chat');
const RUN = operationPath('run', { instId: 'inst-1' });

type Bytes = Uint8Array<ArrayBuffer>;

const bytes = (...parts: readonly (string | readonly number[])[]): Bytes =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
  );

function send(one: Harness, path: string, body: Bytes, headers: Record<string, string> = {}): Promise<Answer> {
  return one.request(path, { method: 'POST', rawBody: new Blob([body]).stream(), headers });
}

/** An error in the envelope of either interface, and nothing left in flight. */
async function refused(body: Bytes, status: number, about: string, headers?: Record<string, string>): Promise<void> {
  for (const path of [CHAT, RUN]) {
    const one = harness();
    const answer = await send(one, path, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const message = path === CHAT ? field(answer.body, 'error', 'message') : field(answer.body, 'error');
    expect(message).toContain(about);
    expect(one.service.inFlight()).toEqual({ requests: 0, slots: 0 });
  }
}

const notJson: readonly [string, Bytes][] = [
  ['nothing', bytes('')],
  ['a NUL', bytes([0])],
  ['a bracket', bytes('{')],
  ['NaN', bytes('{"input":NaN}')],
  ['Infinity', bytes('{"input":-Infinity}')],
  ['a trailing comma', bytes('{"input":1,}')],
  ['single quotes', bytes("{'input':1}")],
  ['a comment', bytes('{"input":1} // x')],
  ['two documents', bytes('{"input":1}{"input":1}')],
  ['a form', bytes('input=1')],
  ['a control character in a string', bytes('{"input":"', [7], '"}')],
  ['a byte order mark', bytes([0xef, 0xbb, 0xbf], '{"input":1}')],
  ['UTF-16', new Uint8Array(Buffer.from('{"input":1}', 'utf16le'))],
];

test.for(notJson)('%s is no JSON: 400', async ([, body]) => refused(body, 400, 'valid JSON'));

test.for([
  ['a byte of no text', [0xff]],
  ['half a character', [0xc3]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
] as const)('%s is no UTF-8: 400', async ([, wrong]) => refused(bytes('{"input":"', wrong, '"}'), 400, 'valid UTF-8'));

test.for([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
  ['both', '[{"input":', '}]'],
] as const)('%s a hundred thousand deep: 400', async ([, open, close]) => {
  const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
  await refused(bytes(deep), 400, 'deep');
  await refused(bytes(`{"input":${deep},"model":"acme/base-70b","x":${deep}}`), 400, 'deep');
});

test('the deepest body that is taken can be answered too', async () => {
  const one = harness();
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  // The body's own object and `input` are two levels.
  const most = one.options.maxJsonDepth - 2;
  const sync = operationPath('runsync', { instId: 'inst-1' });
  const within = await send(one, sync, bytes(`{"input":{"echo":${nested(most)}}}`));
  expect(within.status).toBe(200);
  expect(within.text).toContain(`"output":${nested(most)}`);
  expect((await send(one, sync, bytes(`{"input":{"echo":${nested(most + 1)}}}`))).status).toBe(400);
});

test.for(['gzip', 'br', 'x-gzip, identity', 'nonsense'])('Content-Encoding: %s is a 415', async (coding) => {
  const body = new Uint8Array(gzipSync('{"input":1}'));
  await refused(body, 415, 'Content-Encoding', { 'content-encoding': coding });
  const answer = await send(harness(), RUN, body, { 'content-encoding': coding });
  expect(answer.headers.get('accept-encoding')).toBe('identity');
});

test('identity is no coding', async () => {
  const headers = { 'content-encoding': 'identity' };
  expect((await send(harness(), RUN, bytes('{"input":1}'), headers)).status).toBe(200);
});

test.for(['null', 'true', '0', '"input"', '[]', '[{"input":1}]', '{}', '{"__proto__":{"input":1}}'])(
  'JSON that is no submission and no chat, %s: 400',
  async (text) => refused(bytes(text), 400, ''),
);

const exact: readonly string[] = [
  'null',
  'false',
  '""',
  '[]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null,"hasOwnProperty":1,"then":2,"length":3}',
  '{"":{" ":"\\u0000"}}',
  '"\\ud800 alone \\udc00"',
  '"\u2028\u2029\u007f😀\u202e"',
  '[9007199254740991,-1.5,1e-300,5e-324]',
];

test.for(exact)('%s is returned unchanged', async (text) => {
  const one = harness();
  const answer = await send(one, operationPath('runsync', { instId: 'inst-1' }), bytes(`{"input":{"echo":${text}}}`));
  expect(answer.text).toContain(`"output":${text},`);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test.for([
  ['-0', '0'],
  ['1e999', 'null'],
  ['123456789012345678901234567890', '1.2345678901234568e+29'],
  ['{"a":1,"a":2}', '{"a":2}'],
] as const)('%s is read as a double or the last of its name, and is returned as %s', async ([sent, back]) => {
  const sync = operationPath('runsync', { instId: 'inst-1' });
  const answer = await send(harness(), sync, bytes(`{"input":{"echo":${sent}}}`));
  expect(answer.text).toContain(`"output":${back},`);
});
