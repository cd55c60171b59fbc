/** Gives back what a stopped probe still holds on the target: its long jobs, and the queue it had filled. */
import { request } from 'undici';
import type { Sending } from './environment.ts';
import { headersFor, type OutgoingRequest, outgoing, userAgentOf } from './requests.ts';

const PATIENCE_MS = 3000;

/**
 * Cancels the jobs and, when asked, purges the queue. Best effort: it runs when the load is being stopped, so a target
 * that refuses or does not answer is left alone.
 */
export async function releaseOwnJobs(
  { addresses, key }: Sending,
  own: { readonly jobIds: readonly string[]; readonly purge: boolean },
): Promise<void> {
  const send = async (one: OutgoingRequest) => {
    const { body } = await request(one.url, {
      method: one.method,
      headers: { ...headersFor(key, false), 'User-Agent': userAgentOf(addresses) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await body.dump();
  };
  // The queue first: a worker that is given back would take a job from it.
  if (own.purge) await Promise.allSettled([send(outgoing(addresses, 'purge-queue'))]);
  await Promise.allSettled(own.jobIds.map((jobId) => send(outgoing(addresses, 'cancel', { jobId }))));
}
