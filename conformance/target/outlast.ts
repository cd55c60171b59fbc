/**
 * A submission on its way when the run is interrupted: the job may exist already, and who doesn't wait for its id can't
 * cancel it. So it gets a moment more than everything else.
 */

const MOMENT_MS = 2000;

/** Aborts a moment after the signal does, for the same reason; at once where that was aborted before. */
export function outlast(signal: AbortSignal, momentMs: number = MOMENT_MS): AbortSignal {
  if (signal.aborted) return signal;
  const later = new AbortController();
  const begin = (): void => void setTimeout(() => later.abort(signal.reason), momentMs).unref();
  signal.addEventListener('abort', begin, { once: true });
  return later.signal;
}
