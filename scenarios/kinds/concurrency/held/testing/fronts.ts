/** What may stand between us and a service: gateways that treat a body that is held back in ways of their own. */
import * as http from 'node:http';
import * as net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Front {
  readonly url: string;
  close(): Promise<void>;
}

/** Passes a request on only once all of its body is here, as many gateways do. */
export function buffering(serverUrl: string): Promise<Front> {
  return httpFront(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    await passOn(serverUrl, request, response, Buffer.concat(chunks));
  });
}

/** Answers a GET that has a body with this status, at once. */
export function withoutGetBodies(serverUrl: string, status: number): Promise<Front> {
  return httpFront(async (request, response) => {
    const hasBody = Number(request.headers['content-length'] ?? 0) > 0;
    if (request.method === 'GET' && hasBody) {
      response.writeHead(status, { connection: 'close' }).end();
      return;
    }
    await passOn(serverUrl, request, response, request);
  });
}

/** Gives up a request whose body is not here after so long, with a 408. */
export function impatient(serverUrl: string, patienceMs: number): Promise<Front> {
  return httpFront(async (request, response) => {
    const given = new AbortController();
    request.once('end', () => given.abort());
    request.once('close', () => given.abort());
    void delay(patienceMs, undefined, { signal: given.signal }).then(
      () => void (response.headersSent || response.writeHead(408, { connection: 'close' }).end()),
      () => undefined,
    );
    await passOn(serverUrl, request, response, request);
  });
}

/** Everything arrives so much later, in each direction. */
export async function distant(serverUrl: string, oneWayMs: number): Promise<Front> {
  const all = new Set<net.Socket>();
  const later = (from: net.Socket, to: net.Socket): void => {
    const inOrder = (act: () => void) => void setTimeout(act, oneWayMs);
    from.on('data', (chunk) => inOrder(() => to.writable && to.write(chunk)));
    from.on('close', () => inOrder(() => to.destroy()));
    from.on('error', () => from.destroy());
  };
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(new URL(serverUrl).port), '127.0.0.1');
    for (const socket of [client, upstream]) all.add(socket);
    later(client, upstream);
    later(upstream, client);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: urlOf(server),
    close: () =>
      new Promise((resolve) => {
        for (const socket of all) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

type Handle = (request: http.IncomingMessage, response: http.ServerResponse) => Promise<void>;

async function httpFront(handle: Handle): Promise<Front> {
  const server = http.createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: urlOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function passOn(
  serverUrl: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  body: Buffer | http.IncomingMessage,
): Promise<void> {
  const upstream = http.request(serverUrl + request.url, {
    method: request.method ?? 'GET',
    headers: request.headers,
    agent: false,
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  upstream.on('response', (answer) => {
    if (response.headersSent) return;
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  if (Buffer.isBuffer(body)) upstream.end(body);
  else {
    upstream.flushHeaders();
    body.pipe(upstream);
  }
}

function urlOf(server: net.Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the front has no port');
  return `http://127.0.0.1:${address.port}`;
}
