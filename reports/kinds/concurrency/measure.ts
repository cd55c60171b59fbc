/** How many requests at once a target was seen to serve. */
import type { ConcurrencyFacts } from '../../../schemas/facts.ts';
import type { Measured } from '../../verdicts/measure.ts';

/**
 * Whether the target refused a request while its body was still arriving: it counts from the headers on. One that
 * refuses whole requests shows nothing about others: where it ignores bodies, such a target has often decided without
 * one, and responds when the body is complete.
 */
export function refusesHeldRequests(facts: ConcurrencyFacts): boolean {
  const { technique, within, beyond, further, refusesWhole } = facts;
  return (
    technique === 'held-body' &&
    !refusesWhole &&
    within.refusedEarly + beyond.refusedEarly + (further?.refusedEarly ?? 0) > 0
  );
}

/**
 * Requests at once: at least as many as were proven in flight together, at most as many as can have been there when one
 * was refused. null where no overlap was proven: held requests count only where some were refused during it. More than
 * the limit of the probe is claimed only where they certainly arrived together (see `mostTogether`).
 */
export function measureConcurrency(facts: ConcurrencyFacts): Measured | null {
  const { within, beyond, technique, overlapInner, fewestAtRefusal } = facts;
  if (within.answeredEarly + beyond.answeredEarly + within.lost + beyond.lost > 0) return null;
  if (fewestAtRefusal !== null) {
    // Requests that were answered while others were being refused leave the two bounds apart, or out of order.
    return { lower: provenTogether(facts), upper: Math.max(overlapInner, fewestAtRefusal) };
  }
  const lower = technique === 'held-body' ? 0 : provenTogether(facts);
  return lower > 0 ? { lower, upper: null } : null;
}

/** Whether there were some beyond the limit, and each was refused while the others were in flight. */
export const refusesBeyond = ({ beyond }: ConcurrencyFacts): boolean =>
  beyond.opened > 0 && beyond.refusedEarly === beyond.opened;

/** Most that were served at once as their sender saw it, which is from before the target read them. */
export function mostTogether({ overlapInner, fewestAtRefusal, sideBySide }: ConcurrencyFacts): number {
  return Math.min(overlapInner, fewestAtRefusal ?? sideBySide ?? overlapInner);
}

/**
 * A request that is read late is answered late, so one that comes too late for a slot looks like an additional served
 * one.
 */
function provenTogether(facts: ConcurrencyFacts): number {
  const most = mostTogether(facts);
  return facts.arrivedTogether ? most : Math.min(most, facts.limit);
}
