/** One held request against a server of a few lines: what is in flight, what is early, what gets lost. */
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopwatch } from '../../../execute/stopwatch.ts';
import { HeldRequest } from './request.ts';

let server: http.Server;
let agent: http.Agent;
let seen: { method: string; headers: http.IncomingHttpHeaders; body: Promise<string> }[];
let onRequest: (request: http.IncomingMessage, response: http.ServerResponse) => void;

beforeEach(async () => {
  seen = [];
  agent = new http.Agent({ keepAlive: true });
  server = http.createServer((request, response) => {
    const body = new Promise<string>((resolve) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => resolve(text));
      request.on('error', () => resolve(`${text} (aborted)`));
    });
    seen.push({ method: request.method ?? '', headers: request.headers, body });
    onRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const answerAtEnd = (status: number) => (request: http.IncomingMessage, response: http.ServerResponse) => {
  request.on('end', () => response.writeHead(status).end('done'));
};
const answerNow =
  (status: number, headers = {}) =>
  (_: http.IncomingMessage, response: http.ServerResponse) => {
    response.writeHead(status, headers).end('now');
  };

function open(method: 'GET' | 'POST' = 'POST', body = '{"input":{}}', port?: number): HeldRequest {
  const url = `http://127.0.0.1:${port ?? (server.address() as AddressInfo).port}/x`;
  return new HeldRequest({
    request: { operation: 'run', method, url, body },
    headers: { Authorization: 'Bearer k' },
    agent,
    clock: stopwatch(),
  });
}

test.each(['POST', 'GET'] as const)('a %s is in flight until its last byte is sent', async (method) => {
  onRequest = answerAtEnd(200);
  const held = open(method);
  await held.flushed;
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  expect(held.held).toBe(true);
  expect(seen[0]).toMatchObject({ method, headers: { 'content-length': '12', authorization: 'Bearer k' } });
  held.release();
  const outcome = await held.settled;
  expect(outcome).toMatchObject({ status: 200, error: '', early: false, retryAfter: '' });
  expect(outcome.sentMs <= outcome.firstByteMs && outcome.firstByteMs <= outcome.endMs).toBe(true);
  expect(await seen[0]?.body).toBe('{"input":{}}');
});

test('an answer before the last byte is early, and its Retry-After is kept', async () => {
  onRequest = answerNow(429, { 'retry-after': '7' });
  const held = open();
  expect(await held.settled).toMatchObject({ status: 429, early: true, retryAfter: '7' });
  expect(held.held).toBe(false);
});

test('a release after the answer sends nothing more', async () => {
  onRequest = answerNow(429);
  const held = open();
  await held.settled;
  held.release();
  expect(held.outcome?.early).toBe(true);
});

test('a destroyed one is over at once, and the server sees the abort', async () => {
  onRequest = answerAtEnd(200);
  const held = open();
  await held.flushed;
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  held.destroy('aborted');
  expect(await held.settled).toMatchObject({ status: 0, error: 'aborted', early: true });
  expect(await seen[0]?.body).toBe('{"input":{} (aborted)');
});

test('a connection that the server drops is lost, with the reason', async () => {
  onRequest = (request) => request.socket.resetAndDestroy();
  const held = open();
  expect(await held.settled).toMatchObject({ status: 0, error: 'ECONNRESET' });
});

test('where nothing listens it is over too', async () => {
  const unused = http.createServer();
  await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve));
  const { port } = unused.address() as AddressInfo;
  await new Promise((resolve) => unused.close(resolve));
  const held = open('POST', '{}', port);
  await held.flushed;
  expect(await held.settled).toMatchObject({ status: 0, error: 'ECONNREFUSED' });
});
