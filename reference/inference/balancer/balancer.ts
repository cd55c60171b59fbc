/**
 * Several instances behind one address (spec 1): each request goes to the one with the least to do, an instance that
 * fails is taken out at once, and after a while a new one takes its place.
 *
 * A request holds a lease on its instance. When the instance fails, the lease's signal aborts the work on it, and the
 * work goes to another instance; the balancer itself moves nothing.
 */
import type { Client } from '../../client.ts';
import type { Clock } from '../../clock.ts';
import { inferenceError, jobError, methodNotAllowed, notFound, Refusal } from '../../errors.ts';
import { json, type Reply } from '../../reply.ts';
import { unlessAborted } from '../../slot.ts';
import { Lease, type Place } from './lease.ts';

// The switches of the reference itself: which instances there are, and making one fail, so that failover can be tried
// from outside.
//
//     GET  /_reference/instances              200 {"instances":[{"name","state","in_flight"}, …]}
//     POST /_reference/instances/{name}/fail  200 {"name","state","in_flight"}, 404 {"error"} for an unknown name
//
// Off by default: the documented service has no such paths and asks for a key everywhere, and whoever reaches these
// without one could take the service down. Where they are off they are as unknown as any other path.

const PREFIX = '/_reference/';
const ALL = '/_reference/instances';
const FAIL = /^\/_reference\/instances\/([^/]+)\/fail$/;

const shown = ({ name, state, inFlight }: InstanceRecord): object => ({ name, state, in_flight: inFlight });

/** The answer to a path of the reference itself, null for any other path. */
export function control(instances: Instances, method: string, path: string): Reply | null {
  if (!path.startsWith(PREFIX)) return null;
  const name = FAIL.exec(path)?.[1];
  if (path !== ALL && name === undefined) return notFound('jobs', method, path);
  const right = name === undefined ? 'GET' : 'POST';
  if (method !== right) return methodNotAllowed('jobs', method, path, [right]);
  if (name === undefined) return json(200, { instances: instances.list().map(shown) });
  const failed = instances.fail(name);
  return failed ? json(200, shown(failed)) : jobError(404, 'instance not found');
}

export interface InstanceRecord {
  readonly name: string;
  /** `failed`: gets no requests and is about to be replaced. */
  readonly state: 'healthy' | 'failed';
  /** Requests it works on. */
  readonly inFlight: number;
}

/** What the operator of the service may see and do. */
export interface Instances {
  list(): InstanceRecord[];
  /** Takes an instance out; null when there is none of this name. One that has failed already stays so. */
  fail(name: string): InstanceRecord | null;
}

interface Instance extends Place {
  healthy: boolean;
}

export interface BalancerSettings {
  /** Instances; with 0 every request is refused. */
  readonly instances: number;
  /** From a failure to the replacement, milliseconds. */
  readonly replaceMs: number;
}

const record = ({ name, healthy, leases }: Instance): InstanceRecord => ({
  name,
  state: healthy ? 'healthy' : 'failed',
  inFlight: leases.size,
});

export class Balancer implements Instances {
  readonly #settings: BalancerSettings;
  readonly #clock: Clock;
  readonly #places: Instance[];
  readonly #closed = new AbortController();
  #named = 0;
  /** Place that got the last request. */
  #last = -1;
  #waiting: (() => void)[] = [];

  constructor(settings: BalancerSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#places = Array.from({ length: settings.instances }, () => this.#fresh());
  }

  /**
   * A lease on the healthy instance with the fewest requests; waits for a replacement while there is none.
   * @throws Refusal with 503 when no instance is ever coming, the client's reason when it is gone.
   */
  async take(client: Client): Promise<Lease> {
    for (;;) {
      if (client.gone) throw client.signal.reason;
      const place = this.#leastBusy();
      if (place) return new Lease(place, client);
      if (this.#places.length === 0 || this.#closed.signal.aborted) throw new Refusal(overloaded());
      await unlessAborted(new Promise<void>((resolve) => this.#waiting.push(resolve)), client.signal);
    }
  }

  list(): InstanceRecord[] {
    return this.#places.map(record);
  }

  fail(name: string): InstanceRecord | null {
    const at = this.#places.findIndex((one) => one.name === name);
    const failed = this.#places[at];
    if (!failed) return null;
    if (failed.healthy) {
      failed.healthy = false;
      for (const lease of [...failed.leases]) lease.lose();
      void this.#replace(at);
    }
    return record(failed);
  }

  /** Replaces no more, and refuses who waits for a replacement. */
  close(): void {
    this.#closed.abort(new Error('the service was closed'));
    this.#wake();
  }

  async #replace(at: number): Promise<void> {
    try {
      await this.#clock.sleep(this.#settings.replaceMs, this.#closed.signal);
    } catch {
      return;
    }
    this.#places[at] = this.#fresh();
    this.#wake();
  }

  #fresh(): Instance {
    this.#named += 1;
    return { name: `inference-${this.#named}`, healthy: true, leases: new Set() };
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Among equals the next one after the last, so that they take turns. */
  #leastBusy(): Instance | null {
    const { length } = this.#places;
    let [best, bestAt]: [Instance | null, number] = [null, -1];
    for (let step = 1; step <= length; step += 1) {
      const at = (this.#last + step) % length;
      const one = this.#places[at];
      if (!one?.healthy || (best && best.leases.size <= one.leases.size)) continue;
      [best, bestAt] = [one, at];
    }
    if (best) this.#last = bestAt;
    return best;
  }
}

function overloaded() {
  return inferenceError(503, { message: 'No instance can serve this.', type: 'server_error', code: 'overloaded' });
}
