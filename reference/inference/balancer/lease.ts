/**
 * A request's hold on an instance: counted as in flight there until it is freed, its client goes away or the instance
 * fails. The client's leaving frees it by itself, because nobody may be reading the stream that holds it.
 */
import type { Client } from '../../client.ts';

/** What holds leases. */
export interface Place {
  readonly name: string;
  readonly leases: Set<Lease>;
}

export class Lease {
  readonly #place: Place;
  #stay = (): void => undefined;
  // Made on demand: work that takes no time never asks for a signal.
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
