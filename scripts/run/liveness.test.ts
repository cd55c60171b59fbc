import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { addressesOf, untilGone } from './liveness.ts';

const servers: Server[] = [];
const listening = (port = 0): Promise<{ server: Server; port: number }> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    servers.push(server);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address ? address.port : 0 });
    });
  });
const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
const at = (port: number) => new URL(`http://127.0.0.1:${port}`);

const later = (ms: number) => new Promise((resolve) => setTimeout(() => resolve('nothing was said'), ms));

afterEach(async () => {
  for (const server of servers.splice(0)) if (server.listening) await closed(server);
});

test('an address counts once, and an interface that is not given has none', () => {
  const one = addressesOf({ baseUrl: 'https://a.example', jobBaseUrl: 'https://a.example/jobs' });
  expect(one.map(({ host }) => host)).toEqual(['a.example']);
  expect(addressesOf({ baseUrl: null, jobBaseUrl: 'http://b.example:81' }).map(({ host }) => host)).toEqual([
    'b.example:81',
  ]);
  expect(addressesOf({ baseUrl: null, jobBaseUrl: null })).toEqual([]);
});

test('a target that is gone is reported, with its address and since when', async () => {
  const { server, port } = await listening();
  await closed(server);
  const why = await untilGone([at(port)], new AbortController().signal, 5);
  expect(why).toMatch(
    new RegExp(
      `^the target has been gone since \\d\\d:\\d\\d:\\d\\d UTC \\(connect ECONNREFUSED 127\\.0\\.0\\.1:${port}\\)$`,
    ),
  );
});

test('one that is back in time, and one of two interfaces, are not gone', async () => {
  const [one, other] = [await listening(), await listening()];
  await closed(one.server);
  const over = new AbortController();
  const both = untilGone([at(one.port), at(other.port)], over.signal, 5);
  const back = untilGone([at(one.port)], over.signal, 100);
  const { port } = await new Promise<{ port: number }>((resolve) => {
    setTimeout(() => resolve(listening(one.port)), 150);
  });
  expect(port).toBe(one.port);
  expect(await Promise.race([both, back, later(1000)])).toBe('nothing was said');
  over.abort();
  expect(await Promise.race([both, back, later(200)])).toBe('nothing was said');
});

test('where there is nothing to connect to nothing is watched', async () => {
  const never = untilGone([], new AbortController().signal, 5);
  expect(await Promise.race([never, later(100)])).toBe('nothing was said');
});
