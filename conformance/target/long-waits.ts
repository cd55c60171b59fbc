/**
 * How the long waits and the load share a run: jobs that are to age are submitted first, the load runs while they age,
 * and no request is sent about them until it is over. A single status request in between would count against the limit
 * that is being measured, so this is enforced here and not left to the clock.
 */
import type { LimitTable } from '../../schemas/limits.ts';

/** Under which circumstances requests are sent to a target. */
export interface Circumstances {
  /** What is promised. */
  readonly table: LimitTable;
  /** The load that goes on while jobs age. */
  readonly longWaits: LongWaits;
}

export class LongWaits {
  readonly #over: Promise<void>;
  readonly #missing: Set<string>;
  #allStill: () => void = () => {};
  /** Resolves once each long wait has come to its pause or needs none. */
  readonly still: Promise<void>;

  /**
   * @param over resolves when requests may be sent again
   * @param waiting names of those that come to a pause
   */
  constructor(over: Promise<void>, waiting: readonly string[]) {
    this.#over = over;
    this.#missing = new Set(waiting);
    this.still = new Promise((resolve) => {
      this.#allStill = resolve;
    });
    if (this.#missing.size === 0) this.#allStill();
  }

  /** Sends nothing more until the load is over. Rejects with the signal's reason. */
  pause(name: string, signal: AbortSignal): Promise<void> {
    this.leave(name);
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      void this.#over.then(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  }

  /** It will not come to a pause any more; call this also for those that failed before. */
  leave(name: string): void {
    this.#missing.delete(name);
    if (this.#missing.size === 0) this.#allStill();
  }
}

/** No load runs at the same time: there is nothing to wait for. */
export const noLongWaits = (): LongWaits => new LongWaits(Promise.resolve(), []);
