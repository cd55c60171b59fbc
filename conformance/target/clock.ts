/**
 * Time as the checks see it: the machine's, or the virtual one of an in-process target, on which half an hour passes
 * at once. The reference's clocks have this shape.
 */

// A submission on its way when the run is interrupted: the job may exist already, and who doesn't wait for its id can't
// cancel it. So it gets a moment more than everything else.

const MOMENT_MS = 2000;

/** One for all submissions of a check, however many they are. */
const known = new WeakMap<AbortSignal, AbortSignal>();

/** Aborts a moment after the signal does, for the same reason; at once where that was aborted before. */
export function outlast(signal: AbortSignal): AbortSignal {
  if (signal.aborted) return signal;
  const made = known.get(signal);
  if (made) return made;
  const later = new AbortController();
  const begin = (): void => void setTimeout(() => later.abort(signal.reason), MOMENT_MS).unref();
  signal.addEventListener('abort', begin, { once: true });
  known.set(signal, later.signal);
  return later.signal;
}

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
