/**
 * Facts of several runners that each sent what one address may have -> whether the limit is each address's own (spec 8.1).
 * Of M addresses that a target counts apart each gets the whole limit, however many runners are behind one of them.
 */
import type { AddressesFacts, ConcurrencyFacts, ElsewhereCounts, HoldCounts } from '../../../schemas/facts.ts';
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import { generatorFault, serverErrorIn, statusText } from '../../verdicts/evidence.ts';
import { refusesBeyond } from './measure.ts';

// Facts of a concurrency probe -> whether the limit is each client address's own (spec 8.1). The user promises by
// naming a second address that the target sees another client behind it, so a refusal there is the limit's.

const refusedIn = ({ refusedEarly, refusedLate }: HoldCounts): number => refusedEarly + refusedLate;

export function judgePerAddress(facts: ConcurrencyFacts, elsewhere: ElsewhereCounts, limit: ConcurrencyLimit): Claim {
  const { within, beyond } = facts;
  const { address, alone, meanwhile, stillFull, statuses, error } = elsewhere;
  const expected = grouped`with ${limit.value} requests at once from one address, those from another are served`;
  const refused = refusedIn(meanwhile);
  const seen =
    grouped`${within.held} held and ${beyond.refusedEarly} of ${beyond.opened} more refused; ` +
    grouped`during it, ${refused} of ${meanwhile.opened} from ${address} refused (${statusText(statuses)})`;
  if (error !== '') {
    return inconclusive(
      expected,
      seen,
      `from ${address} the target could not be reached (${error}): see --other-address`,
    );
  }
  if (alone.opened === 0 || refusedIn(alone) + alone.lost > 0) {
    return inconclusive(expected, seen, `${address} is not served either when nothing is in flight`);
  }
  const full = within.held === limit.value && refusesBeyond(facts);
  if (!full || meanwhile.opened === 0) {
    return inconclusive(expected, seen, 'the first address did not have just all its slots taken');
  }
  const other = serverErrorIn(statuses);
  if (other) return inconclusive(expected, seen, `${other} may be an overload`);
  if (refused > 0) return broken(expected, `${seen}; --other-address says that it is another client's`);
  if (meanwhile.lost > 0)
    return inconclusive(expected, seen, grouped`${meanwhile.lost} from ${address} got no usable answer`);
  if (stillFull.refusedEarly === 0) {
    return inconclusive(expected, seen, 'the slots of the first address were not all taken any more after that');
  }
  return holds(expected, seen);
}

export function judgeAddresses({ limit, parts, together, health }: AddressesFacts): Claim {
  const expected = grouped`from each address ${limit} at once, whatever others send`;
  const sum = (of: (part: AddressesFacts['parts'][number]) => number): number =>
    parts.reduce((all, part) => all + of(part), 0);
  const [admitted, refused] = [sum((part) => part.admitted), sum((part) => part.refused)];
  const each = parts.map((part) => grouped`${part.admitted} of runner ${part.runner}`).join(', ');
  const seen = grouped`${admitted} served at once, ${refused} refused (${each})`;
  const fault = generatorFault(health);
  if (fault) return inconclusive(expected, seen, fault);
  const overload = parts.find(({ statuses }) => serverErrorIn(statuses) !== undefined);
  if (overload) return inconclusive(expected, seen, `${statusText(overload.statuses)}: it may be an overload`);
  if (together < admitted) {
    return inconclusive(expected, seen, grouped`only ${together} were proven in flight at once: answers came too soon`);
  }
  if (admitted + refused < health.sent) {
    return inconclusive(expected, seen, grouped`${health.sent - admitted - refused} got no usable answer`);
  }
  const apart = admitted / limit;
  if (!Number.isInteger(apart) || apart > parts.length) {
    return broken(expected, `${seen}: no number of addresses comes to that, each with its own limit`);
  }
  if (apart > 1) return holds(expected, grouped`${seen}: ${apart} addresses are counted apart`);
  const why = grouped`all ${parts.length} runners together got what one address may have: the target doesn't distinguish their addresses, or has one limit for all; --other-address names a second one`;
  return inconclusive(expected, seen, why);
}
