import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { refuseForm } from './unparsed.ts';

function incoming(url: string, httpVersion: string, ...raw: readonly string[]): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? '']] : []));
  return Object.assign(message, { url, httpVersion, rawHeaders: [...raw], headers: Object.fromEntries(pairs) });
}

test('a request of good form is let through', () => {
  for (const message of [
    incoming('/v1/models', '1.1', 'Host', 'x'),
    incoming('/v1/models', '1.1', 'host', '', 'Accept', 'a', 'accept', 'b', 'X-Authorization', 'c'),
    incoming('/v1/models', '1.0'),
    incoming('/v1/models', '1.1', 'Host', 'x', 'Transfer-Encoding', 'Chunked'),
  ]) {
    expect(refuseForm(message)).toBeNull();
  }
});

test.for([
  ['1.1', ['Accept', 'x'], 'Host'],
  ['0.9', [], 'HTTP/1.0'],
  ['2.0', ['Host', 'x'], 'HTTP/1.0'],
  ['1.1', ['Host', 'x', 'hOST', 'x'], 'host'],
  ['1.1', ['Host', 'x', 'Authorization', 'a', 'AUTHORIZATION', 'b'], 'authorization'],
  ['1.0', ['Content-Type', 'a', 'Accept', 'c', 'Content-type', 'a'], 'content-type'],
  ['1.1', ['Host', 'x', 'Transfer-Encoding', 'gzip, chunked'], 'Transfer-Encoding'],
] as const)('HTTP/%s with %s is a 400 about %s, in the words of its interface', ([version, headers, about]) => {
  const models = refuseForm(incoming('/v1/models', version, ...headers));
  expect(models?.status).toBe(400);
  expect(JSON.parse(String(models?.body))).toMatchObject({ error: { message: expect.stringContaining(about) } });
  const run = refuseForm(incoming('http://x/api/v1/sl/inst-1/run', version, ...headers));
  expect(JSON.parse(String(run?.body))).toEqual({ error: expect.stringContaining(about) });
});
