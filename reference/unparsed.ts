/**
 * Answers to what never becomes a request: broken HTTP, headers too large, a request that takes for ever, CONNECT. Node
 * would answer with a bare status or none at all; a client's error reading wants the interface's envelope here too.
 */
import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { InterfaceId } from '../schemas/operations.ts';
import { realClock } from './clock.ts';
import { errorReply } from './errors.ts';
import type { Reply } from './reply.ts';
import { sideOfUrl } from './routes.ts';

/** How long a refused connection is still read, so that its client sees the answer instead of a reset. */
const LINGER_MS = 1000;
/** As much of a packet as is looked at for its path, bytes. */
const LOOKED_AT_BYTES = 256;

const invalid = 'invalid_request_error';

function refusal(side: InterfaceId, status: number, message: string, headers?: Record<string, string>): Reply {
  return errorReply(side, status, { message, type: invalid }, headers);
}

/** Headers of which a second one could be understood instead of the first, by their length: cheap to look for. */
const ONCE = new Map(
  ['host', 'authorization', 'content-type'].map((name, bit) => [name.length, { name, bit: 1 << bit }]),
);

/** The first of them that is there twice, null when none is. `raw`: names and values in turns. */
function repeated(raw: readonly string[]): string | null {
  let seen = 0;
  for (let index = 0; index < raw.length; index += 2) {
    const header = raw[index] ?? '';
    const once = ONCE.get(header.length);
    if (!once || header.toLowerCase() !== once.name) continue;
    if (seen & once.bit) return once.name;
    seen |= once.bit;
  }
  return null;
}

/** Why a request of a shape that Node lets through is refused before anybody looks at it; null for a good one. */
export function refuseForm(incoming: IncomingMessage): Reply | null {
  const { httpVersion, headers, rawHeaders, url = '' } = incoming;
  const twice = repeated(rawHeaders);
  const coding = headers['transfer-encoding'];
  const isKnown = httpVersion === '1.1' ? headers.host !== undefined : httpVersion === '1.0';
  if (twice === null && isKnown && (coding === undefined || /^chunked$/i.test(coding))) return null;
  const why =
    (twice && `The header ${twice} may be given only once.`) ||
    (!isKnown && httpVersion === '1.1' && 'A request of HTTP/1.1 must have a Host header.') ||
    (!isKnown && 'Only HTTP/1.0 and HTTP/1.1 are spoken here.') ||
    'No Transfer-Encoding is understood but chunked.';
  return refusal(sideOfUrl(url), 400, why);
}

const field = (error: Error, name: string): unknown => (name in error ? Reflect.get(error, name) : undefined);

function faultOf(error: Error): { status: number; message: string } {
  switch (field(error, 'code')) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, message: 'The head of the request is too large.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, message: 'The chunk extensions are too large.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, message: 'The request took too long to arrive.' };
    default:
      return { status: 400, message: `The request is not valid HTTP: ${field(error, 'reason') ?? error.message}.` };
  }
}

/** The answer this connection is working on; Node keeps it there to decide the same question. */
function pendingOn(socket: Duplex): ServerResponse | null {
  const pending: unknown = Reflect.get(socket, '_httpMessage');
  return pending instanceof ServerResponse ? pending : null;
}

/** By the path, where it can still be seen. */
function sideFor(error: Error, pending: ServerResponse | null): InterfaceId {
  if (pending) return sideOfUrl(pending.req.url ?? '');
  const packet = field(error, 'rawPacket');
  const start = Buffer.isBuffer(packet) ? packet.toString('latin1', 0, LOOKED_AT_BYTES) : '';
  return sideOfUrl(/^\s*\w+ (\S+)/.exec(start)?.[1] ?? '');
}

/** Writes an answer past Node's own machinery and ends the connection. */
function lastWord(socket: Duplex, { status, headers, body }: Reply): void {
  const text = String(body);
  const all = { ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const over = new AbortController();
  socket.once('close', () => over.abort());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  socket.resume();
  void realClock.sleep(LINGER_MS, over.signal).then(
    () => socket.destroy(),
    () => undefined,
  );
}

function onClientError(error: Error, socket: Duplex): void {
  // What follows the broken part breaks once more, and has had its answer.
  if (socket.writableEnded) return;
  const pending = pendingOn(socket);
  if (!socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, message } = faultOf(error);
  lastWord(socket, refusal(sideFor(error, pending), status, message));
}

/** Takes over what Node's server would answer by itself. */
export function answerUnparsed(server: Server): void {
  server.on('clientError', onClientError);
  server.on('connect', (incoming, socket) => {
    socket.on('error', () => undefined);
    const reply = refusal(sideOfUrl(incoming.url ?? ''), 405, 'This is no proxy.', { allow: 'GET, POST' });
    lastWord(socket, reply);
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    const side = sideOfUrl(incoming.url ?? '');
    const { status, headers, body } = refusal(side, 417, 'Only 100-continue may be expected.');
    const text = String(body);
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text);
  });
}
