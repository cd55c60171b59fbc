/**
 * A request's hold on an instance: counted as in flight there until it is freed, its client disconnects or the instance
 * fails. A disconnect frees it by itself, because the stream that holds it may no longer be read.
 */
import type { Call } from '../../call.ts';
import type { Client } from '../../client.ts';

/** Response header that names the instance which did the work. */
export const SERVED_BY = 'x-served-by';

export type Work = Pick<Call, 'balancer' | 'clock' | 'options' | 'random'> & {
  /** For whom it is done. */
  readonly client: Client;
};

/** A request's work; `client` where another signal than that of its client may end it. */
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

/** What holds leases. */
export interface Place {
  readonly name: string;
  readonly leases: Set<Lease>;
}

export class Lease {
  readonly #place: Place;
  #stay = (): void => undefined;
  // Made on demand: work that takes no time never needs a signal.
  #controller: AbortController | null = null;
  #ended: Error | null = null;
  #lost = false;

  constructor(place: Place, client: Client) {
    this.#place = place;
    place.leases.add(this);
    this.#stay = client.onGone(() => {
      this.free();
      this.#end(new Error('the client went away'));
    });
  }

  /** The instance. */
  get name(): string {
    return this.#place.name;
  }

  /** Aborts when the client goes away or the instance fails. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended) this.#controller.abort(this.#ended);
    return this.#controller.signal;
  }

  /** The instance has failed: the work has to go on elsewhere. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Ends the hold; once is enough and more does no harm. */
  free(): void {
    this.#stay();
    this.#place.leases.delete(this);
  }

  /** The balancer's word that the instance has failed. Does nothing once freed. */
  lose(): void {
    if (!this.#place.leases.has(this)) return;
    this.#lost = true;
    this.free();
    this.#end(new Error(`${this.name} failed`));
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    this.#controller?.abort(this.#ended);
  }
}
