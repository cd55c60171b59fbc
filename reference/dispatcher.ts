/**
 * The reference as an undici Dispatcher, without a socket: what sends to a target through undici sends to it all the same.
 * Its handlers are of undici's newer generation (onRequestStart, onResponseStart, …) and take an answer as it comes.
 */
import { validateHeaderValue } from 'node:http';
import { Dispatcher } from 'undici';
import type { ServiceRequest } from './call.ts';
import { type Client, Visitor } from './client.ts';
import type { Reply } from './reply.ts';
import type { Service } from './service.ts';

type Options = Dispatcher.DispatchOptions;

/** @throws TypeError for a body that is neither text nor bytes. */
function bodyOf(body: unknown): AsyncIterable<Uint8Array> | null {
  if (body === null || body === undefined) return null;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new TypeError('a body must be text or bytes');
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return (async function* () {
    if (bytes.byteLength > 0) yield bytes;
  })();
}

/** @throws TypeError for what no header can carry. */
function requestOf({ method, path, origin, headers, body }: Options, client: Client): ServiceRequest {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(headers ?? {})) {
    validateHeaderValue(name, value);
    values.set(name.toLowerCase(), String(value).trim());
  }
  const get = (name: string): string | null => values.get(name.toLowerCase()) ?? null;
  return { method, url: `${origin ?? 'http://reference'}${path}`, headers: { get }, body: bodyOf(body), client };
}

function controllerOf(client: Visitor): Dispatcher.DispatchController {
  let reason: Error | null = null;
  return {
    paused: false,
    get aborted() {
      return reason !== null;
    },
    get reason() {
      return reason;
    },
    abort(why) {
      reason ??= why;
      client.leave(reason);
    },
    pause: () => undefined,
    resume: () => undefined,
  };
}

export class InProcessDispatcher extends Dispatcher {
  readonly #service: Service;
  readonly #address: string;
  readonly #open = new Set<Visitor>();

  /** `address`: what the service takes for the client's. */
  constructor(service: Service, address = '127.0.0.1') {
    super();
    this.#service = service;
    this.#address = address;
  }

  override dispatch(options: Options, handler: Dispatcher.DispatchHandler): boolean {
    const client = new Visitor();
    const controller = controllerOf(client);
    this.#open.add(client);
    // Any error goes to the handler, once.
    void this.#exchange(options, handler, controller, client)
      .catch((error: unknown) =>
        handler.onResponseError?.(controller, error instanceof Error ? error : new Error(String(error))),
      )
      .finally(() => this.#open.delete(client));
    return true;
  }

  #exchange(
    options: Options,
    handler: Dispatcher.DispatchHandler,
    controller: Dispatcher.DispatchController,
    client: Visitor,
  ): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const stay = client.onGone((reason) => reject(reason));
      handler.onRequestStart?.(controller, {});
      if (client.gone) return;
      const deliver = async ({ status, headers, body }: Reply): Promise<void> => {
        handler.onResponseStart?.(controller, status, { ...headers }, '');
        for await (const piece of typeof body === 'string' ? [body] : body) {
          if (client.gone) return;
          handler.onResponseData?.(controller, Buffer.from(piece));
        }
        if (!client.gone) handler.onResponseEnd?.(controller, {});
      };
      this.#service
        .reply(requestOf(options, client), { address: this.#address })
        .then(deliver)
        .finally(stay)
        .then(resolve, reject);
    });
  }

  override close(): Promise<void> {
    return this.destroy();
  }

  /** Aborts all open requests. */
  override async destroy(): Promise<void> {
    for (const client of [...this.#open]) client.leave(new Error('the dispatcher was closed'));
  }
}
