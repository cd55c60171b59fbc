/** Waiting for a job to change, for long polls: no polling inside, nothing left behind when the client goes away. */
import type { Clock } from '../clock.ts';
import type { Job } from './job.ts';

/** Resolves when `done` holds, at the latest after `ms`; rejects with the signal's reason when the client went away. */
export async function waitUntil(
  job: Pick<Job, 'watchers'>,
  done: () => boolean,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (done() || ms <= 0) return;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let watcher = (): void => undefined;
  const changed = new Promise<void>((resolve) => {
    watcher = () => {
      if (done()) resolve();
    };
    job.watchers.add(watcher);
  });
  try {
    signal.throwIfAborted();
    await Promise.race([changed, clock.sleep(ms, stop.signal)]);
  } finally {
    job.watchers.delete(watcher);
    signal.removeEventListener('abort', onAbort);
    stop.abort();
  }
}
