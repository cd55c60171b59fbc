/**
 * A service with one operation that the documentation doesn't have, and limits on it: what docs/own-limits.md is about.
 * It counts a request from its header on, as a gateway does, and has nothing of the documented service.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ExportOptions {
  /** Requests in any window; null: as many as come. */
  readonly rate: number | null;
  readonly windowMs: number;
  /** Requests at once; null: as many as come. */
  readonly atOnce: number | null;
  /** Bytes of a body; default: as many as come. */
  readonly maxBytes?: number;
  /** Until an export is answered, ms; default: none. */
  readonly takesMs?: number;
}

export interface ExportServer {
  readonly url: string;
  /** Bodies of the exports that were let in, each once. */
  readonly bodies: ReadonlySet<string>;
  close(): Promise<void>;
}

const TOO_MANY = 429;
const TOO_LARGE = 413;

export async function serveExport({
  rate,
  windowMs,
  atOnce,
  maxBytes = Infinity,
  takesMs = 0,
}: ExportOptions): Promise<ExportServer> {
  const bodies = new Set<string>();
  let admitted: number[] = [];
  let inFlight = 0;
  const refuses = (now: number): boolean => {
    if (atOnce !== null && inFlight >= atOnce) return true;
    admitted = admitted.filter((at) => now - at < windowMs);
    return rate !== null && admitted.length >= rate;
  };
  const exporting = (request: IncomingMessage, response: ServerResponse): void => {
    const now = performance.now();
    if (refuses(now)) {
      response.setHeader('Retry-After', '1');
      answer(response, TOO_MANY, { error: 'too many exports' });
      return;
    }
    admitted.push(now);
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    const parts: Buffer[] = [];
    request.on('data', (chunk: Buffer) => parts.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      if (body.length > maxBytes) return answer(response, TOO_LARGE, { error: 'too much to export' });
      bodies.add(JSON.stringify(JSON.parse(body.toString())));
      setTimeout(() => answer(response, 202, { accepted: true }), takesMs);
    });
  };
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/api/v1/sl/my-endpoint/export')
      return exporting(request, response);
    answer(response, 404, { error: 'nothing here' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, bodies, close };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
