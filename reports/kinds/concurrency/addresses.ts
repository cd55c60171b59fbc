/**
 * Facts of several runners that each sent what one address may have -> whether the limit is each address's own (spec 8.1).
 * Of M addresses that a target counts apart each gets the whole limit, however many runners are behind one of them.
 */
import type { AddressesFacts } from '../../../schemas/facts.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, unclear } from '../../verdicts/claim.ts';
import { generatorFault, serverErrorIn, statusText } from '../../verdicts/evidence.ts';

export function judgeAddresses({ limit, parts, together, health }: AddressesFacts): Claim {
  const expected = grouped`from each address ${limit} at once, whatever others send`;
  const sum = (of: (part: AddressesFacts['parts'][number]) => number): number =>
    parts.reduce((all, part) => all + of(part), 0);
  const [admitted, refused] = [sum((part) => part.admitted), sum((part) => part.refused)];
  const each = parts.map((part) => grouped`${part.admitted} of runner ${part.runner}`).join(', ');
  const seen = grouped`${admitted} served at once, ${refused} refused (${each})`;
  const fault = generatorFault(health);
  if (fault) return unclear(expected, seen, fault);
  const overload = parts.find(({ statuses }) => serverErrorIn(statuses) !== undefined);
  if (overload) return unclear(expected, seen, `${statusText(overload.statuses)}: it may be an overload`);
  if (together < admitted) {
    return unclear(expected, seen, grouped`only ${together} were proven in flight at once: answers came too soon`);
  }
  if (admitted + refused < health.sent) {
    return unclear(expected, seen, grouped`${health.sent - admitted - refused} got no usable answer`);
  }
  const apart = admitted / limit;
  if (!Number.isInteger(apart) || apart > parts.length) {
    return broken(expected, `${seen}: no number of addresses comes to that, each with its own limit`);
  }
  if (apart > 1) return holds(expected, grouped`${seen}: ${apart} addresses are counted apart`);
  const why = grouped`all ${parts.length} runners together got what one address may have: the target doesn't tell their addresses apart, or has one limit for all; with --other-address you say that two are apart`;
  return unclear(expected, seen, why);
}
