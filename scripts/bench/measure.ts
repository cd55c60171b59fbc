/** The two ways to load a server: as fast as it answers, and at a given pace. */
import { type Answer, Connection } from './connection.ts';

export interface Measured {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds from when each was due, or sent, to its end; sorted. */
  readonly latencies: Float64Array;
}

const OK = 200;

function expectOk(answer: Answer): void {
  if (answer.status !== OK) throw new Error(`a benchmark request was answered with ${answer.status}: ${answer.tail}`);
}

export async function withConnections<T>(
  url: string,
  count: number,
  use: (connections: Connection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(url)));
  try {
    return await use([...connections]);
  } finally {
    for (const one of connections) one.close();
  }
}

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** Keeps the event loop turning: a client that sleeps has to be woken by the server's write, at the server's expense. */
async function stayAwake(until: number): Promise<void> {
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
}

/** Each of `connections` asks again as soon as it is answered, for `ms` milliseconds. */
export function topRate(url: string, request: Buffer, ms: number, connections = 64): Promise<Measured> {
  return withConnections(url, connections, async (all) => {
    const latencies: number[] = [];
    const startedAt = performance.now();
    const until = startedAt + ms;
    void stayAwake(until);
    await Promise.all(
      all.map(async (connection) => {
        for (let sentAt = performance.now(); sentAt < until; sentAt = performance.now()) {
          expectOk(await connection.ask(request));
          latencies.push(performance.now() - sentAt);
        }
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    return { requests: latencies.length, seconds, latencies: sorted(latencies) };
  });
}

/**
 * `perSecond` requests, evenly, for `ms` milliseconds. Latency counts from the moment a request was due, so that a
 * server that stands still is charged for those that had to wait.
 */
export function paced(url: string, request: Buffer, perSecond: number, ms: number): Promise<Measured> {
  return withConnections(url, 64, async (all) => {
    const free = [...all];
    const due: number[] = [];
    const latencies: number[] = [];
    const open = new Set<Promise<void>>();
    const startedAt = performance.now();
    const total = Math.floor((perSecond * ms) / 1000);
    const send = async (connection: Connection, dueAt: number): Promise<void> => {
      expectOk(await connection.ask(request));
      latencies.push(performance.now() - dueAt);
      free.push(connection);
    };
    for (let made = 0; made < total || due.length > 0; ) {
      const now = performance.now();
      for (; made < total && startedAt + (made * 1000) / perSecond <= now; made += 1) {
        due.push(startedAt + (made * 1000) / perSecond);
      }
      while (due.length > 0 && free.length > 0) {
        const [connection, dueAt] = [free.pop(), due.shift()];
        if (!connection || dueAt === undefined) break;
        const sent = send(connection, dueAt).finally(() => open.delete(sent));
        open.add(sent);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(open);
    const seconds = (performance.now() - startedAt) / 1000;
    return { requests: latencies.length, seconds, latencies: sorted(latencies) };
  });
}

/** Every connection asks once, all at once. */
export function together(url: string, request: Buffer, connections: number): Promise<Measured & { tails: string[] }> {
  return withConnections(url, connections, async (all) => {
    const latencies: number[] = [];
    const startedAt = performance.now();
    const tails = await Promise.all(
      all.map(async (connection) => {
        const answer = await connection.ask(request);
        expectOk(answer);
        latencies.push(performance.now() - startedAt);
        return answer.tail;
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    return { requests: latencies.length, seconds, latencies: sorted(latencies), tails };
  });
}

export const rate = ({ requests, seconds }: Measured): number => requests / seconds;

/** `share` 0 to 1. */
export function quantile(values: Float64Array, share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(sorted(values), 0.5);
