/** Work that takes time on an instance, and starts over on another one when its instance fails. */
import type { Call } from '../../call.ts';
import type { Lease } from './lease.ts';

/** Response header that names the instance which did the work. */
export const SERVED_BY = 'x-served-by';

/**
 * Resolves when one instance has worked for `ms` milliseconds without failing: the lease on it, to be freed by the
 * caller. Rejects, with nothing left to free, when the client goes away or no instance can serve it.
 */
export async function worked(call: Call, ms: () => number): Promise<Lease> {
  for (;;) {
    const lease = await call.balancer.take(call.signal);
    try {
      await call.clock.sleep(ms(), lease.signal);
      if (!lease.lost) return lease;
    } catch (error) {
      lease.free();
      if (!lease.lost) throw error;
    }
  }
}

/** The same for work after which nothing more comes: the instance's name. */
export async function workedFor(call: Call, ms: () => number): Promise<string> {
  const lease = await worked(call, ms);
  lease.free();
  return lease.name;
}
