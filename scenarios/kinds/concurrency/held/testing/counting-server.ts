/**
 * A service of a few lines that counts from a request's headers on, with any rule and delay that a test sets, to try
 * every scope and every pace that a target may have.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';

export interface CountingOptions {
  /** Requests in a window, and how long that is, ms. */
  readonly rate?: { readonly value: number; readonly windowMs: number };
  readonly atOnce?: number;
  /** Whose counter a request is counted by; default: one for all. */
  readonly scope?: (request: http.IncomingMessage) => string;
  /** What a request gets before it is counted; null lets it in. */
  readonly before?: (request: http.IncomingMessage) => number | null;
  /** Before any answer, a refusal too, ms. */
  readonly latencyMs?: number;
  /** How long a slot is kept after the answer, and after an abort, ms; Infinity: for ever. */
  readonly freeAfterMs?: number;
  readonly abortAfterMs?: number;
  /** With what it refuses; default: 429. */
  readonly refusal?: number;
  /** Reads a body to its end before it says that it refused it. */
  readonly refusesWhole?: boolean;
  /** It serves without waiting for a body, and that takes so long, ms. */
  readonly servesMs?: number;
  /** Done after that, it gives the slot back, and sends its answer when the body is complete, as servers in Go do. */
  readonly answersWhole?: boolean;
  /** Lets a request wait for a slot instead of refusing it. */
  readonly queues?: boolean;
  /** Ends the connection with each answer, as before HTTP/1.1. */
  readonly closes?: boolean;
  readonly backlog?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface CountingServer {
  readonly url: string;
  /** In the order of the answers. */
  readonly answered: { readonly status: number; readonly path: string; readonly address: string }[];
  /** Most that were in flight at once by any one counter. */
  most(): number;
  close(): Promise<void>;
}

export const instOf = ({ url = '' }: http.IncomingMessage): string => url.split('/')[4] ?? '';
export const keyOf = ({ headers }: http.IncomingMessage): string => headers.authorization ?? '';
export const methodOf = ({ method = '' }: http.IncomingMessage): string => method;
export const addressOf = ({ socket }: http.IncomingMessage): string => socket.remoteAddress ?? '';
export const connectionOf = ({ socket }: http.IncomingMessage): string => String(socket.remotePort);

/** As connections fall to so many processes in turn. */
export function processesOf(count: number): (request: http.IncomingMessage) => string {
  let connections = 0;
  const known = new WeakMap<object, number>();
  return ({ socket }) => {
    const own = known.get(socket) ?? connections;
    if (own === connections) connections += 1;
    known.set(socket, own);
    return String(own % count);
  };
}

const isHealth = ({ url = '' }: http.IncomingMessage): boolean => url.endsWith('/health');

export async function startCounting(options: CountingOptions): Promise<CountingServer> {
  const {
    rate,
    atOnce = Number.POSITIVE_INFINITY,
    scope = () => 'all',
    before,
    latencyMs = 0,
    closes,
    tls,
    refusal = 429,
  } = options;
  const admitted = new Map<string, number[]>();
  const inFlight = new Map<string, number>();
  const answered: CountingServer['answered'] = [];
  let most = 0;
  const overRate = (of: string): boolean => {
    if (!rate) return false;
    const log = (admitted.get(of) ?? []).filter((atMs) => atMs > performance.now() - rate.windowMs);
    admitted.set(of, log);
    if (log.length >= rate.value) return true;
    log.push(performance.now());
    return false;
  };
  const waiting: (() => void)[] = [];
  const add = (of: string, count: number): void => {
    const now = (inFlight.get(of) ?? 0) + count;
    inFlight.set(of, now);
    most = Math.max(most, now);
    if (count < 0) waiting.shift()?.();
  };
  const handle = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const of = scope(request);
    const send = (status: number): void => {
      answered.push({ status, path: request.url ?? '', address: addressOf(request) });
      response.writeHead(status, { 'content-length': 2, ...(closes ? { connection: 'close' } : {}) }).end('{}');
    };
    const answer = (status: number): void => {
      setTimeout(send, latencyMs, status);
    };
    const strange = before?.(request) ?? (isHealth(request) ? 200 : null);
    if (options.queues && strange === null && (inFlight.get(of) ?? 0) >= atOnce) {
      waiting.push(() => handle(request, response));
      return;
    }
    if (strange !== null || overRate(of) || (inFlight.get(of) ?? 0) >= atOnce) {
      if (strange !== null || !options.refusesWhole) {
        answer(strange ?? refusal);
        return;
      }
      request.on('error', () => {});
      request.resume().once('end', () => answer(refusal));
      return;
    }
    add(of, 1);
    if (options.answersWhole) {
      setTimeout(() => {
        add(of, -1);
        if (request.readableEnded) answer(200);
        else request.once('end', () => answer(200));
      }, options.servesMs);
      request.on('error', () => {}).resume();
      return;
    }
    response.once('close', () => {
      const afterMs = (response.writableFinished ? options.freeAfterMs : options.abortAfterMs) ?? 0;
      if (afterMs === 0) add(of, -1);
      else if (Number.isFinite(afterMs)) setTimeout(add, afterMs, of, -1);
    });
    request.on('error', () => {});
    request.resume();
    if (options.servesMs !== undefined) setTimeout(answer, options.servesMs, 200);
    else request.once('end', () => answer(200));
  };
  const server = tls ? https.createServer(tls, handle) : http.createServer(handle);
  server.listen({ port: 0, host: '0.0.0.0', backlog: options.backlog ?? 4096 });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    most: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
