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
    const together = mostWithin(fromMs, toMs, windowMs.from - answers.grainMs);
    const lower = counts === 'all' ? Math.max(together, leastBefore(answers, windowMs.from)) : together;
    let upper = Number.POSITIVE_INFINITY;
    const [possible, all] = [answers.possibly('admitted'), answers.possibly('all')];
    for (const { sentMs, answeredMs, before } of answers.firstRefusals()) {
      const sinceMs = sentMs - windowMs.to - answers.grainMs;
      const refused = before - (all.answeredBefore(sinceMs) - possible.answeredBefore(sinceMs));
      upper = Math.min(upper, possible.possiblyBetween(sinceMs, answeredMs) + (counts === 'all' ? refused : 0));
      if (upper < lower) return null;
    }
    return between(Math.max(1, lower), upper);
  },
});

/** The value has to be above what was surely counted before any request that was admitted. */
function leastBefore({ admitted, grainMs, surely }: Answers, windowMs: number): number {
  const counted = surely('all');
  const before = admitted.map((one) => counted.surelyBetween(one.answeredMs - windowMs + grainMs, one.sentMs));
  return 1 + before.reduce((most, count) => Math.max(most, count), 0);
}
