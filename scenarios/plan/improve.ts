/**
 * A better order by chance: one probe at a time is put elsewhere, and stays there unless that ends much later; how much
 * is borne becomes less and less. What keeps a probe waiting are budgets, endpoints and the machine all at once, so no
 * rule of thumb finds the best order of all of them, and steps that are each for the better end early.
 */
import { seeded } from '../../schemas/seeded.ts';

/** What is borne at first where nothing was looked for before, ms; and at last. */
const BORNE_MS = 1500;
const BORNE_LAST_MS = 10;

/** The same order for the same question: a plan is not another one each time. */
const SEED = 1;

export interface Search<P> {
  /** How many orders are looked at, one at a time. */
  readonly looks: number;
  /** What is borne at first, ms: little where the order is a good one already. */
  readonly borneMs?: number | undefined;
  /** When an order ends, ms. */
  endOf(order: readonly P[]): number;
  /**
   * When it ends as a rule, ms, where what is expected comes a little sooner or later. Costly, so only what ends early
   * enough is asked for it. Default: it ends as expected.
   */
  usualEndOf?: ((order: readonly P[], endMs: number) => number) | undefined;
}

/** A search that can be left at any moment. */
export class OrderSearch<P> {
  readonly #search: Search<P>;
  readonly #random = seeded(SEED);
  #looked = 1;
  #here: readonly P[];
  #hereMs: number;
  #best: readonly P[];
  #bestMs: number;

  constructor(order: readonly P[], search: Search<P>) {
    this.#search = search;
    [this.#here, this.#best] = [order, order];
    this.#hereMs = search.endOf(order);
    this.#bestMs = this.#usualEndOf(order, this.#hereMs);
  }

  #usualEndOf(order: readonly P[], endMs: number): number {
    return this.#search.usualEndOf?.(order, endMs) ?? endMs;
  }

  /** The best order so far, which is never worse than the one it began with. */
  get best(): readonly P[] {
    return this.#best;
  }

  /** Looks at one more; false when that was not to be. */
  look(): boolean {
    const { looks, borneMs: mostMs = BORNE_MS } = this.#search;
    if (this.#looked >= looks || this.#here.length < 2) return false;
    const moved = this.#moved();
    const endMs = this.#search.endOf(moved);
    const borneMs = mostMs * (1 - this.#looked / looks) + BORNE_LAST_MS;
    this.#looked += 1;
    if (endMs > this.#hereMs && this.#random() >= Math.exp((this.#hereMs - endMs) / borneMs)) return true;
    [this.#here, this.#hereMs] = [moved, endMs];
    if (endMs >= this.#bestMs) return true;
    const usualMs = this.#usualEndOf(moved, endMs);
    if (usualMs < this.#bestMs) [this.#best, this.#bestMs] = [moved, usualMs];
    return true;
  }

  #moved(): readonly P[] {
    const from = this.#below(this.#here.length);
    const others = this.#here.filter((_, index) => index !== from);
    const place = this.#below(this.#here.length);
    return [...others.slice(0, place), ...this.#here.slice(from, from + 1), ...others.slice(place)];
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
}
