/** What every kind of limiter offers to the elimination (eliminate.ts). */
import type { Bounds, RateSurvivor } from '../../../../schemas/rate-facts.ts';
import type { Answers, Counts } from './answers.ts';

/** Both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Parameters to search in addition to the value, each as a range. */
export interface Numbers {
  /** ms. Of a bucket: in which time it gets back as many requests as are documented. */
  readonly windowMs: Range;
  /** Of kinds with boundaries: how far behind `originMs` one of them is, as a share of the window. */
  readonly phase: Range;
  /** Of kinds that wait for something: how long, ms. */
  readonly pauseMs: Range;
  /** Of kinds that go by a clock with steps: where these begin, as a share of one. */
  readonly step: Range;
}

export interface Kind {
  readonly algorithm: RateSurvivor['algorithm'];
  /** In the words of a report, as in "behaves like a ...". */
  readonly name: string;
  /** Absent where it makes no difference to any answer. */
  readonly counts?: Counts;
  /** Of a bucket that gets back in the window what it holds, and not what is documented. */
  readonly refill?: 'own';
  /** Which parameters it has in addition to the value and the window. */
  readonly has: readonly Exclude<keyof Numbers, 'windowMs'>[];
  /** By a clock with such steps, windows that are shorter by less than one let in the same, to the request; ms. */
  readonly stepMs?: number;
  /** Whether such a limiter keeps the documented limit when its numbers are those of the documentation. */
  readonly enforces: boolean;
  /**
   * The whole values, in requests, with which a limiter of this kind may have answered the same, for some numbers
   * within the ranges and some arrival times; null when there is none. It must never eliminate the truth: where it
   * can't decide, it leaves room.
   * @param scale the documented limit
   */
  mayHave(answers: Answers, at: Numbers, scale: Scale): Bounds | null;
}

export interface Scale {
  readonly limit: number;
  readonly windowMs: number;
  /** Where phases are counted from, ms. */
  readonly originMs: number;
}

/** Bounds of a value, or null when they cross. */
export const between = (lower: number, upper: number): Bounds | null => (lower <= upper ? { lower, upper } : null);
