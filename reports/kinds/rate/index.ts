/** Rate limits: which limiters may be behind the answers, and what a client within the limit was refused. */
import type { RateFacts } from '../../../schemas/facts.ts';
import type { RateLimit } from '../../../schemas/limits.ts';
import { duration, plural } from '../../../schemas/thousands.ts';
import { limitRow } from '../../verdicts/limit-row.ts';
import { closest } from '../../verdicts/measure.ts';
import { nouns } from '../../words.ts';
import type { Drawing, Judges, KindOfLimit } from '../kind.ts';
import { judgeRate, rateDoubts } from './judge.ts';
import { renderArrivals } from './picture.ts';
import { algorithmOf, countsOf, measureRate } from './survivors.ts';

export const rate: KindOfLimit<RateLimit> = {
  word: 'rate',
  documented: ({ value, windowMs }) => `${plural(value, 'request')} per ${duration(windowMs)}`,
  amount: (amount, count, { windowMs }) =>
    `${nouns(amount, count, 'request')}${windowMs === undefined ? '' : ` per ${duration(windowMs)}`}`,
  row({ value, windowMs }, own) {
    const documented = { value, windowMs };
    // Who is same budget (`scope`) is asked of the same limit, and measures nothing.
    const probe = closest(
      own.filter((one): one is RateFacts => one.kind === 'rate'),
      measureRate,
    );
    if (!probe) return { documented, measured: null };
    const { picture, health } = probe;
    const counts = countsOf(probe);
    const seen = { measured: measureRate(probe), algorithm: algorithmOf(probe), ...(counts ? { counts } : {}) };
    return { documented, ...seen, pictures: [picture], health };
  },
};

export const rateJudges: Judges<'rate'> = {
  rate: {
    judge: (facts, context) => judgeRate(facts, limitRow(facts.limitId, 'requests', context.table), context),
    doubts: (facts, context) => rateDoubts(facts, limitRow(facts.limitId, 'requests', context.table), context),
  },
};

export const rateDrawing: Drawing<'arrivals'> = { arrivals: renderArrivals };
