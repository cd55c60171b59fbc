/**
 * A signal that is aborted with another one, or after a time. `AbortSignal.any` with `AbortSignal.timeout` says the same
 * in fewer words, but on Node 20 nothing holds such a timeout: once memory has been tidied up it never comes, and what
 * waits for it waits for ever.
 */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Call it once nothing waits for it any more. */
  over(): void;
}

/** @param ms until it is aborted with a `TimeoutError`, as `AbortSignal.timeout` is */
export function deadline(signal: AbortSignal, ms: number): Deadline {
  const controller = new AbortController();
  const timeIsOver = () => controller.abort(new DOMException(`nothing came within ${ms} ms`, 'TimeoutError'));
  const follow = () => controller.abort(signal.reason);
  const timer = setTimeout(timeIsOver, ms);
  timer.unref();
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    over() {
      clearTimeout(timer);
      signal.removeEventListener('abort', follow);
    },
  };
}
