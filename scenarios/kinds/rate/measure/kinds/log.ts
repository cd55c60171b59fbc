/**
 * A log: admits a request when fewer than N were counted in the window before it. slowapi's moving window, Django REST
 * framework, caddy-ratelimit and rate limiters on a sorted set in Redis count so; some of them count what they refuse too.
 */
import { mostWithin } from '../../../../../schemas/intervals.ts';
import type { Answer, Answers, Counts } from '../answers.ts';
import { between, type Kind } from '../kind.ts';

export const log = (counts: Counts): Kind => ({
  algorithm: 'sliding-log',
  name: counts === 'all' ? 'sliding log that counts refused requests too' : 'sliding log',
  counts,
  has: [],
  enforces: true,
  mayHave(answers, { windowMs }) {
    const { sentMs: fromMs, answeredMs: toMs } = answers.surely('admitted');
    const together = mostWithin(fromMs, toMs, windowMs.from - answers.grainMs);
    const lower = counts === 'all' ? Math.max(together, leastBefore(answers, windowMs.from)) : together;
    let upper = Number.POSITIVE_INFINITY;
    const [possible, all] = [answers.possibly('admitted'), answers.possibly('all')];
    for (const { sentMs, answeredMs, before } of firstRefusals(answers)) {
      const sinceMs = sentMs - windowMs.to - answers.grainMs;
      const refused = before - (all.answeredBefore(sinceMs) - possible.answeredBefore(sinceMs));
      upper = Math.min(upper, possible.possiblyBetween(sinceMs, answeredMs) + (counts === 'all' ? refused : 0));
      if (upper < lower) return null;
    }
    return between(Math.max(1, lower), upper);
  },
});

/**
 * Of refusals that were on their way at the same time one came first, before any of them was answered: it found only what
 * had been counted before all of them.
 */
function firstRefusals({ refused }: Answers) {
  const found: { readonly sentMs: number; answeredMs: number; readonly before: number }[] = [];
  refused.forEach(({ sentMs, answeredMs }, before) => {
    const last = found.at(-1);
    if (last && sentMs <= last.answeredMs) last.answeredMs = Math.min(last.answeredMs, answeredMs);
    else found.push({ sentMs, answeredMs, before });
  });
  return found;
}

/** Of a long ledger some are enough: all are counted. */
const MOST_LOOKED_AT = 5000;

/** The value has to be above what was surely counted before any request that was admitted. */
function leastBefore(answers: Answers, windowMs: number): number {
  const counted = answers.surely('all');
  let least = 0;
  const every = Math.ceil(answers.admitted.length / MOST_LOOKED_AT);
  for (let index = 0; index < answers.admitted.length; index += every) {
    const { sentMs, answeredMs } = answers.admitted[index] as Answer;
    const fromMs = answeredMs - windowMs + answers.grainMs;
    least = Math.max(least, counted.answeredBefore(sentMs) - counted.sentBy(fromMs));
  }
  return least + 1;
}
