/**
 * The limit that is really enforced, from the facts of one probe: a point when the evidence allows, else an interval.
 * Nothing here says whether that is right.
 */

import type { ConcurrencyFacts, QueueAttempt, QueueFacts } from '../../schemas/facts.ts';
import type { Submitting } from '../../schemas/operations.ts';

/** `lower` equals `upper` for a point; `upper` is null when no bound was found. Units are the limit's own. */
export interface Measured {
  readonly lower: number;
  readonly upper: number | null;
  /** Of a rate: its window, where it is not the documented one, ms. */
  readonly windowMs?: number;
}

/** Of several measurements of one limit the one that says most: a point before an interval, a bound before none. */
export function narrowest(all: readonly (Measured | null)[]): Measured | null {
  const width = (one: Measured) => (one.upper === null ? Infinity : one.upper - one.lower);
  const known = all.filter((one): one is Measured => one !== null);
  return known.sort((a, b) => width(a) - width(b) || b.lower - a.lower)[0] ?? null;
}

/**
 * Whether the target refused a request while its body was still arriving: it counts from the headers on. One that refuses
 * whole requests only says so of itself: where a body is nothing to it, such a target has often answered without it, and
 * sends that when the body is complete.
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
 * Requests at once: at least as many as were proven in flight together, at most as many as can have been there when
 * one was refused. null where no overlap was proven: requests held back count only where some were refused meanwhile.
 * More than the limit was built for is claimed only where they surely arrived together (see `mostTogether`).
 */
export function measureConcurrency(facts: ConcurrencyFacts): Measured | null {
  const { within, beyond, technique, overlapInner, fewestAtRefusal } = facts;
  if (within.answeredEarly + beyond.answeredEarly + within.lost + beyond.lost > 0) return null;
  if (fewestAtRefusal !== null) {
    // Requests that were answered while others were being refused leave the two bounds apart, or out of order.
    return { lower: provenTogether(facts), upper: Math.max(overlapInner, fewestAtRefusal) };
  }
  return technique === 'long-poll' && overlapInner > 0 ? { lower: provenTogether(facts), upper: null } : null;
}

/** Most that were served at once as their sender saw it, which is from before the target read them. */
export function mostTogether({ overlapInner, fewestAtRefusal }: ConcurrencyFacts): number {
  return Math.min(overlapInner, fewestAtRefusal ?? overlapInner);
}

/** A request that is read late is answered late, so what comes too late for a slot looks like one served besides. */
function provenTogether(facts: ConcurrencyFacts): number {
  const most = mostTogether(facts);
  return facts.arrivedTogether ? most : Math.min(most, facts.limit);
}

/** Refusals that are the queue's: gone with room and back with the length, or still there after an idle rate window. */
export function queueRefusals(facts: QueueFacts): readonly QueueAttempt[] {
  return facts.attempts.filter((one) => one.outcome === 'refused' && one.persisted === true);
}

/**
 * Jobs in the queue. The rule may be read before or after the insertion of the job, which differ by one: a first
 * refusal at the border or one beyond it is the border either way.
 */
export function measureQueue(facts: QueueFacts, operation: Submitting): Measured | null {
  const own = (attempt: QueueAttempt) => attempt.operation === operation;
  const refusals = queueRefusals(facts).filter(own);
  const taken = ({ outcome, seenQueued }: QueueAttempt) =>
    outcome === 'accepted' || (outcome === 'unanswered-yet' && seenQueued);
  const passed = facts.attempts.filter((one) => own(one) && taken(one));
  const deepest = passed.reduce((most, one) => Math.max(most, one.queuedMin), 0);
  if (refusals.length === 0) return passed.length === 0 ? null : { lower: deepest, upper: null };
  const least = Math.min(...refusals.map((one) => one.queuedMin));
  const most = Math.min(...refusals.map((one) => one.queuedMax));
  // An operation that could not be asked that near, since no job left the queue when it was cancelled, has an interval.
  const isBorder = least >= facts.border && most <= facts.border + 1 && deepest >= facts.border - 1;
  return isBorder
    ? { lower: facts.border, upper: facts.border }
    : { lower: Math.min(deepest, Math.max(0, least - 1)), upper: most };
}
