/** Rare faults show where many requests are sent anyway: errors of the server, resets, no response, wrong content. */
import type { RateFacts, RatePart } from '../../../schemas/facts.ts';
import { rareFaultsText } from '../../../schemas/rare-faults.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holdsUnless, unclear } from '../../verdicts/claim.ts';
import { brokenLedger, statusText } from '../../verdicts/evidence.ts';

export function judgeServed({ burst, again, pace, over, echo, polls, health }: RateFacts): Claim {
  const parts = [burst, again, pace, over, echo, polls];
  const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  const sent = sumOf(parts.map((part) => part.sent));
  const count = sumOf(parts.flatMap((part) => [unservedIn(part), ...Object.values(part.wrong)]));
  const expected = 'each request is refused, or served with content like the others';
  const words = parts.flatMap((part) => [
    ...(unservedIn(part) > 0 ? [statusText(part.statuses)] : []),
    ...Object.entries(part.wrong).map(([fault, times]) => grouped`${times} ${fault}`),
  ]);
  const weak = brokenLedger(health);
  if (count === 0) return holdsUnless(expected, grouped`all ${sent}${rareFaultsText(sent)}`, weak);
  const seen = grouped`${count} of ${sent} were not, 1 in ${Math.round(sent / count)} (${words.join('; ')})`;
  return weak ? unclear(expected, seen, weak) : broken(expected, seen);
}

export const unservedIn = ({ sent, admitted, refused }: RatePart): number => sent - admitted - refused;
