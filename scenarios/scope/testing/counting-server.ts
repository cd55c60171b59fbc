/** A service of a few lines that counts by whatever a test says, so that every scope a target may have can be tried. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingOptions {
  /** Requests in a window, and how long that is, ms. */
  readonly rate?: { readonly value: number; readonly windowMs: number };
  readonly atOnce?: number;
  /** Whose counter a request is counted by. */
  readonly scope: (request: IncomingMessage) => string;
  /** What a request gets before it is counted; null lets it in. */
  readonly before?: (request: IncomingMessage) => number | null;
}

export interface CountingServer {
  readonly url: string;
  /** Status and method of each answer, and the path behind the instances' own. */
  readonly answered: { readonly status: number; readonly path: string; readonly address: string }[];
  close(): Promise<void>;
}

export const instOf = ({ url = '' }: IncomingMessage): string => url.split('/')[4] ?? '';
export const keyOf = ({ headers }: IncomingMessage): string => headers.authorization ?? '';
export const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';
export const connectionOf = ({ socket }: IncomingMessage): string => String(socket.remotePort);

export async function startCounting({ rate, atOnce, scope, before }: CountingOptions): Promise<CountingServer> {
  const admitted = new Map<string, number[]>();
  const inFlight = new Map<string, number>();
  const answered: CountingServer['answered'] = [];
  const overRate = (of: string): boolean => {
    if (!rate) return false;
    const log = (admitted.get(of) ?? []).filter((atMs) => atMs > performance.now() - rate.windowMs);
    admitted.set(of, log);
    if (log.length >= rate.value) return true;
    log.push(performance.now());
    return false;
  };
  const server = createServer((request, response) => {
    const of = scope(request);
    const answer = (status: number) => {
      answered.push({ status, path: request.url ?? '', address: addressOf(request) });
      response.writeHead(status, { 'content-length': 2 }).end('{}');
    };
    const strange = before?.(request) ?? null;
    if (strange !== null) return answer(strange);
    if (overRate(of) || (inFlight.get(of) ?? 0) >= (atOnce ?? Number.POSITIVE_INFINITY)) return answer(429);
    inFlight.set(of, (inFlight.get(of) ?? 0) + 1);
    response.once('close', () => inFlight.set(of, (inFlight.get(of) ?? 0) - 1));
    request.resume();
    request.once('end', () => answer(200));
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
