/**
 * The answers of one rate budget, packed so that every kind of limiter can be held against them: when a request reached
 * the limiter is known only as [sent, first byte], and what became of it as admitted, refused or neither.
 */
import type { Outcome } from '../../../analysis/outcome.ts';
import { countBelow } from '../../../analysis/windows.ts';

export interface Answer {
  readonly sentMs: number;
  readonly answeredMs: number;
  /** `neither`: it says nothing about a limit, but may have been counted, at any time since it was sent. */
  readonly outcome: Outcome;
}

/** What a limiter counts: the requests that it admitted, or refused ones as well. */
export type Counts = 'admitted' | 'all';

/** How many may have come since some moment, ms, before the ledger begins. */
export type Earlier = (sinceMs: number) => number;

/** Requests that a limiter counts, by their earliest and their latest possible arrival, each sorted; ms. */
export class Arrivals {
  readonly sentMs: Float64Array;
  readonly answeredMs: Float64Array;
  readonly #earlier: Earlier;
  readonly #twice: number;

  /** @param twice which part of them may count a second time */
  constructor(answers: readonly Answer[], earlier: Earlier, twice: number) {
    this.#earlier = earlier;
    this.#twice = twice;
    this.sentMs = Float64Array.from(answers, ({ sentMs }) => sentMs).sort();
    // What was given up may arrive at any time later.
    const last = answers.map(({ outcome, answeredMs }) => (outcome === 'neither' ? Infinity : answeredMs));
    this.answeredMs = Float64Array.from(last).sort();
  }

  /** Requests that surely arrived before this moment. */
  answeredBefore(ms: number): number {
    return countBelow(this.answeredMs, ms);
  }

  /** Requests that surely arrived from one moment to the other. */
  surelyBetween(fromMs: number, toMs: number): number {
    return Math.max(0, countBelow(this.answeredMs, toMs + EPSILON_MS) - countBelow(this.sentMs, fromMs));
  }

  /** Requests that can have arrived from one moment to the other. */
  possiblyBetween(fromMs: number, toMs: number): number {
    const own = countBelow(this.sentMs, toMs + EPSILON_MS) - this.answeredBefore(fromMs);
    return Math.floor((1 + this.#twice) * Math.max(0, own)) + Math.max(0, this.#earlier(fromMs));
  }
}

/** The ledger keeps microseconds. */
const EPSILON_MS = 0.0005;

export class Answers {
  /** All of them, sorted by sending. */
  readonly rows: readonly Answer[];
  readonly admitted: readonly Answer[];
  readonly refused: readonly Answer[];
  /** When the last of them was answered. */
  readonly lastMs: number;
  /** The target's clock is read no finer than this, ms: two requests may be so much nearer or farther apart for it. */
  readonly grainMs: number;
  readonly #earlier: Earlier;
  /** Which part of the requests may count a second time. */
  readonly #twice: number;
  readonly #made = new Map<unknown, unknown>();

  constructor(all: readonly Answer[], grainMs: number, earlier: Earlier, twice = 0) {
    this.rows = all.toSorted((a, b) => a.sentMs - b.sentMs);
    this.admitted = this.#some('admitted');
    this.refused = this.#some('refused');
    this.lastMs = all.reduce((last, { answeredMs }) => Math.max(last, answeredMs), Number.NEGATIVE_INFINITY);
    this.grainMs = grainMs;
    this.#earlier = earlier;
    this.#twice = twice;
  }

  /** These instead, with as much known of the clock and of what came before. */
  with = (rows: readonly Answer[], twice = this.#twice): Answers =>
    new Answers(rows, this.grainMs, this.#earlier, twice);

  /** What was made of them under this key, once. */
  once = <T>(key: unknown, make: () => T): T => {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as T;
  };

  surely = (counts: Counts): Arrivals => this.#arrivals(...SURE[counts]);
  possibly = (counts: Counts): Arrivals => this.#arrivals(...SURE[counts], 'neither');

  /**
   * Of refusals that were on their way at the same time one came first, before any of them was answered: it found only
   * what had been counted before all of them. `before`: refusals that were sent before these.
   */
  firstRefusals = () =>
    this.once(this.firstRefusals, () => {
      const found: { readonly sentMs: number; answeredMs: number; readonly before: number }[] = [];
      this.refused.forEach(({ sentMs, answeredMs }, before) => {
        const last = found.at(-1);
        if (last && sentMs <= last.answeredMs) last.answeredMs = Math.min(last.answeredMs, answeredMs);
        else found.push({ sentMs, answeredMs, before });
      });
      return found;
    });

  #some(...outcomes: readonly Outcome[]): readonly Answer[] {
    return this.rows.filter(({ outcome }) => outcomes.includes(outcome));
  }

  #arrivals(...outcomes: readonly Outcome[]): Arrivals {
    return this.once(outcomes.join(), () => new Arrivals(this.#some(...outcomes), this.#earlier, this.#twice));
  }
}

const SURE = { admitted: ['admitted'], all: ['admitted', 'refused'] } as const;
