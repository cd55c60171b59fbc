/** Turns that keep apart: large bodies of an operation with a rate limit must not use that up. */
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A function that resolves `apartMs` after it was called last or later, the first time at once.
 * Rejects when the signal is aborted.
 */
export function paused(apartMs: number, signal: AbortSignal): () => Promise<void> {
  let nextMs = performance.now();
  return async () => {
    const leftMs = nextMs - performance.now();
    if (leftMs > 0) await delay(leftMs, undefined, { signal });
    // A timer may fire a moment early; what counts is when this turn really began.
    nextMs = Math.max(nextMs, performance.now()) + apartMs;
  };
}
