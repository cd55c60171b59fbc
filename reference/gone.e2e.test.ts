/** Clients on real sockets that go away in every way there is: in the end nobody is in flight. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { limitsOf } from '../schemas/limits.ts';
import { type DocumentedOperationId, operationPath, operations } from '../schemas/operations.ts';
import { type Served, type ServeOptions, serve } from './server.ts';

const KEY = 'proofload-local';
/** Connections at once; more would need more files than a system opens by default. */
const WAVE = 250;
const WAVES = 12;

const open: { served: Served[]; sockets: Set<Socket> } = { served: [], sockets: new Set() };

async function start(options: ServeOptions = {}): Promise<Served> {
  const off = [...limitsOf('requests'), ...limitsOf('queue'), ...limitsOf('concurrent-requests')];
  const limits = Object.fromEntries(off.map(({ id }) => [id, 'off' as const]));
  const one = await serve({ accessKeys: [KEY], limits, ...options });
  open.served.push(one);
  return one;
}

afterEach(async () => {
  for (const socket of open.sockets) socket.destroy();
  await Promise.all(open.served.map((one) => one.close()));
  open.served = [];
  open.sockets.clear();
});

/** A raw connection; what comes back, or that it is reset, is nobody's concern. */
async function dial({ port }: Served): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  open.sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => open.sockets.delete(socket));
  await once(socket, 'connect');
  return socket;
}

const bodies: Partial<Record<DocumentedOperationId, object>> = {
  run: { input: { echo: 1 } },
  runsync: { input: { delay_ms: 600_000 } },
  chat: { model: 'acme/base-70b', messages: [{ role: 'user', content: 'x' }], max_tokens: 4000, stream: true },
  completions: { model: 'acme/base-70b', prompt: 'x', max_tokens: 4000, stream: true },
};

interface Sent {
  readonly head: string;
  readonly body: string;
}

function requestOf(id: DocumentedOperationId, jobId: string): Sent {
  const [method = 'GET'] = operations.find((one) => one.id === id)?.methods ?? [];
  // Also where it isn't needed: every operation waits for the whole request.
  const body = JSON.stringify(bodies[id] ?? {});
  const lines = [
    `${method} ${operationPath(id, { instId: 'inst-1', jobId })} HTTP/1.1`,
    'host: reference',
    `authorization: Bearer ${KEY}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body };
}

/** How a client goes away, once its request is on the way. */
const ways: readonly { name: string; whole: boolean; leave(socket: Socket): void }[] = [
  { name: 'reset in the body', whole: false, leave: (socket) => void socket.resetAndDestroy() },
  { name: 'reset after the request', whole: true, leave: (socket) => void socket.resetAndDestroy() },
  { name: 'close in the body', whole: false, leave: (socket) => void socket.destroy() },
  { name: 'close after the request', whole: true, leave: (socket) => void socket.destroy() },
  { name: 'half close in the body', whole: false, leave: (socket) => void socket.end() },
  { name: 'half close after the request', whole: true, leave: (socket) => void socket.end() },
];

async function submitted({ url }: Served): Promise<string> {
  const response = await fetch(url + operationPath('run', { instId: 'inst-1' }), {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: { delay_ms: 3_600_000 } }),
  });
  const { id }: { id?: unknown } = JSON.parse(await response.text());
  return String(id);
}

const nobody = { requests: 0, slots: 0 };
const patience = { timeout: 20_000, interval: 20 };

test('three thousand clients that reset, close or half close leave nothing in flight', async () => {
  const served = await start();
  const jobId = await submitted(served);
  let most = 0;
  for (let wave = 0; wave < WAVES; wave += 1) {
    const sockets = await Promise.all(Array.from({ length: WAVE }, () => dial(served)));
    const going = sockets.map((socket, index) => {
      const number = wave * WAVE + index;
      const way = ways[number % ways.length];
      const id = operations[Math.floor(number / ways.length) % operations.length]?.id ?? 'run';
      const { head, body } = requestOf(id, jobId);
      if (!way) throw new Error('no way to go');
      socket.write(head + (way.whole ? body : body.slice(0, -1)));
      return () => way.leave(socket);
    });
    // Some leave before the server has looked, most while it is answering them.
    for (const leave of going.filter((_, index) => index % 5 === 0)) leave();
    await expect.poll(() => served.inFlight().requests, patience).toBeGreaterThan(WAVE / 4);
    most = Math.max(most, served.inFlight().requests);
    for (const leave of going.filter((_, index) => index % 5 !== 0)) leave();
  }
  await expect.poll(served.inFlight, patience).toEqual(nobody);
  expect(most).toBeGreaterThan(WAVE / 4);
});

test('a body that never comes is given up after its time, and not before', async () => {
  const requestMs = 1500;
  const served = await start({ requestMs });
  const began = performance.now();
  const sockets = await Promise.all(Array.from({ length: WAVE }, () => dial(served)));
  for (const [index, socket] of sockets.entries()) {
    const { head, body } = requestOf(operations[index % operations.length]?.id ?? 'run', 'nobody');
    socket.write(head + body.slice(0, -1));
  }
  await expect.poll(() => served.inFlight().requests, patience).toBeGreaterThan(WAVE / 2);
  await expect.poll(served.inFlight, patience).toEqual(nobody);
  expect(performance.now() - began).toBeGreaterThanOrEqual(requestMs);
});

test('a stream that is not read is closed, one that is read ends', async () => {
  // Far more than the buffers between the two ends hold.
  const tokens = 60_000;
  const served = await start({ unreadMs: 4000, interTokenMs: 0, firstTokenMs: 0, maxCompletionTokens: tokens });
  const body = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', max_tokens: tokens, stream: true });
  const { head } = requestOf('completions', '');
  const request = head.replace(/content-length: \d+/, `content-length: ${body.length}`) + body;
  const deaf = await Promise.all(Array.from({ length: 2 }, () => dial(served)));
  for (const socket of deaf) {
    socket.pause();
    socket.write(request);
  }
  await expect.poll(() => served.inFlight().requests, patience).toBe(deaf.length);
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const read = await fetch(served.url + operationPath('completions'), { method: 'POST', headers, body });
  expect((await read.text()).trimEnd().endsWith('data: [DONE]')).toBe(true);
  await expect.poll(served.inFlight, patience).toEqual(nobody);
});
