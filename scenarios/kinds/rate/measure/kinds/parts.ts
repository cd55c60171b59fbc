/**
 * A sliding window in parts: it counts what was admitted in this part of the clock and in so many before it, and all of
 * a part becomes free at once (.NET's SlidingWindowRateLimiter, Alibaba Sentinel). Many parts are like a log by a
 * coarse clock, two are nearly fixed windows.
 */
import { between, type Kind } from '../kind.ts';
import { boundariesOf, firstIndex } from './windows.ts';

export const inParts = (count: number): Kind => ({
  algorithm: 'sliding-log',
  name: `sliding window in ${count} parts`,
  has: ['phase'],
  enforces: true,
  mayHave(answers, at, { originMs }) {
    const windowMs = { from: at.windowMs.from / count, to: at.windowMs.to / count };
    const begins = boundariesOf({ ...at, windowMs }, originMs, answers.grainMs);
    const first = firstIndex(answers, windowMs, originMs);
    const [sure, possible] = [answers.surely('admitted'), answers.possibly('admitted')];
    let lower = 1;
    for (let part = first; begins(part).from <= answers.lastMs; part += 1) {
      lower = Math.max(lower, sure.surelyBetween(begins(part - count + 1).to, begins(part + 1).from));
    }
    let upper = Number.POSITIVE_INFINITY;
    let part = first;
    for (const { sentMs, answeredMs } of answers.firstRefusals()) {
      // The earliest part that it may have come in: there most can have been counted.
      while (begins(part + 1).to <= sentMs) part += 1;
      upper = Math.min(upper, possible.possiblyBetween(begins(part - count + 1).from, answeredMs));
      if (upper < lower) return null;
    }
    return between(lower, upper);
  },
});
