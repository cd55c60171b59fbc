/**
 * A submission on its way when the run is interrupted: the job may exist already, and who doesn't wait for its id can't
 * cancel it. So it gets a moment more than everything else.
 */

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
