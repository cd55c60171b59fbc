/** Waiting for a job to change, for long polls: no polling inside, nothing left behind when the client goes away. */
import type { Clock } from '../clock.ts';
import type { Job } from './job.ts';

/**
 * Resolves when `done` holds, at the latest after `ms`, which may be Infinity; rejects with the signal's reason when
 * the client went away.
 */
export async function waitUntil(
  job: Pick<Job, 'watchers'>,
  done: () => boolean,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (done() || ms <= 0) return;
  const stop = new AbortController();
  let watcher = (): void => undefined;
  let onAbort = (): void => undefined;
  const changed = new Promise<void>((resolve, reject) => {
    watcher = () => {
      if (done()) resolve();
    };
    onAbort = () => reject(signal.reason);
  });
  job.watchers ??= new Set();
  job.watchers.add(watcher);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    // No clock may sleep for ever: a virtual one would have to jump there.
    await (Number.isFinite(ms) ? Promise.race([changed, clock.sleep(ms, stop.signal)]) : changed);
  } finally {
    job.watchers?.delete(watcher);
    // A finished job is kept for long, so it keeps nothing that it doesn't need.
    if (job.watchers?.size === 0) job.watchers = null;
    signal.removeEventListener('abort', onAbort);
    stop.abort();
  }
}
