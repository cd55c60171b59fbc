/** What every kind of limiter offers to the elimination (eliminate.ts). */
import type { Bounds, RateSurvivor } from '../../../../schemas/rate-facts.ts';
import type { Answers, Counts } from './answers.ts';

/** Both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What is looked for beside the value: the window and where a boundary lies, ms, each as a range. */
export interface Numbers {
  /** Of a bucket: in which time it gets back as many requests as are documented. */
  readonly windowMs: Range;
  /** Of kinds with boundaries: the distance of one of them from `originMs`. */
  readonly phaseMs: Range;
  /** Of kinds that wait for something: how long. */
  readonly pauseMs: Range;
}

export type Axis = keyof Numbers;

export interface Kind {
  readonly algorithm: RateSurvivor['algorithm'];
  /** In the words of a report, as in "behaves like a ...". */
  readonly name: string;
  /** Absent where it makes no difference to any answer. */
  readonly counts?: Counts;
  /** Of a bucket that gets back in the window what it holds, and not what is documented. */
  readonly refill?: 'own';
  readonly axes: readonly Axis[];
  /** Whether such a limiter keeps the documented limit when its numbers are those of the documentation. */
  readonly enforces: boolean;
  /**
   * The whole values, in requests, with which a limiter of this kind may have answered so, for some numbers within the
   * ranges and some arrival times; null when there is none. It must never strike out what is true: where it can't tell,
   * it leaves room.
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
