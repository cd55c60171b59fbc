/**
 * What trouble takes from the claims on a queue and its purge: a target that was gone for a moment has forgotten its
 * queue, and one behind a gateway that answers for it was never asked.
 */
import type { QueueFacts } from '../../schemas/facts.ts';
import { type Claim, unclear } from './claim.ts';

const isOutage = (status: number): boolean => status >= 500;

/** The same claims, but for breaks that an outage explains. */
export function carriedOfQueue(facts: QueueFacts, claims: Record<string, Claim>): Record<string, Claim> {
  const why = outage(facts);
  if (why === undefined) return claims;
  return Object.fromEntries(
    Object.entries(claims).map(([id, claim]) => [
      id,
      claim.verdict === 'broken' ? unclear(claim.expected, claim.observed, why) : claim,
    ]),
  );
}

/** Beyond the border a wrong status is a finding about the refusal; within it, or without any answer, it is none. */
function outage({ attempts, purge, border }: QueueFacts): string | undefined {
  const lost = attempts.filter(
    ({ outcome, status, queuedMax }) =>
      outcome === 'other' && (status === 0 || (isOutage(status) && queuedMax <= border)),
  );
  if (lost.length > 0) {
    return `${lost.length} of ${attempts.length} submissions got no answer of the target's own, which may have been gone`;
  }
  return purge && isOutage(purge.status)
    ? `the purge was answered ${purge.status}, as by an overload or an outage`
    : undefined;
}
