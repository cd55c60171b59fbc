/**
 * Time as the checks see it: the machine's, or the virtual one of an in-process target, on which half an hour passes
 * at once. The reference's clocks have this shape.
 */

export interface Clock {
  /** Milliseconds; only differences mean anything. */
  now(): number;
  /** Resolves `ms` milliseconds later; rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's time, monotonic. */
export const machineClock: Clock = {
  now: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
        Math.max(0, ms),
      );
      signal?.addEventListener('abort', stop, { once: true });
    });
  },
};
