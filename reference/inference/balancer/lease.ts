/**
 * A request's hold on an instance: counted as in flight there until it is freed, its client goes away or the instance
 * fails. The client's leaving frees it by itself, because nobody may be reading the stream that holds it.
 */

/** What holds leases. */
export interface Place {
  readonly name: string;
  readonly leases: Set<Lease>;
}

export class Lease {
  readonly #place: Place;
  readonly #client: AbortSignal;
  readonly #stop = new AbortController();
  readonly #onGone: () => void;
  #lost = false;

  constructor(place: Place, client: AbortSignal) {
    this.#place = place;
    this.#client = client;
    this.#onGone = () => {
      this.free();
      this.#stop.abort(client.reason);
    };
    client.addEventListener('abort', this.#onGone, { once: true });
    place.leases.add(this);
  }

  /** The instance. */
  get name(): string {
    return this.#place.name;
  }

  /** Aborts when the client goes away or the instance fails. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The instance has failed: the work has to go on elsewhere. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Ends the hold; once is enough and more does no harm. */
  free(): void {
    this.#client.removeEventListener('abort', this.#onGone);
    this.#place.leases.delete(this);
  }

  /** The balancer's word that the instance has failed. Does nothing once freed. */
  lose(): void {
    if (!this.#place.leases.has(this)) return;
    this.#lost = true;
    this.free();
    this.#stop.abort(new Error(`${this.name} failed`));
  }
}
