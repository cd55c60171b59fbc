/**
 * What the suite may send in all: as much as `plan` announces, and not one request more. Who runs a shared endpoint was
 * told that number beforehand, so when it is used up, what is left of the checks goes unanswered.
 */
import type { Amount } from '../../schemas/results.ts';
import { Inconclusive } from './signals.ts';

export interface Announced extends Amount {
  /** Requests of these that are kept for cleaning up. */
  readonly reserve: number;
}

/** What one check, or one shared thing, has sent. */
export interface Share extends Amount {
  readonly cleanUps: number;
}

const NOTHING: Share = { requests: 0, bytes: 0, cleanUps: 0 };

export class Allowance {
  readonly #byOwner = new Map<string, Share>();
  #most: Announced | null = null;
  #requests = 0;
  #bytes = 0;

  /** From now on no more than this is sent. */
  limit(most: Announced): void {
    this.#most = most;
  }

  get sent(): Amount {
    return { requests: this.#requests, bytes: this.#bytes };
  }

  /** Who sent how much; shared things under their own name. */
  get byOwner(): ReadonlyMap<string, Share> {
    return this.#byOwner;
  }

  /**
   * Counts a request that is about to be sent. One that cleans up is counted, too, but never held back.
   *
   * @throws Inconclusive when it would be more than was announced.
   */
  take(bytes: number, owner: string, cleansUp: boolean): void {
    if (!cleansUp) this.#requireRoom(bytes);
    this.#requests += 1;
    this.#bytes += bytes;
    const own = this.#byOwner.get(owner) ?? NOTHING;
    const one = cleansUp ? { requests: 0, cleanUps: 1 } : { requests: 1, cleanUps: 0 };
    this.#byOwner.set(owner, {
      requests: own.requests + one.requests,
      bytes: own.bytes + bytes,
      cleanUps: own.cleanUps + one.cleanUps,
    });
  }

  #requireRoom(bytes: number): void {
    if (this.#most === null) return;
    const { requests, bytes: mostBytes, reserve } = this.#most;
    const what =
      this.#requests + 1 > requests - reserve
        ? `the announced ${requests} requests`
        : this.#bytes + bytes > mostBytes
          ? `the announced ${mostBytes} bytes`
          : null;
    if (what === null) return;
    throw new Inconclusive(`${what} are used up`, 'run fewer checks at a time with --only, or on a quicker target');
  }
}
