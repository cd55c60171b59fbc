/**
 * What the long waits and the load have to do with each other: jobs that are to age are submitted first, the load runs
 * while they do, and nobody asks for them until it is over. A single status in between would count against the very
 * limit that is being measured, so that none is sent is settled here and not left to the clock.
 */
import type { LimitTable } from '../../schemas/limits.ts';

/** What a target is asked under, besides what it is. */
export interface Circumstances {
  /** What is promised. */
  readonly table: LimitTable;
  /** The load that goes on while jobs age. */
  readonly meanwhile: LongWaits;
}

export class LongWaits {
  readonly #over: Promise<void>;
  readonly #missing: Set<string>;
  #allStill: () => void = () => {};
  /** Resolves once everyone who waits has either come to its pause or needs none. */
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

  /** It will not come to a pause any more; to be told also by those that failed before. */
  leave(name: string): void {
    this.#missing.delete(name);
    if (this.#missing.size === 0) this.#allStill();
  }
}

/** Nothing else goes on: nobody has to wait for anybody. */
export const noLongWaits = (): LongWaits => new LongWaits(Promise.resolve(), []);
