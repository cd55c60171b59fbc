/**
 * Connections to a target over sockets: kept open and reused, as clients do. A server may close a kept connection at
 * any time (RFC 9112, 9.5), also while a request is on its way to it (llama.cpp behind a stream, Apache when it ends
 * spare processes): that no response came there says nothing about the request. From then on each request gets a new
 * connection, so that later losses are the fault of the service.
 */
import { buildConnector, Client, Dispatcher } from 'undici';

/** Idle connections are given up before servers do. */
const KEEP_ALIVE_MS = 700;
const CONNECT_TIMEOUT_MS = 10_000;
const FIRST_ERROR = 400;

/** A connection that an earlier response had left open was closed before this one began; `cause` says how. */
export class KeptConnectionClosed extends Error {
  override readonly name = 'KeptConnectionClosed';
}

export class Connections extends Dispatcher {
  readonly #connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  readonly #all = new Set<Client>();
  /** Without a request now, the last used one last. */
  readonly #kept: { readonly client: Client; readonly origin: string }[] = [];
  #keeps = true;

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const origin = String(options.origin);
    const kept = this.#take(this.#kept.findLastIndex((one) => one.origin === origin));
    const client = kept ?? this.#open(origin);
    let status: number | null = null;
    return client.dispatch(options, {
      ...handler,
      onResponseStart: (controller, code, ...rest) => {
        status = code;
        handler.onResponseStart?.(controller, code, ...rest);
      },
      onResponseEnd: (controller, trailers) => {
        // Behind an error many servers close the connection without saying so.
        if (this.#keeps && status !== null && status < FIRST_ERROR) this.#kept.push({ client, origin });
        else this.#drop(client);
        handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => {
        this.#drop(client);
        const lost = kept !== undefined && status === null && !controller?.aborted;
        if (lost) this.#keepNone();
        const reason = lost ? new KeptConnectionClosed(error.message, { cause: error }) : error;
        handler.onResponseError?.(controller, reason);
      },
    });
  }

  #take(index: number): Client | undefined {
    return index === -1 ? undefined : this.#kept.splice(index, 1)[0]?.client;
  }

  #keepNone(): void {
    this.#keeps = false;
    for (const { client } of this.#kept.splice(0)) this.#drop(client);
  }

  #open(origin: string): Client {
    const client = new Client(origin, {
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connect: this.#connect,
    });
    client.on('disconnect', () => {
      if (this.#take(this.#kept.findIndex((one) => one.client === client))) this.#drop(client);
    });
    this.#all.add(client);
    return client;
  }

  #drop(client: Client): void {
    const forget = () => this.#all.delete(client);
    client.close().then(forget, forget);
  }

  override async destroy(): Promise<void> {
    await Promise.all([...this.#all].map((client) => client.destroy()));
  }
}
