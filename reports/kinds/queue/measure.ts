/** At which length a queue was seen to refuse. */
import type { QueueAttempt, QueueFacts } from '../../../schemas/facts.ts';
import type { Submitting } from '../../../schemas/operations.ts';
import type { Measured } from '../../verdicts/measure.ts';

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
  // An operation that could not be sent that near, since no job left the queue when it was cancelled, has an interval.
  const isBorder = least >= facts.border && most <= facts.border + 1 && deepest >= facts.border - 1;
  return isBorder
    ? { lower: facts.border, upper: facts.border }
    : { lower: Math.min(deepest, Math.max(0, least - 1)), upper: most };
}
