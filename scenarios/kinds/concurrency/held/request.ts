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
  /** Not the last byte is held back but all of it, on a connection that is ready. */
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
  /** Resolves once all that is not held back is with the operating system, or the request has failed. */
  readonly flushed: Promise<void>;
  /** Resolves with the whole answer or the failure; never rejects. */
  readonly settled: Promise<HeldOutcome>;
  readonly operation: string;
  /** Whether that is with the operating system; of a whole one, all of it. */
  written = false;
  /** How long the connection took, ms; 0 where one was used again. */
  connectMs = 0;
  #request: http.ClientRequest;
  #clock: Stopwatch;
  #rest: Buffer;
  #whole: boolean;
  /** Has all of a whole request, and lets it go by one call: so many such requests arrive nearly at the same moment. */
  #corked: Socket | null = null;
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
    this.#rest = whole ? body : body.subarray(-1);
    this.#whole = whole;
    this.#openedMs = clock();
    this.#sentMs = this.#openedMs;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const secure = request.url.startsWith('https:');
    const { request: open } = secure ? https : http;
    this.#request = open(request.url, {
      method: request.method,
      headers: {
        ...headers,
        ...(request.method === 'GET' && body.length === 0 ? {} : { 'Content-Length': body.length }),
      },
      agent,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    this.flushed = new Promise((resolve) => {
      this.#listen(secure ? 'secureConnect' : 'connect', (socket) => {
        if (!whole || this.#released) return;
        this.#corked = socket;
        socket.cork();
        // The end of a request would let it go.
        if (body.length > 0) this.#request.write(body);
        else this.#request.flushHeaders();
        resolve();
      });
      if (!whole) this.#request.write(body.subarray(0, -1), this.#written(resolve));
      this.settled.then(() => resolve());
    });
  }

  /** In flight: neither answered nor failed. */
  get held(): boolean {
    return this.#over === null && this.#status === 0;
  }

  /** What became of it so far; null while it is unanswered. */
  get outcome(): HeldOutcome | null {
    return this.#over;
  }

  /** Sends what was held back. */
  release(): void {
    if (!this.held || this.#released) return;
    this.#released = true;
    if (this.#whole) this.#sentMs = this.#clock();
    this.#corked?.uncork();
    this.#request.end(this.#corked ? '' : this.#rest, this.#whole ? this.#written() : undefined);
  }

  #written(then = (): void => {}) {
    return (error?: Error | null): void => {
      this.written = !error;
      then();
    };
  }

  /** Drops the connection; an unanswered request is then over with status 0 and this error. */
  destroy(error: string): void {
    this.#finish(error);
    this.#request.destroy();
  }

  /** @param ready what a new connection says once something can be sent on it */
  #listen(ready: 'connect' | 'secureConnect', then: (socket: Socket) => void): void {
    this.#request.on('socket', (socket: Socket) => {
      if (!socket.connecting) return then(socket);
      socket.once(ready, () => {
        this.#sentMs = this.#clock();
        this.connectMs = this.#sentMs - this.#openedMs;
        then(socket);
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
