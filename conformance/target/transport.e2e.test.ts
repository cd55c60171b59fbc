import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { setImmediate as loopTurn } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { machineClock } from './clock.ts';
import { Connections } from './connections.ts';
import { isOk } from './reply.ts';
import { TargetFailure } from './signals.ts';
import { send, type WireRequest } from './transport.ts';

const TURNS = 3;

const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/plain': (_request, response) => void response.writeHead(200, { 'X-Two': ['a', 'b'] }).end('{"a":1}'),
  '/redirect': (_request, response) => void response.writeHead(302, { location: '/plain' }).end(),
  '/broken': (_request, response) => void response.writeHead(500).end('no'),
  '/hang': () => {},
  '/half': (_request, response) => void response.writeHead(200).write('begin'),
  '/reset': (request) => void request.socket.resetAndDestroy(),
  '/endless': (request, response) => {
    response.writeHead(200).write('begin');
    const timer = setInterval(() => response.write('more'), 5);
    request.socket.once('close', () => {
      clearInterval(timer);
      left += 1;
    });
  },
  '/pieces': async (_request, response) => {
    response.writeHead(200);
    response.write('žl'.slice(0, 1));
    // The client is in this process, and has read that when its loop has gone round, however long it stood still.
    for (let turn = 0; turn < TURNS; turn += 1) await loopTurn();
    setTimeout(() => response.end('luť'), 40);
  },
};

let left = 0;
let server: Server;
let base = '';
const dispatcher = new Agent();
const wire = { dispatcher, clock: machineClock };
const { signal } = new AbortController();

beforeAll(async () => {
  server = createServer((request, response) => answers[request.url ?? '']?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const get = (path: string, more: Partial<WireRequest> = {}) =>
  send(wire, { method: 'GET', url: `${base}${path}`, headers: {}, timeoutMs: 5000, ...more }, signal);

/** Asks a server for each path in turn, and gives the statuses, or the failure. */
async function inTurn(listener: RequestListener, requested: readonly Partial<WireRequest & { path: string }>[]) {
  const closing = createServer(listener);
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`;
  const own = { dispatcher: new Connections(), clock: machineClock };
  const outcomes: unknown[] = [];
  for (const { path, ...more } of requested) {
    const one = { method: 'POST', url: url + path, headers: {}, timeoutMs: 5000, ...more };
    outcomes.push(
      await send(own, one, signal).then(
        ({ status }) => status,
        (error: TargetFailure) => ({ onKept: error.onKept }),
      ),
    );
  }
  await own.dispatcher.destroy();
  await new Promise((resolve) => closing.close(resolve));
  return outcomes;
}

test('behind an error a connection is not used again', async () => {
  const answered = new Set<unknown>();
  // As servers do that close it without saying so: a second request there is reset.
  const closing: RequestListener = ({ socket, url }, response) => {
    if (answered.has(socket)) return void socket.resetAndDestroy();
    if (url === '/refused') answered.add(socket);
    response.writeHead(url === '/refused' ? 400 : 200).end('{}');
  };
  const requested = ['/', '/refused', '/', '/', '/refused', '/'].map((path) => ({ path }));
  expect(await inTurn(closing, requested)).toEqual([200, 400, 200, 200, 400, 200]);
});

test.each(['a FIN', 'a reset'])(
  'a kept connection that ends in %s before the response has a failure of its own',
  async (how) => {
    const used = new Set<unknown>();
    const closing: RequestListener = ({ socket, url }, response) => {
      if (used.has(socket) || url === '/lost') return how === 'a reset' ? socket.resetAndDestroy() : socket.destroy();
      used.add(socket);
      response.writeHead(200).end('{}');
    };
    const requested = ['/', '/', '/', '/', '/lost'].map((path) => ({ path }));
    // After the first such loss each request gets a new connection: what is lost there was asked for.
    expect(await inTurn(closing, requested)).toEqual([200, { onKept: true }, 200, 200, { onKept: false }]);
  },
);

test('what ends in the middle of a response over a kept connection is the doing of the service', async () => {
  const closing: RequestListener = ({ socket, url }, response) => {
    if (url !== '/half') return void response.writeHead(200).end('{}');
    response.writeHead(200).write('begin');
    setTimeout(() => socket.destroy(), 20);
  };
  expect(await inTurn(closing, [{ path: '/' }, { path: '/half' }])).toEqual([200, { onKept: false }]);
});

test('an answer with its headers, body and times', async () => {
  const reply = await get('/plain');
  expect(reply).toMatchObject({ request: 'GET /plain', status: 200, json: { a: 1 }, text: '{"a":1}' });
  expect(reply.headers['x-two']).toBe('a, b');
  expect(reply.sentMs).toBeLessThanOrEqual(reply.headersMs);
  expect(reply.headersMs).toBeLessThanOrEqual(reply.endMs);
});

test('a redirect is an answer, not a direction', async () => {
  expect(await get('/redirect')).toMatchObject({ status: 302, text: '' });
});

test('an error status is an answer', async () => {
  const reply = await get('/broken');
  expect([reply.status, reply.json, isOk(reply)]).toEqual([500, 'no', false]);
});

test('pieces keep their arrival times and their characters', async () => {
  const reply = await get('/pieces');
  expect(reply.text).toBe('žluť');
  const times = reply.pieces.map((one) => one.atMs);
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(20);
});

test.each([
  ['/hang', 'none after 0.2 s'],
  ['/half', 'none after 0.2 s'],
])('%s is given up in time', async (path, observed) => {
  const failure = get(path, { timeoutMs: 200 });
  await expect(failure).rejects.toMatchObject({ name: 'TargetFailure', fact: { observed } });
});

test('a reset is a fact about the target', async () => {
  await expect(get('/reset')).rejects.toBeInstanceOf(TargetFailure);
});

test('no listener, and a server without HTTP, are facts with a text', async () => {
  const tcp = createTcpServer((socket) => void socket.resume().end('SSH-2.0-nothing\r\n'));
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`;
  await expect(get('', { url })).rejects.toMatchObject({ fact: { what: 'GET / gets a response' } });
  await new Promise((resolve) => tcp.close(resolve));
  await expect(get('', { url })).rejects.toThrow(/ECONNREFUSED/);
});

test('an interruption is not the fault of the target', async () => {
  const stopper = new AbortController();
  const request = { method: 'GET', url: `${base}/hang`, headers: {}, timeoutMs: 5000 };
  const hanging = send(wire, request, stopper.signal);
  setTimeout(() => stopper.abort(new Error('stopped')), 50);
  await expect(hanging).rejects.toThrow('stopped');
  await expect(send(wire, request, stopper.signal)).rejects.toThrow('stopped');
});

test('a client that leaves after so many pieces closes its connection, and the next one is served', async () => {
  const reply = await get('/endless', { leavesAfter: 3 });
  expect(reply.pieces).toHaveLength(3);
  expect(reply.text.startsWith('begin')).toBe(true);
  await expect.poll(() => left).toBe(1);
  expect((await get('/plain')).json).toEqual({ a: 1 });
});

test('how long this process was kept from reading stands in the reply', async () => {
  expect((await get('/pieces')).stalledMs).toBeLessThan(150);
  const reading = get('/pieces');
  setImmediate(() => {
    for (const untilMs = performance.now() + 200; performance.now() < untilMs; );
  });
  expect((await reading).stalledMs).toBeGreaterThanOrEqual(150);
});
