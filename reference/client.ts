/**
 * Whether the client of a request is still there. An AbortSignal says the same, but making one for each request costs
 * more than answering it, and most requests are over before it is needed: it is made on first use.
 */

export interface Client {
  /** Whether it went away before its answer was complete. */
  readonly gone: boolean;
  /**
   * Calls once when it disconnects, with the reason, at once when it is gone already. Returns a function that removes
   * the listener.
   */
  onGone(listener: (reason: unknown) => void): () => void;
  /** Aborts when it goes away. */
  readonly signal: AbortSignal;
}

const nothing = (): void => undefined;

/** A client that an adapter declares gone. */
export class Visitor implements Client {
  #reason: Error | null = null;
  // An array: most requests have one listener or two, for which a Set costs more than all the rest.
  #listeners: (((reason: unknown) => void) | null)[] | null = null;
  #controller: AbortController | null = null;

  get gone(): boolean {
    return this.#reason !== null;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  onGone(listener: (reason: unknown) => void): () => void {
    if (this.#reason) {
      listener(this.#reason);
      return nothing;
    }
    this.#listeners ??= [];
    const listeners = this.#listeners;
    const at = listeners.push(listener) - 1;
    return () => {
      // Its place may be another's by now, when it is taken back a second time.
      if (listeners[at] === listener) listeners[at] = null;
      while (listeners.length > 0 && listeners.at(-1) === null) listeners.pop();
    };
  }

  /** Only the first call counts. */
  leave(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    for (const listener of [...(this.#listeners ?? [])]) listener?.(reason);
    this.#listeners = null;
    this.#controller?.abort(reason);
  }
}

/** The client behind a standard Request, which it keeps: without the Request its signal would not fire any more. */
export function clientOf(request: { readonly signal: AbortSignal }): Client {
  const { signal } = request;
  return {
    get gone() {
      return request.signal.aborted;
    },
    signal,
    onGone(listener) {
      const gone = (): void => listener(signal.reason);
      if (signal.aborted) {
        gone();
        return nothing;
      }
      signal.addEventListener('abort', gone, { once: true });
      return () => signal.removeEventListener('abort', gone);
    },
  };
}
