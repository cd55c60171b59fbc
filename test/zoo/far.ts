/** A stretch of network before a server: every piece of data takes so long each way, and a little more or less. */
import * as net from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Served } from './npm.ts';

const JITTER = 0.25;

export async function farAway(served: Served, oneWayMs: number): Promise<Served> {
  const port = Number(new URL(served.url).port);
  const open = new Set<net.Socket>();
  const late = (from: net.Socket, to: net.Socket): void => {
    let freeAtMs = 0;
    let written = Promise.resolve();
    from.on('data', (data) => {
      // What was sent later does not come sooner, which timers alone would not keep to.
      freeAtMs = Math.max(freeAtMs, performance.now() + oneWayMs * (1 + JITTER * (2 * Math.random() - 1)));
      const atMs = freeAtMs;
      written = written.then(async () => {
        await setTimeout(Math.max(0, atMs - performance.now()));
        if (to.writable) to.write(data);
      });
    });
    from.on('close', () => setTimeout(2 * oneWayMs).then(() => to.destroy()));
    from.on('error', () => {});
  };
  const server = net.createServer({ noDelay: true }, (client) => {
    const upstream = net.connect({ port, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, upstream]) open.add(socket);
    late(client, upstream);
    late(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await served.close();
    },
  };
}
