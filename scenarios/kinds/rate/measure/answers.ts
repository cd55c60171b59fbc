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

/** Requests that a limiter counts, by their earliest and their latest possible arrival, each sorted; ms. */
export class Arrivals {
  readonly sentMs: Float64Array;
  readonly answeredMs: Float64Array;

  readonly #earlier: Earlier | undefined;

  constructor(answers: readonly Answer[], earlier?: Earlier) {
    this.#earlier = earlier;
    this.sentMs = Float64Array.from(answers, ({ sentMs }) => sentMs).sort();
    this.answeredMs = Float64Array.from(answers, ({ answeredMs }) => answeredMs).sort();
  }

  /** Requests that can have arrived by this moment. */
  sentBy(ms: number): number {
    return countBelow(this.sentMs, ms + EPSILON_MS);
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
    return Math.max(0, this.sentBy(toMs) - this.answeredBefore(fromMs)) + this.#possiblyEarlier(fromMs);
  }

  #possiblyEarlier(fromMs: number): number {
    if (!this.#earlier || fromMs >= this.#earlier.untilMs) return 0;
    return this.#earlier.limit * Math.ceil((this.#earlier.untilMs - fromMs) / this.#earlier.windowMs);
  }
}

/** What may have been sent before the ledger begins: never more than the limit in a window, and nothing right before. */
export interface Earlier {
  readonly untilMs: number;
  readonly limit: number;
  readonly windowMs: number;
}

/** The ledger keeps microseconds. */
const EPSILON_MS = 0.0005;

export interface Answers {
  /** All of them, sorted by sending. */
  readonly rows: readonly Answer[];
  readonly admitted: readonly Answer[];
  readonly refused: readonly Answer[];
  /** When the last of them was answered. */
  readonly lastMs: number;
  readonly earlier?: Earlier | undefined;
  /** The target's clock is read no finer than this, ms: two requests may be so much nearer or farther apart for it. */
  readonly grainMs: number;
  surely(counts: Counts): Arrivals;
  possibly(counts: Counts): Arrivals;
  /** What was made of them under this key, once. */
  once<T>(key: unknown, make: () => T): T;
}

export function answersOf(all: readonly Answer[], grainMs: number, earlier?: Earlier): Answers {
  const rows = isSorted(all) ? all : all.toSorted((a, b) => a.sentMs - b.sentMs);
  const some = (...outcomes: readonly Outcome[]) => rows.filter(({ outcome }) => outcomes.includes(outcome));
  const made = new Map<unknown, unknown>();
  const once = <T>(key: unknown, make: () => T): T => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key) as T;
  };
  const arrivals = (...outcomes: readonly Outcome[]): Arrivals =>
    once(outcomes.join(), () => new Arrivals(some(...outcomes).map(asCounted), earlier));
  const sure = { admitted: ['admitted'], all: ['admitted', 'refused'] } as const;
  return {
    rows,
    admitted: some('admitted'),
    refused: some('refused'),
    lastMs: rows.reduce((last, { answeredMs }) => Math.max(last, answeredMs), Number.NEGATIVE_INFINITY),
    earlier,
    grainMs,
    surely: (counts) => arrivals(...sure[counts]),
    possibly: (counts) => arrivals(...sure[counts], 'neither'),
    once,
  };
}

const isSorted = (all: readonly Answer[]): boolean =>
  all.every(({ sentMs }, index) => index === 0 || sentMs >= (all[index - 1]?.sentMs ?? 0));

/** What was given up may arrive at any time later. */
const asCounted = (answer: Answer): Answer =>
  answer.outcome === 'neither' ? { ...answer, answeredMs: Number.POSITIVE_INFINITY } : answer;
