/**
 * Facts of a concurrency probe -> whether the limit is each client address's own (spec 8.1). The user promises by
 * naming a second address that the target sees another client behind it, so a refusal there is the limit's.
 */
import type { ConcurrencyFacts, ElsewhereCounts, HoldCounts } from '../../../schemas/facts.ts';
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, unclear } from '../../verdicts/claim.ts';
import { serverErrorIn, statusText } from '../../verdicts/evidence.ts';

const refusedIn = ({ refusedEarly, refusedLate }: HoldCounts): number => refusedEarly + refusedLate;

export function judgePerAddress(facts: ConcurrencyFacts, elsewhere: ElsewhereCounts, limit: ConcurrencyLimit): Claim {
  const { within, beyond } = facts;
  const { address, alone, meanwhile, stillFull, statuses, error } = elsewhere;
  const expected = grouped`with ${limit.value} requests at once from one address, those from another are served`;
  const refused = refusedIn(meanwhile);
  const seen =
    grouped`${within.held} held and ${beyond.refusedEarly} of ${beyond.opened} more refused; ` +
    grouped`meanwhile ${refused} of ${meanwhile.opened} from ${address} refused (${statusText(statuses)})`;
  if (error !== '') {
    return unclear(expected, seen, `from ${address} the target could not be asked (${error}): see --other-address`);
  }
  if (alone.opened === 0 || refusedIn(alone) + alone.lost > 0) {
    return unclear(expected, seen, `${address} is not served either when nothing is in flight`);
  }
  const full = within.held === limit.value && beyond.refusedEarly === beyond.opened && beyond.opened > 0;
  if (!full || meanwhile.opened === 0) {
    return unclear(expected, seen, 'the first address did not have just all its slots taken');
  }
  const other = serverErrorIn(statuses);
  if (other) return unclear(expected, seen, `${other} may be an overload`);
  if (refused > 0) return broken(expected, `${seen}; --other-address says that it is another client's`);
  if (meanwhile.lost > 0)
    return unclear(expected, seen, grouped`${meanwhile.lost} from ${address} got no usable answer`);
  if (stillFull.refusedEarly === 0) {
    return unclear(expected, seen, 'the slots of the first address were not all taken any more after that');
  }
  return holds(expected, seen);
}
