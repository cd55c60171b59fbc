/**
 * Connections to a target over sockets. One on which an error was answered is not used again: some servers close it behind
 * such an answer without saying so (uvicorn after a 500, aiohttp where it left a body unread), and a request that meets a
 * connection just being closed would look like a fault of what it asks for.
 */
import { Agent, Dispatcher } from 'undici';

/**
 * Idle connections are given up after a second, long before servers do: a request that meets a closing connection
 * would look like a fault of the target.
 */
const KEEP_ALIVE_MS = 1000;
const CONNECT_TIMEOUT_MS = 10_000;
const FIRST_ERROR = 400;

const makeAgent = (): Agent =>
  new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });

export class Connections extends Dispatcher {
  #agent = makeAgent();
  /** Those that still have requests on their way. */
  readonly #left = new Set<Agent>();

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const agent = this.#agent;
    return agent.dispatch(options, {
      ...handler,
      onResponseStart: (controller, status, ...rest) => {
        if (status >= FIRST_ERROR) this.#leave(agent);
        handler.onResponseStart?.(controller, status, ...rest);
      },
    });
  }

  /** What is on its way there comes to its end. */
  #leave(agent: Agent): void {
    if (agent !== this.#agent) return;
    this.#agent = makeAgent();
    this.#left.add(agent);
    const forget = () => this.#left.delete(agent);
    agent.close().then(forget, forget);
  }

  override async destroy(): Promise<void> {
    await Promise.all([this.#agent, ...this.#left].map((agent) => agent.destroy()));
  }
}
