/**
 * The least an HTTP/1.1 client can do: sends ready-made bytes on a kept connection and finds the end of the answer. A
 * full client costs as much as the servers it measures, and the ratio of two servers would be the client's own.
 */
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** Bytes of head and body. */
  readonly bytes: number;
  /** The body's last bytes as text, as they came. */
  readonly tail: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const TAIL = 400;

/** Whether the bytes hold a whole answer: its length, or that of its head and a chunked body; 0 for not yet. */
function wholeLength(bytes: Buffer): number {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return 0;
  const bodyAt = headEnd + HEAD_END.length;
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase();
  const declared = /\ncontent-length: (\d+)/.exec(head)?.[1];
  if (declared === undefined) {
    const ended = bytes.length > bodyAt && bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
    return ended ? bytes.length : 0;
  }
  const length = bodyAt + Number(declared);
  return bytes.length >= length ? length : 0;
}

export class Connection {
  readonly #socket: Socket;
  #pending: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;
  #head: Buffer | null = null;
  #bytes = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#pending?.reject(error));
    socket.on('close', () => this.#pending?.reject(new Error('the server closed the connection')));
  }

  static open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** Rejects when the connection breaks before the answer is whole. One request at a time. */
  ask(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#head = null;
      this.#bytes = 0;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** A long stream isn't gathered: only its head and its newest bytes are looked at. */
  #receive(chunk: Buffer): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#bytes += chunk.length;
    this.#head = this.#head === null ? chunk : joined(this.#head, chunk);
    if (wholeLength(this.#head) === 0) return;
    this.#pending = null;
    const status = Number(this.#head.toString('latin1', 9, 12));
    pending.resolve({ status, bytes: this.#bytes, tail: this.#head.subarray(-TAIL).toString('utf8') });
  }
}

const isChunked = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 1024).toLowerCase().includes('\ntransfer-encoding');

/** Head and news together; what lies between is let go once the head is known to belong to a stream. */
function joined(before: Buffer, chunk: Buffer): Buffer {
  const headEnd = before.indexOf(HEAD_END);
  if (headEnd < 0 || !isChunked(before)) return Buffer.concat([before, chunk]);
  const kept = before.subarray(Math.max(headEnd + HEAD_END.length, before.length - TAIL));
  return Buffer.concat([before.subarray(0, headEnd + HEAD_END.length), kept, chunk]);
}
