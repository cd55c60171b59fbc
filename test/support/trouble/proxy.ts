/**
 * A stretch of network between generator and target on which things go wrong: responses are delayed, connections are
 * cut, a gateway responds in place of the target, or nothing comes through any more. It can be changed while it runs.
 */
import * as net from 'node:net';

export interface Road {
  /** Each way, ms. */
  readonly delayMs?: number;
  /** Of all requests, 0 to 1: so many are cut, by turns before they get to the target and in their answer. */
  readonly cutShare?: number;
  /** A gateway answers 503 in place of the target. */
  readonly unavailable?: boolean;
  /** All that is sent is swallowed. */
  readonly silent?: boolean;
}

export interface TroubledProxy {
  readonly url: string;
  /** Connections cut so far. */
  readonly cut: number;
  change(road: Road): void;
  /** Cuts all connections. */
  drop(): void;
  close(): Promise<void>;
}

const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

/** @param target where it leads; called for each connection, so that a target may come back somewhere else */
export async function startTroubledProxy(target: () => string, first: Road = {}): Promise<TroubledProxy> {
  const sockets = new Set<net.Socket>();
  let road = first;
  let requests = 0;
  let cut = 0;
  /** One in so many, so that it happens for certain and not by chance. */
  const isUnlucky = (): boolean => {
    const share = road.cutShare ?? 0;
    requests += 1;
    if (share === 0 || requests % Math.round(1 / share) !== 0) return false;
    cut += 1;
    return true;
  };
  const later = (act: () => void): void => {
    if (road.delayMs) setTimeout(act, road.delayMs);
    else act();
  };
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(new URL(target()).port), '127.0.0.1');
    let doomed = false;
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => one.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (road.silent) return;
      if (road.unavailable) {
        client.write(UNAVAILABLE);
        return;
      }
      // A chunk is a request, since a load of small requests sends it at once.
      doomed = isUnlucky();
      if (doomed && cut % 2 === 0) client.resetAndDestroy();
      else later(() => upstream.write(bytes));
    });
    upstream.on('data', (bytes) => {
      if (road.silent) return;
      if (!doomed) {
        later(() => client.write(bytes));
        return;
      }
      client.write(bytes.subarray(0, bytes.length / 2));
      setImmediate(() => client.resetAndDestroy());
    });
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    get cut() {
      return cut;
    },
    change(to) {
      road = to;
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
