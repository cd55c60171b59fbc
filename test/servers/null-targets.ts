/**
 * Servers that are no service at all, each in its own way, for the controls that no claim may hold on. They speak raw
 * sockets, because half of them break HTTP itself.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';

/** What happens to a connection; `text` is everything received so far. */
type Conduct = (socket: Socket, text: string) => void;

const PAGE = '<!doctype html><title>Welcome</title><h1>It works</h1>';

function answer(status: string, type: string, body: string, more = ''): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n${more}\r\n${body}`;
}

/** Whether a whole request is there; its body when it is. */
function bodyOf(text: string): string | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  const body = text.slice(end + 4);
  return Buffer.byteLength(body) >= length ? body : null;
}

const always =
  (status: string, type: string, body: string, more = ''): Conduct =>
  (socket, text) => {
    if (bodyOf(text) !== null) socket.write(answer(status, type, body, more));
  };

const JSON_TYPE = 'application/json';

export const nullTargets: Readonly<Record<string, Conduct>> = {
  'always 200 {}': always('200 OK', JSON_TYPE, '{}'),
  'always 401': always('401 Unauthorized', JSON_TYPE, '{"error":"unauthorized"}'),
  'always 404': always('404 Not Found', JSON_TYPE, '{"error":"not found"}'),
  'always 429': always('429 Too Many Requests', JSON_TYPE, '{"error":"slow down"}', 'retry-after: 1\r\n'),
  'always 500': always('500 Internal Server Error', JSON_TYPE, '{"error":"broken"}'),
  'a web site': always('200 OK', 'text/html', PAGE),
  'a redirect to itself': (socket, text) => {
    const path = /^\S+ (\S+)/.exec(text)?.[1] ?? '/';
    if (bodyOf(text) !== null) socket.write(answer('302 Found', 'text/plain', '', `location: ${path}\r\n`));
  },
  'the request back': (socket, text) => {
    const body = bodyOf(text);
    if (body !== null) socket.write(answer('200 OK', JSON_TYPE, body === '' ? '{}' : body));
  },
  'a reset': (socket) => socket.resetAndDestroy(),
  'a connection closed without a word': (socket) => socket.end(),
  'garbage bytes': (socket) => socket.end(randomBytes(300)),
  'half an answer, then nothing': (socket, text) => {
    if (bodyOf(text) !== null)
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{');
  },
  'an answer that never ends': (socket, text) => {
    if (bodyOf(text) === null) return;
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
    const timer = setInterval(() => socket.write('1\r\n \r\n'), 50);
    socket.on('close', () => clearInterval(timer));
  },
  'nothing at all': () => {},
};

/** Listens on a free loopback port. */
export function listen(conduct: Conduct): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece;
      conduct(socket, text);
      if (bodyOf(text) !== null) text = '';
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({ server, url: `http://127.0.0.1:${port}` });
    });
  });
}
