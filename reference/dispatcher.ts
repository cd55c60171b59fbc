/**
 * The reference as an undici Dispatcher: a client that uses undici, or Node's own fetch, talks to it without a socket
 * and without knowing.
 *
 * Handlers come in two generations: undici 7's own request functions and Node 20's built-in fetch still call the older
 * one (onConnect, onHeaders, onData, onComplete), interceptors the newer (onRequestStart, onResponseStart, ...).
 */
import { validateHeaderValue } from 'node:http';
import { Dispatcher } from 'undici';
import type { ServiceRequest } from './call.ts';
import { type Client, Visitor } from './client.ts';
import type { Reply } from './reply.ts';
import type { Service } from './service.ts';

/** The two generations of undici's dispatch handlers behind one interface, with their ways of holding data back. */
type Handler = Dispatcher.DispatchHandler;

interface Receiver {
  connect(): void;
  start(status: number, headers: Readonly<Record<string, string>>): void;
  /** Resolves when the handler is ready for more. */
  data(chunk: Buffer): Promise<void>;
  end(): void;
  fail(error: Error): void;
}

/** Holds a writer while its reader is full. */
class Pause {
  #waiting: (() => void)[] = [];
  paused = false;

  resume(): void {
    this.paused = false;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  ready(): Promise<void> {
    return this.paused ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }
}

function newHandler(handler: Handler, abort: (reason: Error) => void): Receiver {
  const pause = new Pause();
  let reason: Error | null = null;
  const controller: Dispatcher.DispatchController = {
    get aborted() {
      return reason !== null;
    },
    get paused() {
      return pause.paused;
    },
    get reason() {
      return reason;
    },
    abort(why) {
      reason ??= why;
      abort(reason);
    },
    pause() {
      pause.paused = true;
    },
    resume: () => pause.resume(),
  };
  return {
    connect: () => handler.onRequestStart?.(controller, {}),
    start: (status, headers) => handler.onResponseStart?.(controller, status, { ...headers }, ''),
    data(chunk) {
      handler.onResponseData?.(controller, chunk);
      return pause.ready();
    },
    end: () => handler.onResponseEnd?.(controller, {}),
    fail: (error) => handler.onResponseError?.(controller, error),
  };
}

function oldHandler(handler: Handler, abort: (reason: Error) => void): Receiver {
  const pause = new Pause();
  const resume = (): void => pause.resume();
  return {
    connect: () => handler.onConnect?.((error) => abort(error ?? new Error('the request was aborted'))),
    start(status, headers) {
      const raw = Object.entries(headers).flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
      pause.paused = handler.onHeaders?.(status, raw, resume, '') === false;
    },
    data(chunk) {
      if (handler.onData?.(chunk) === false) pause.paused = true;
      return pause.ready();
    },
    end: () => handler.onComplete?.([]),
    fail: (error) => handler.onError?.(error),
  };
}

type Options = Dispatcher.DispatchOptions;

/** undici takes headers as an object, as pairs, or as a flat list of names and values. */
function headerPairs(headers: Options['headers']): [string, string][] {
  if (!headers) return [];
  const isFlat = Array.isArray(headers) && headers.every((one) => typeof one === 'string');
  if (isFlat) {
    return headers.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[String(name), String(headers[index + 1] ?? '')]] : [],
    );
  }
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return entries.flatMap((entry): [string, string][] => {
    const [name, value] = entry;
    return value === undefined ? [] : [[String(name), Array.isArray(value) ? value.join(', ') : String(value)]];
  });
}

function isBytes(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** @throws TypeError for a body that is neither text, bytes nor a stream. */
function bodyOf(body: unknown): AsyncIterable<Uint8Array> | null {
  if (body === null || body === undefined) return null;
  if (isBytes(body)) return body;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new TypeError('a body must be text or bytes');
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return (async function* () {
    if (bytes.byteLength > 0) yield bytes;
  })();
}

/** Of several values of one name all are told, as HTTP has it. @throws TypeError for what no header can carry. */
function headersOf(given: Options['headers']): ServiceRequest['headers'] {
  const values = new Map<string, string>();
  for (const [written, value] of headerPairs(given)) {
    validateHeaderValue(written, value);
    const name = written.toLowerCase();
    const before = values.get(name);
    values.set(name, before === undefined ? value.trim() : `${before}, ${value.trim()}`);
  }
  return { get: (name) => values.get(name.toLowerCase()) ?? null };
}

function urlOf({ path, origin = 'http://reference', query }: Options): string {
  if (query === undefined || query === null) return `${origin}${path}`;
  const url = new URL(path, origin);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
  return url.href;
}

function requestOf(options: Options, client: Client): ServiceRequest {
  const { method, headers, body } = options;
  return { method, url: urlOf(options), headers: headersOf(headers), body: bodyOf(body), client };
}

async function deliver(reply: Reply, receiver: Receiver, client: Client): Promise<void> {
  receiver.start(reply.status, reply.headers);
  if (typeof reply.body === 'string') {
    await receiver.data(Buffer.from(reply.body));
  } else {
    for await (const piece of reply.body) {
      if (client.gone) return;
      await receiver.data(Buffer.from(piece));
    }
  }
  if (!client.gone) receiver.end();
}

export class InProcessDispatcher extends Dispatcher {
  readonly #service: Service;
  readonly #address: string;
  readonly #open = new Set<(reason: Error) => void>();

  /** `address`: what the service takes for the client's. */
  constructor(service: Service, address = '127.0.0.1') {
    super();
    this.#service = service;
    this.#address = address;
  }

  override dispatch(options: Options, handler: Dispatcher.DispatchHandler): boolean {
    const client = new Visitor();
    const abort = (reason: Error): void => client.leave(reason);
    const receiver = handler.onRequestStart ? newHandler(handler, abort) : oldHandler(handler, abort);
    this.#open.add(abort);
    void this.#exchange(options, receiver, client).finally(() => this.#open.delete(abort));
    return true;
  }

  /** Told apart from dispatch so that no error can escape: whatever goes wrong goes to the handler, once. */
  async #exchange(options: Options, receiver: Receiver, client: Visitor): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const stay = client.onGone((reason) => reject(reason));
        receiver.connect();
        if (client.gone) return;
        this.#service
          .reply(requestOf(options, client), { address: this.#address })
          .then((reply) => deliver(reply, receiver, client))
          .finally(stay)
          .then(resolve, reject);
      });
    } catch (error) {
      receiver.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  override close(callback?: () => void): Promise<void> {
    return this.destroy().then(() => callback?.());
  }

  /** Aborts whatever is open. */
  override destroy(...args: unknown[]): Promise<void> {
    const reason = args.find((arg) => arg instanceof Error) ?? new Error('the dispatcher was closed');
    for (const abort of [...this.#open]) abort(reason);
    const callback = args.find((arg) => typeof arg === 'function');
    return Promise.resolve().then(() => callback?.());
  }
}
