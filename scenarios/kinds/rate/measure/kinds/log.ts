/**
 * A log: admits a request when fewer than N were counted in the window before it. slowapi's moving window, Django REST
 * framework, caddy-ratelimit and rate limiters on a sorted set in Redis count so; some of them count what they refuse too.
 */
import { mostWithin } from '../../../../../schemas/intervals.ts';
import type { Answers, Counts } from '../answers.ts';
import { between, type Kind } from '../kind.ts';

export const log = (counts: Counts): Kind => ({
  algorithm: 'sliding-log',
  name: counts === 'all' ? 'sliding log that counts refused requests too' : 'sliding log',
  counts,
  has: [],
  enforces: true,
  mayHave(answers, { windowMs }) {
    const { sentMs: fromMs, answeredMs: toMs } = answers.surely('admitted');
    const together = Math.max(1, mostWithin(fromMs, toMs, windowMs.from - answers.grainMs));
    const lower = counts === 'all' ? Math.max(together, leastBefore(answers, counts, windowMs.from)) : together;
    return between(lower, mostBefore(answers, counts, windowMs.to, lower));
  },
});

const ofAdmitted = log('admitted');

/**
 * One that reads its count first and writes a little later, as where rows are counted before another is written, or
 * copies synchronise now and then: requests at the same moment find the same count, so it admits more than its value.
 */
export const racingLog: Kind = {
  ...ofAdmitted,
  name: 'sliding log that counts late',
  enforces: false,
  mayHave(answers, { windowMs }, scale) {
    const lower = leastBefore(answers, 'admitted', windowMs.from, LATER_WINDOWS * scale.windowMs);
    return between(lower, mostBefore(answers, 'admitted', windowMs.to, lower));
  },
};

/**
 * One by a clock with steps of any length up to that: requests leave it together, as in a window in many parts. It may
 * look as late as the one before, but never lets more than its value through in a window that is a step shorter.
 */
export const coarseLog: Kind = {
  ...ofAdmitted,
  name: 'sliding log by a coarse clock',
  mayHave(answers, at, scale) {
    const stepMs = LATER_WINDOWS * scale.windowMs;
    const windowMs = { from: at.windowMs.from - stepMs, to: at.windowMs.to + stepMs };
    return ofAdmitted.mayHave(answers, { ...at, windowMs }, scale);
  },
};

/** As a share of the documented window. */
const LATER_WINDOWS = 1 / 8;

/** Each refusal found the log full: so many may have stood in it. */
function mostBefore(answers: Answers, counts: Counts, windowMs: number, lower: number): number {
  let upper = Number.POSITIVE_INFINITY;
  const [possible, all] = [answers.possibly('admitted'), answers.possibly('all')];
  for (const { sentMs, answeredMs, before } of answers.firstRefusals()) {
    const sinceMs = sentMs - windowMs - answers.grainMs;
    const refused = before - (all.answeredBefore(sinceMs) - possible.answeredBefore(sinceMs));
    upper = Math.min(upper, possible.possiblyBetween(sinceMs, answeredMs) + (counts === 'all' ? refused : 0));
    if (upper < lower) break;
  }
  return upper;
}

/** The value has to be above what was surely counted so long before any request that was admitted. */
function leastBefore({ admitted, grainMs, surely }: Answers, counts: Counts, windowMs: number, laterMs = 0): number {
  const counted = surely(counts);
  const before = admitted.map((one) =>
    counted.surelyBetween(one.answeredMs - windowMs + grainMs, one.sentMs - laterMs),
  );
  return 1 + before.reduce((most, count) => Math.max(most, count), 0);
}
