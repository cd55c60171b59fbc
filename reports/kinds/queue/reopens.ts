/** Whether refusals end with a queue that is at its border again (spec part 7): facts of a queue probe -> claim. */
import type { QueueFacts, QueueReopening } from '../../../schemas/facts.ts';
import type { Submitting } from '../../../schemas/operations.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import { generatorFault } from '../../verdicts/evidence.ts';
import { type Comparison, isTaken, otherRefuser, where } from './evidence.ts';

export function reopens(facts: QueueFacts, operation: Submitting, context: Comparison): Claim {
  const expected = `${where(facts)}: ${operation} accepted as soon as queued jobs are gone from a full queue`;
  const own = facts.reopenings.filter((one) => one.operation === operation);
  const fault = generatorFault(facts.health);
  const [shown] = own.filter((one) => isTaken(one.attempt) && one.refusedAgain);
  if (shown && !fault) return holds(expected, `${words(facts, shown)}, and refused again as soon as it was as long`);
  const [one] = own;
  if (!one) return inconclusive(expected, `${where(facts)}: not tried`, fault ?? whyNot(facts, operation));
  const seen = words(facts, one);
  if (fault) return inconclusive(expected, seen, fault);
  if (isTaken(one.attempt)) {
    return inconclusive(expected, seen, 'it was then accepted also at the length at which it had been refused');
  }
  return refusedWithRoom(facts, one, expected, seen, context);
}

/** Only where the target itself says that the queue is shorter, and nothing else can have refused, is it broken. */
function refusedWithRoom(
  facts: QueueFacts,
  one: QueueReopening,
  expected: string,
  seen: string,
  context: Comparison,
): Claim {
  const { attempt, countAfter } = one;
  if (attempt.outcome !== 'refused')
    return inconclusive(expected, seen, 'the answer was neither an acceptance nor a refusal');
  if (attempt.queuedMax > facts.border)
    return inconclusive(expected, seen, 'the queue was not certainly within its limit');
  // The rule is the same for both operations.
  const before = facts.attempts.some((earlier) => isTaken(earlier) && earlier.queuedMin >= attempt.queuedMax);
  if (!before) return inconclusive(expected, seen, 'nothing was accepted at this length before either');
  if (!facts.lengthKnown) return inconclusive(expected, seen, 'jobs of others may have been queued before');
  if (countAfter === null)
    return inconclusive(expected, seen, 'health does not show whether the queue had become shorter');
  if (countAfter > facts.border)
    return inconclusive(expected, seen, grouped`health still counted ${countAfter} queued`);
  if (attempt.persisted !== true) {
    return inconclusive(
      expected,
      seen,
      'it was not refused any more an idle window later, so a rate limit may have refused',
    );
  }
  const other = otherRefuser(attempt, facts, context);
  return other ? inconclusive(expected, seen, other) : broken(expected, `${seen}, also after an idle window`);
}

function words(facts: QueueFacts, { attempt, freed, refusedAt }: QueueReopening): string {
  const before = Number.isFinite(refusedAt.max) ? grouped`refused with ${refusedAt.max} queued; ` : '';
  const after = isTaken(attempt)
    ? 'accepted'
    : attempt.outcome === 'refused'
      ? 'refused'
      : `answered ${attempt.status}`;
  return grouped`${where(facts)}: ${before}${freed} cancelled; ${after} with ${attempt.queuedMax}`;
}

function whyNot(facts: QueueFacts, operation: string): string {
  const refused = facts.attempts.some((one) => one.operation === operation && one.outcome === 'refused');
  return refused
    ? 'no queued job could be cancelled so that the queue became shorter'
    : `${operation} was never refused, so no refusal could end`;
}
