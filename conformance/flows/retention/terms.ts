/**
 * When jobs are looked at, reckoned from how long they are documented to stay available. Around the end of that time
 * a look is as close as answers and clocks allow, and before it at doubling ages, so that a job that is gone early is
 * missed soon after.
 */
import { retentionOf, type Subject } from '../../../schemas/retention.ts';
import type { CheckContext } from '../../context.ts';

/** How long before the end is asked: a few round trips, so that the answer comes in time, and no longer than needed. */
const EARLY_MS = { least: 250, most: 2000, roundTrips: 5 } as const;
/** Two clocks may part by so much of the time they measure: the target's may be quick by what ours is slow. */
const DRIFT = 0.0002;
/** How long after the end is asked, each time of another job until one is gone; only the last may be missed. */
const LATE_SHARES = [0.001, 0.01, 0.1] as const;
const LATE_LEAST_MS = 100;
/** The share within which a job has to be gone. */
export const LATE_SHARE = LATE_SHARES[2];
/** How long a job runs to show that its time begins at its end: far longer than looks are off. */
const LONG = { share: 0.05, leastMs: 1000, mostMs: 15_000 } as const;
/** When a job is read in between, as shares of its time. */
const READINGS = [0.25, 0.5, 0.75] as const;
/** Ages between the first and the last look: half of the time, half of that and so on, down to no less than this. */
const FIRST_AGE_MS = 500;
const MOST_AGES = 10;
/** And from half of the time on so many more, each half as far from its end as the one before. */
const MOST_NEAR = 5;
const NEAREST_MS = 1500;

export interface Terms {
  readonly subject: Subject;
  readonly documentedMs: number;
  readonly limitId: string;
  readonly words: string;
  readonly longMs: number;
  readonly readings: readonly number[];
  /** From the youngest to nearly the documented time, ms. */
  readonly ages: readonly number[];
  /** After the documented time, ms. */
  readonly lateMs: readonly number[];
  /** How long before the end is asked, given how long the target takes for an answer, ms. */
  earlyMs(answerMs: number): number;
}

/** Terms for a documented time in ms. */
export function termsFor(subject: Subject, documentedMs: number): Terms {
  const ages = Array.from({ length: MOST_AGES }, (_, index) => documentedMs / 2 ** (index + 1)).reverse();
  const near = Array.from({ length: MOST_NEAR }, (_, index) => documentedMs * (1 - 1 / 2 ** (index + 2)));
  return {
    subject,
    documentedMs,
    limitId: `${subject}.retention`,
    words: `${documentedMs / 1000} s`,
    longMs: Math.round(Math.min(LONG.mostMs, Math.max(LONG.leastMs, documentedMs * LONG.share))),
    readings: READINGS.map((share) => documentedMs * share),
    ages: [...ages.filter((age) => age >= FIRST_AGE_MS), ...near.filter((age) => documentedMs - age >= NEAREST_MS)],
    lateMs: LATE_SHARES.map((share) => Math.max(LATE_LEAST_MS, documentedMs * share)),
    earlyMs: (answerMs) =>
      Math.min(EARLY_MS.most, Math.max(EARLY_MS.least, answerMs * EARLY_MS.roundTrips)) + documentedMs * DRIFT,
  };
}

export const termsOf = (t: CheckContext, subject: Subject): Terms =>
  termsFor(subject, retentionOf(t.target.circumstances.table, subject));
