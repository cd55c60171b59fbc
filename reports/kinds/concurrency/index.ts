/** Limits on requests at once: what was proven to overlap, from one address and from several. */
import type { ConcurrencyFacts } from '../../../schemas/facts.ts';
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { perAddressId } from '../../../schemas/load-checks.ts';
import { plural } from '../../../schemas/thousands.ts';
import { limitRow } from '../../verdicts/limit-row.ts';
import { narrowest } from '../../verdicts/measure.ts';
import { nouns } from '../../words.ts';
import type { Drawing, Judges, KindOfLimit } from '../kind.ts';
import { judgeAddresses } from './addresses.ts';
import { concurrencyDoubts } from './doubts.ts';
import { judgeConcurrency } from './judge.ts';
import { measureConcurrency } from './measure.ts';
import { renderInFlight } from './picture.ts';

export const concurrency: KindOfLimit<ConcurrencyLimit> = {
  word: 'concurrency',
  documented: ({ value, per }) =>
    `${plural(value, 'request')} at once per ${per === 'address' ? 'IP address' : 'endpoint'}`,
  amount: (amount, count) => `${nouns(amount, count, 'request')} at once`,
  row({ value }, own) {
    const probes = own.filter((one): one is ConcurrencyFacts => one.kind === 'concurrency');
    return {
      documented: { value },
      measured: narrowest(probes.map(measureConcurrency)),
      pictures: probes.map(({ picture }) => picture),
      ...(probes[0] ? { health: probes[0].health } : {}),
    };
  },
};

export const concurrencyJudges: Judges<'concurrency' | 'addresses'> = {
  concurrency: {
    judge: (facts, context) =>
      judgeConcurrency(facts, limitRow(facts.limitId, 'concurrent-requests', context.table), context),
    doubts: concurrencyDoubts,
  },
  addresses: { judge: (facts) => ({ [perAddressId({ id: facts.limitId })]: judgeAddresses(facts) }) },
};

export const concurrencyDrawing: Drawing<'in-flight'> = { 'in-flight': renderInFlight };
