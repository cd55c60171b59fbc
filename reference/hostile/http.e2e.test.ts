/** HTTP that no library would send, byte by byte; what each of it gets is the table of docs/hostile.md. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationPath } from '../../schemas/operations.ts';
import { type Served, serve } from '../server.ts';
import { type Heard, lastBody, say } from './testing/raw.ts';

const KEY = 'k';
const HEADERS = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`;
const MODELS = `GET ${operationPath('models')} HTTP/1.1\r\n${HEADERS}`;
const RUN = `POST ${operationPath('run', { instId: 'inst-1' })} HTTP/1.1\r\n${HEADERS}`;
const CHAT = `POST ${operationPath('chat')} HTTP/1.1\r\n${HEADERS}`;
const BODY = '{"input":1}';

let served: Served;
beforeAll(async () => {
  served = await serve({ accessKeys: [KEY] });
});
afterAll(() => served.close());

const anAnswer = /\r\n\r\n[\s\S]*[\]}]$/;
const hear = (...pieces: string[]): Promise<Heard> => say(served.port, pieces, { until: anAnswer });

function expectEnvelope(heard: Heard): void {
  const answer: unknown = JSON.parse(lastBody(heard));
  expect(heard.text).toMatch(/content-type: application\/json\r\n/i);
  const { error } = Object(answer);
  expect(typeof error === 'string' || typeof error?.message === 'string').toBe(true);
}

const line = (method: string, target: string, version = 'HTTP/1.1'): string => `${method} ${target} ${version}\r\n`;
const chunks = (size: string): string => `${RUN}Transfer-Encoding: chunked\r\n\r\n${size}\r\n${BODY}\r\n0\r\n\r\n`;

/** By Node, before it is a request. */
const unreadable: readonly [string, string, number][] = [
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an unknown method', `${line('FOO', '/v1/models')}${HEADERS}\r\n`, 400],
  ['an authority for a path', `${line('GET', 'other:80')}${HEADERS}\r\n`, 400],
  ['bytes beyond ASCII in a path', `${line('GET', '/v1/m\xff')}${HEADERS}\r\n`, 400],
  ['no Host', line('GET', '/v1/models').concat(`Authorization: Bearer ${KEY}\r\n\r\n`), 400],
  ['a folded header', `${MODELS}X-A: b\r\n c\r\n\r\n`, 400],
  ['a NUL in a header', `${MODELS}X-A: b\0c\r\n\r\n`, 400],
  ['a space before a colon', `${MODELS}X-A : b\r\n\r\n`, 400],
  ['bare line feeds', MODELS.replaceAll('\r\n', '\n').concat('\n'), 400],
  ['a giant header', `${MODELS}X-A: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a path of 100 KB', `${line('GET', `/v1/${'x'.repeat(100_000)}`)}${HEADERS}\r\n`, 431],
  ['2,000 headers before the Host', `${line('GET', '/v1/models')}${'a:\r\n'.repeat(2000)}${HEADERS}\r\n`, 400],
  ['both framings', `${RUN}Content-Length: 11\r\nTransfer-Encoding: chunked\r\n\r\n${BODY}`, 400],
  ['two lengths', `${RUN}Content-Length: 11\r\nContent-Length: 11\r\n\r\n${BODY}`, 400],
  ['lengths in a list', `${RUN}Content-Length: 11, 11\r\n\r\n${BODY}`, 400],
  ['a negative length', `${RUN}Content-Length: -1\r\n\r\n${BODY}`, 400],
  ['a length beyond all numbers', `${RUN}Content-Length: ${'9'.repeat(30)}\r\n\r\n${BODY}`, 400],
  ['a length too short', `${RUN}Content-Length: 5\r\n\r\n${BODY}`, 400],
  ['a chunk size of letters', chunks('zz'), 400],
  ['a chunk size too small', chunks('3'), 400],
  ['giant chunk extensions', chunks(`b;a=${'x'.repeat(20_000)}`), 413],
  ['a transfer coding alone', `${RUN}Transfer-Encoding: gzip\r\n\r\n${BODY}`, 400],
  ['an unknown expectation', `${RUN}Expect: fun\r\nContent-Length: 11\r\n\r\n${BODY}`, 417],
];

test.for(unreadable)('%s', async ([, text, status]) => {
  const heard = await say(served.port, [text], { until: /\r\n\r\n/ });
  expect(heard.statuses).toEqual([status]);
});

const refused: readonly [string, string, number][] = [
  ['HTTP/0.9', 'GET /v1/models\r\n\r\n', 401],
  ['TRACE', `${line('TRACE', '/v1/models')}${HEADERS}\r\n`, 405],
  ['OPTIONS', `${line('OPTIONS', '/v1/models')}${HEADERS}\r\n`, 405],
  ['OPTIONS *', `${line('OPTIONS', '*')}${HEADERS}\r\n`, 404],
  ['dots in a path', `${line('GET', '/v1/x/../models')}${HEADERS}\r\n`, 404],
  ['encoded dots in a path', `${line('GET', '/v1/%2e%2e/v1/models')}${HEADERS}\r\n`, 404],
  ['double slashes', `${line('GET', '//v1//models')}${HEADERS}\r\n`, 404],
  ['a backslash', `${line('GET', '/v1\\models')}${HEADERS}\r\n`, 404],
  ['a percent that decodes to nothing', `${line('GET', '/v1/models/%ff')}${HEADERS}\r\n`, 404],
  ['a length too large', `${CHAT}Content-Length: 99999999999\r\n\r\n{`, 413],
];

test.for(refused)('%s', async ([, text, status]) => {
  const heard = await hear(text);
  expect(heard.statuses).toEqual([status]);
  expectEnvelope(heard);
});

test('no proxy: CONNECT ends the connection', async () => {
  const heard = await say(served.port, [`${line('CONNECT', 'other:80')}${HEADERS}\r\n`]);
  expect(heard).toMatchObject({ statuses: [], closed: true });
});

test.for([
  ['two Hosts', `${MODELS}Host: y\r\n\r\n`],
  ['two keys, of which the first counts', `${MODELS}Authorization: Bearer other\r\n\r\n`],
  ['two content types', `${MODELS}Content-Type: a/b\r\ncontent-type: a/b\r\n\r\n`],
  ['an absolute target', `${line('GET', 'http://other:80/v1/models')}${HEADERS}\r\n`],
  ['HTTP/1.0', `${line('GET', '/v1/models', 'HTTP/1.0')}Authorization: Bearer ${KEY}\r\n\r\n`],
  ['an upgrade that nobody wants', `${MODELS}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['a fragment', `${line('GET', '/v1/models#x')}${HEADERS}\r\n`],
  ['empty lines before it', `\r\n\r\n${MODELS}\r\n`],
  ['chunk extensions', chunks('b;a=b')],
  ['trailers', chunks('b').replace('\r\n0\r\n', '\r\n0\r\nX-A: b\r\n')],
  ['1,900 headers', `${MODELS}${'a:\r\n'.repeat(1900)}\r\n`],
] as const)('%s: 200', async ([, text]) => {
  expect((await hear(text)).statuses).toEqual([200]);
});

test('HEAD is not one of the methods, and its answer has no body', async () => {
  const heard = await say(served.port, [`${line('HEAD', '/v1/models')}${HEADERS}\r\n`], { until: /\r\n\r\n/ });
  expect(heard.statuses).toEqual([405]);
  expect(lastBody(heard)).toBe('');
});

test('who expects 100-continue gets it', async () => {
  const heard = await hear(`${RUN}Expect: 100-continue\r\nContent-Length: 11\r\n\r\n`, BODY);
  expect(heard.statuses).toEqual([100, 200]);
});

test('requests in one piece are answered in their order', async () => {
  const paths = ['/v1/models', '/v1/nothing', '/v1/models/acme/base-70b', '/nothing'];
  const all = paths.map((path) => `${line('GET', path)}${HEADERS}\r\n`).join('');
  const heard = await say(served.port, [all], { until: /"not found"\}$/ });
  expect(heard.statuses).toEqual([200, 404, 200, 404]);
});

test('a request that never becomes whole gets a 408, in its head and in its body', async () => {
  const impatient = await serve({ accessKeys: [KEY], requestMs: 300 });
  for (const text of [MODELS, `${RUN}Content-Length: 50\r\n\r\n${BODY}`, `${RUN}Transfer-Encoding: chunked\r\n\r\n`]) {
    expect((await say(impatient.port, [text], { until: /\r\n\r\n/ })).statuses).toEqual([408]);
  }
  await expect.poll(() => impatient.inFlight()).toEqual({ requests: 0, slots: 0 });
  await impatient.close();
});

test('a refused connection is ended, and nothing of it stays in flight', async () => {
  const broken = `${RUN}Transfer-Encoding: chunked\r\n\r\nzz\r\n`;
  const heard = await say(served.port, [broken, 'more of it'.repeat(10_000)]);
  expect(heard.statuses).toEqual([400]);
  expect(heard.closed).toBe(true);
  await expect.poll(() => served.inFlight()).toEqual({ requests: 0, slots: 0 });
});
