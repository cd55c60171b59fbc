/** Work that takes time on an instance, and starts over on another one when its instance fails. */
import type { Call } from '../../call.ts';
import type { Client } from '../../client.ts';
import type { Lease } from './lease.ts';

/** Response header that names the instance which did the work. */
export const SERVED_BY = 'x-served-by';

export type Work = Pick<Call, 'balancer' | 'clock' | 'options' | 'random'> & {
  /** For whom it is done. */
  readonly client: Client;
};

/** A request's work; `client` where somebody else than its client may give it up. */
export function workOf(call: Call, client: Client = call.request.client): Work {
  const { balancer, clock, options, random } = call;
  return { balancer, clock, options, random, client };
}

/**
 * Resolves when one instance has worked for `ms` milliseconds without failing: the lease on it, to be freed by the
 * caller. Rejects, with nothing left to free, when the client goes away or no instance can serve it.
 */
export async function worked({ balancer, clock, client }: Work, ms: () => number): Promise<Lease> {
  for (;;) {
    const lease = await balancer.take(client);
    try {
      const takes = ms();
      if (takes > 0) await clock.sleep(takes, lease.signal);
      if (!lease.lost) return lease;
    } catch (error) {
      lease.free();
      if (!lease.lost) throw error;
    }
  }
}

/** The same for work after which nothing more comes: the instance's name. */
export async function workedFor(work: Work, ms: () => number): Promise<string> {
  const lease = await worked(work, ms);
  lease.free();
  return lease.name;
}
