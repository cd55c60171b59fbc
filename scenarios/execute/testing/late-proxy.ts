/**
 * A stretch of network before a test server that lets some connections through at once and keeps the later ones
 * unread until it is opened: to their senders those are sent and unanswered, as with a server kept from running.
 */
import * as net from 'node:net';

export interface LateProxy {
  readonly url: string;
  /** Resolves when the server has answered on the set number of connections. */
  readonly answered: Promise<void>;
  /** Forwards what was kept, in the order it came, and all that comes from now on. */
  open(): void;
  close(): Promise<void>;
}

/**
 * @param prompt so many connections are let through at once
 * @param answers on so many of them an answer is waited for
 */
export async function startLateProxy(serverUrl: string, prompt: number, answers = 1): Promise<LateProxy> {
  const port = Number(new URL(serverUrl).port);
  const kept: net.Socket[] = [];
  const all = new Set<net.Socket>();
  let [seen, heard] = [0, 0];
  let opened = false;
  let tell: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const handOver = (client: net.Socket): void => {
    if (client.destroyed) return;
    const upstream = net.connect(port, '127.0.0.1');
    all.add(upstream);
    upstream.once('data', () => {
      heard += 1;
      if (heard === answers) tell();
    });
    endTogether(client, upstream);
    client.pipe(upstream).pipe(client);
  };
  const server = net.createServer((client) => {
    seen += 1;
    all.add(client);
    client.on('error', () => client.destroy());
    if (opened || seen <= prompt) handOver(client);
    else kept.push(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    answered,
    open() {
      opened = true;
      for (const client of kept.splice(0)) handOver(client);
    },
    close() {
      for (const socket of all) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function endTogether(one: net.Socket, other: net.Socket): void {
  for (const [socket, partner] of [[one, other] as const, [other, one] as const]) {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => partner.destroy());
  }
}
