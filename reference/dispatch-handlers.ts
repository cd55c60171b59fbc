/** The two generations of undici's dispatch handlers behind one interface, with their ways of holding data back. */
import type { Dispatcher } from 'undici';

type Handler = Dispatcher.DispatchHandler;

export interface Receiver {
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

export function newHandler(handler: Handler, abort: (reason: Error) => void): Receiver {
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

export function oldHandler(handler: Handler, abort: (reason: Error) => void): Receiver {
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
