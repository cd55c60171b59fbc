/** One whole request against a server of a few lines. */
import * as http from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchange } from './exchange.ts';
import { stopwatch } from './stopwatch.ts';
import { addressesFor } from './testing/addresses.ts';

let server: http.Server;
let url: string;
let onRequest: (request: http.IncomingMessage, response: http.ServerResponse) => void;

beforeEach(async () => {
  server = http.createServer((request, response) => onRequest(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/x`;
});

afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const send = (timeoutMs: number, signal = new AbortController().signal) =>
  exchange(
    { operation: 'health', method: 'GET', url, body: null },
    { phase: 'control', sending: { addresses: addressesFor({}), key: 'k' }, clock: stopwatch(), signal, timeoutMs },
  );

test('an answer of any status, with its body and the times in order', async () => {
  onRequest = (request, response) =>
    response.writeHead(429).end(`${request.headers.authorization} ${request.headers['user-agent']}`);
  const { entry, body } = await send(60_000);
  expect(body).toBe('Bearer k proofload (run run-1)');
  expect(entry).toMatchObject({ phase: 'control', operation: 'health', status: 429, error: '', note: '' });
  expect(entry.sentMs <= entry.firstByteMs && entry.firstByteMs <= entry.endMs).toBe(true);
});

test('no answer in time, and one whose body does not end, are none', async () => {
  onRequest = () => {};
  expect((await send(50)).entry).toMatchObject({ status: 0, error: 'TimeoutError' });
  onRequest = (_, response) => void response.writeHead(200).write('begun');
  expect((await send(200)).entry).toMatchObject({ status: 0, error: 'TimeoutError' });
});

test('an abort is not an answer', async () => {
  onRequest = () => {};
  await expect(send(60_000, AbortSignal.abort())).rejects.toThrow(/abort/i);
});
