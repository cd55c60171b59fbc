/** Milliseconds since a moment, monotonic; and a sleep that an abort ends. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export type Stopwatch = () => number;

export function stopwatch(): Stopwatch {
  const start = performance.now();
  return () => performance.now() - start;
}

/** Rejects with the signal's reason when it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}

/** Resolves when the promise does or after `ms`, whichever is first. Rejects only when the signal is aborted. */
export async function within(promise: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const given = pause(ms, AbortSignal.any([signal, done.signal]));
  try {
    await Promise.race([promise, given]);
  } finally {
    done.abort();
    given.catch(() => {});
  }
}
