/**
 * The reference on a socket, on node:http. The service runs as soon as the headers are here, so that a request counts
 * as in flight while its body is still on the way.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Client, Visitor } from './client.ts';
import { realClock } from './clock.ts';
import { errorReply } from './errors.ts';
import { drained, hasBody, toRequest } from './incoming.ts';
import { defaultOptions, type ReferenceOptions } from './options.ts';
import type { Reply } from './reply.ts';
import { sideOfUrl } from './routes.ts';
import { type CallContext, createService, type Service } from './service.ts';

export interface ServeOptions extends Partial<ReferenceOptions> {
  /** 0 or none: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Longest time a whole request may take to arrive, milliseconds. */
  readonly requestMs?: number;
  /** Longest time a client may leave a stream unread, milliseconds. */
  readonly unreadMs?: number;
}

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly inFlight: Service['inFlight'];
  /** Stops jobs, closes connections. */
  close(): Promise<void>;
}

/** Longer than clients keep idle connections, so that none is closed while a client uses it. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_MS = 120_000;
/**
 * Clients that vanish silently would keep their slots for ever. Three things end that: the system probes a silent
 * connection, a body has to arrive, and a stream has to be read. The last two are longer than any probe holds a request
 * back on purpose.
 */
const SILENT_MS = 30_000;
const REQUEST_MS = 300_000;
const UNREAD_MS = 120_000;
/** How often to check for requests that take too long to arrive. */
const POLL_MS = 10_000;
/** Connections waiting to be accepted: a wave of more than a thousand must not be dropped. */
const BACKLOG = 4096;
/** Most bytes of an unwanted body that are still read, so that the client sees the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024;

/** A client that has sent nothing for so long is waiting, and not only short of processor time. */
const STOPPED_SENDING_MS = 200;
/** Refused requests of this kind are small, and may be held back to the last byte. */
const TOO_MANY = 429;

/** Resolves when the client has read what was written, or is gone; one that doesn't read is hung up on. */
async function unread(outgoing: ServerResponse, unreadMs: number): Promise<void> {
  if (outgoing.destroyed) return;
  const over = new AbortController();
  const end = (): void => over.abort();
  for (const event of ['drain', 'close']) outgoing.once(event, end);
  await realClock.sleep(unreadMs, over.signal).then(
    () => outgoing.destroy(),
    () => undefined,
  );
  for (const event of ['drain', 'close']) outgoing.off(event, end);
}

async function writeStream(
  body: AsyncIterable<string>,
  outgoing: ServerResponse,
  client: Client,
  unreadMs: number,
): Promise<void> {
  outgoing.flushHeaders();
  for await (const piece of body) {
    if (client.gone) return;
    if (!outgoing.write(piece)) await unread(outgoing, unreadMs);
  }
  outgoing.end();
}

async function write(reply: Reply, outgoing: ServerResponse, client: Client, unreadMs = UNREAD_MS): Promise<void> {
  const { status, headers, body } = reply;
  if (typeof body !== 'string') {
    outgoing.writeHead(status, headers);
    return writeStream(body, outgoing, client, unreadMs);
  }
  headers['content-length'] = String(Buffer.byteLength(body));
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

/**
 * Reads what the client is still sending before it is refused: an answer in the middle of a body makes some clients
 * drop the connection and report a reset, and which of the two they see is a race. A client that has stopped sending,
 * because it waits for the refusal or holds its body back on purpose, gets its answer at once.
 */
async function drainWhileSending(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return;
  let bytes = 0;
  const over = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) incoming.once(event, () => resolve());
  });
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  for (let before = -1; before !== bytes && bytes <= DRAIN_BYTES && !incoming.complete; ) {
    before = bytes;
    await Promise.race([over, realClock.sleep(STOPPED_SENDING_MS)]);
  }
}

/** After an answer that did not wait for the rest: reads on, but not for ever. */
function hangUpIfEndless(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DRAIN_BYTES) incoming.socket.destroy();
  });
}

async function serveOne(
  service: Service,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  unreadMs: number,
): Promise<void> {
  const client = new Visitor();
  const onGone = (): void => {
    if (!outgoing.writableFinished) client.leave(new Error('the client went away'));
  };
  outgoing.on('close', onGone);
  const context: CallContext = {
    address: incoming.socket.remoteAddress ?? 'unknown',
    connection: String(incoming.socket.remotePort),
    ...(incoming.method === 'GET' && hasBody(incoming) ? { received: drained(incoming) } : {}),
  };
  try {
    const reply = await service.reply(toRequest(incoming, client), context);
    if (!incoming.complete && reply.status !== TOO_MANY) await drainWhileSending(incoming);
    await write(reply, outgoing, client, unreadMs);
    hangUpIfEndless(incoming);
  } catch (error) {
    if (client.gone || outgoing.destroyed) return;
    if (outgoing.headersSent) {
      outgoing.destroy();
      return;
    }
    const message = error instanceof Error ? error.message : 'internal error';
    const side = sideOfUrl(incoming.url ?? '/');
    await write(errorReply(side, 500, { message, type: 'server_error', code: 'internal_error' }), outgoing, client);
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Starts the reference on a socket with the real clock. Rejects with the system's error when it can't listen. */
export async function serve(options: ServeOptions = {}): Promise<Served> {
  const { port = 0, host = '127.0.0.1', requestMs = REQUEST_MS, unreadMs = UNREAD_MS, ...overrides } = options;
  const service = createService({ ...defaultOptions(), ...overrides }, { clock: realClock, random: Math.random });
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: Math.min(HEADERS_MS, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(POLL_MS, requestMs),
    keepAlive: true,
    keepAliveInitialDelay: SILENT_MS,
  });
  server.on('request', (incoming, outgoing) => void serveOne(service, incoming, outgoing, unreadMs));
  const bound = await listen(server, port, host);
  return {
    port: bound,
    inFlight: service.inFlight,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        service.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
