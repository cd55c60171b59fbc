/**
 * One request whose last byte is held back. To the target it is in flight from its header on, however fast the
 * operation is, and it stays so until `release` sends the last byte or `destroy` drops the connection.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { errorCode } from '../../../../schemas/error-code.ts';
import type { OutgoingRequest } from '../../../execute/requests.ts';
import type { Stopwatch } from '../../../execute/stopwatch.ts';

export interface HeldRequestOptions {
  /** Unless it is sent whole, with a body of at least two bytes, so that one can be held back while one was sent. */
  readonly request: OutgoingRequest & { readonly body: string };
  /** Nothing is held back. */
  readonly whole?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: http.Agent;
  readonly clock: Stopwatch;
  /** Address of this machine to send from; default: whichever the system takes. */
  readonly localAddress?: string;
}

export interface HeldOutcome {
  readonly status: number;
  readonly error: string;
  readonly retryAfter: string;
  readonly sentMs: number;
  readonly firstByteMs: number;
  readonly endMs: number;
  /** Answered, or failed, before its last byte was sent. */
  readonly early: boolean;
}

export class HeldRequest {
  /** Resolves once the part before the last byte is with the operating system, or the request has failed. */
  readonly flushed: Promise<void>;
  /** Resolves with the whole answer or the failure; never rejects. */
  readonly settled: Promise<HeldOutcome>;
  readonly operation: string;
  /** Whether the part before the last byte is with the operating system. */
  written = false;
  /** How long the connection took, ms; 0 where one was used again. */
  connectMs = 0;
  #request: http.ClientRequest;
  #clock: Stopwatch;
  #lastByte: Buffer;
  #openedMs: number;
  #sentMs: number;
  #firstByteMs = 0;
  #status = 0;
  #retryAfter = '';
  #released = false;
  #over: HeldOutcome | null = null;
  #settle: (outcome: HeldOutcome) => void = () => {};

  constructor({ request, whole = false, headers, agent, clock, localAddress }: HeldRequestOptions) {
    const body = Buffer.from(request.body);
    this.operation = request.operation;
    this.#clock = clock;
    this.#lastByte = body.subarray(-1);
    this.#openedMs = clock();
    this.#sentMs = this.#openedMs;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const secure = request.url.startsWith('https:');
    const { request: open } = secure ? https : http;
    this.#request = open(request.url, {
      method: request.method,
      headers: { ...headers, ...(body.length > 0 ? { 'Content-Length': body.length } : {}) },
      agent,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    this.#listen(secure ? 'secureConnect' : 'connect');
    this.flushed = new Promise((resolve) => {
      const written = (error?: Error | null) => {
        this.written = !error;
        resolve();
      };
      if (whole) this.#request.end(body, written);
      else this.#request.write(body.subarray(0, -1), written);
      this.settled.then(() => resolve());
    });
    this.#released = whole;
  }

  /** In flight: neither answered nor failed. */
  get held(): boolean {
    return this.#over === null && this.#status === 0;
  }

  /** What became of it so far; null while it is unanswered. */
  get outcome(): HeldOutcome | null {
    return this.#over;
  }

  /** Sends the last byte. */
  release(): void {
    if (!this.held || this.#released) return;
    this.#released = true;
    this.#request.end(this.#lastByte);
  }

  /** Drops the connection; an unanswered request is then over with status 0 and this error. */
  destroy(error: string): void {
    this.#finish(error);
    this.#request.destroy();
  }

  /** @param ready what a new connection says once something can be sent on it */
  #listen(ready: 'connect' | 'secureConnect'): void {
    this.#request.on('socket', (socket: Socket) => {
      if (!socket.connecting) return;
      socket.once(ready, () => {
        this.#sentMs = this.#clock();
        this.connectMs = this.#sentMs - this.#openedMs;
      });
    });
    this.#request.on('response', (response) => {
      this.#firstByteMs = this.#clock();
      this.#status = response.statusCode ?? 0;
      this.#retryAfter = response.headers['retry-after'] ?? '';
      response.resume();
      // The response is here: the end of its body ends the request.
      response.on('close', () => {
        this.#finish('');
        if (!this.#released) this.#request.destroy();
      });
    });
    this.#request.on('error', (error) => this.#finish(errorCode(error) ?? error.message));
    this.#request.on('close', () => this.#finish('closed'));
  }

  #finish(error: string): void {
    if (this.#over) return;
    const endMs = this.#clock();
    this.#over = {
      status: this.#status,
      error: this.#status === 0 ? error : '',
      retryAfter: this.#retryAfter,
      sentMs: this.#sentMs,
      firstByteMs: this.#firstByteMs || endMs,
      endMs,
      early: !this.#released,
    };
    this.#settle(this.#over);
  }
}
