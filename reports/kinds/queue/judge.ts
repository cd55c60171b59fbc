/** Facts of a queue probe -> claims on the queue rule (spec part 7, design part 5). */
import type { QueueAttempt, QueueFacts } from '../../../schemas/facts.ts';
import { type QueueLimit, submittingOf } from '../../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../../schemas/load-checks.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, unclear } from '../../verdicts/claim.ts';
import { type Beside, isTaken, otherRefuser, unknownQueue, where } from './evidence.ts';
import { lengthsTried } from './lengths.ts';
import { queueRefusals } from './measure.ts';
import { purgeClears, purgeKeepsRunning } from './purge.ts';
import { reopens } from './reopens.ts';

export function judgeQueue(facts: QueueFacts, limits: readonly QueueLimit[], context: Beside): Record<string, Claim> {
  const claims: Record<string, Claim> = {};
  for (const limit of limits) {
    const operation = submittingOf(limit);
    const own = facts.attempts.filter((one) => one.operation === operation);
    claims[`${limit.id}.guarantee`] = guarantee(facts, own, context);
    claims[`${limit.id}.enforced`] = enforced(facts, own, limit, context);
    claims[`${limit.id}.reopens`] = reopens(facts, operation, context);
    claims[`${limit.id}.lengths`] = lengthsTried(facts, operation);
  }
  claims[PURGE_CLEARS] = purgeClears(facts, context);
  if (facts.workersMax > 0) claims[PURGE_KEEPS_RUNNING] = purgeKeepsRunning(facts);
  return claims;
}

/**
 * A refusal at a queue of the border itself may be right, since the rule may count the new job too; one below it is
 * not. The longest queue is what was accepted and not finished, so a refusal below the border holds whatever else.
 */
function guarantee(facts: QueueFacts, own: readonly QueueAttempt[], context: Beside): Claim {
  const expected = grouped`${where(facts)}: no refusal while the queue is within ${facts.border}`;
  const early = queueRefusals(facts).filter((one) => own.includes(one) && one.queuedMax < facts.border);
  const passed = own.filter((one) => isTaken(one) && one.queuedMax <= facts.border);
  const deepest = passed.reduce((most, one) => Math.max(most, one.queuedMin), -1);
  const seen =
    passed.length === 0
      ? `${where(facts)}: not tried within the limit`
      : grouped`${where(facts)}: accepted with ${deepest} queued`;
  if (early.length > 0) {
    const least = Math.min(...early.map((one) => one.queuedMax));
    const refused = grouped`${where(facts)}: refused with ${least} queued`;
    if (!facts.lengthKnown) return unclear(expected, refused, 'jobs of others may have been queued before');
    const others = early.map((one) => otherRefuser(one, facts, context));
    const [other] = others;
    return other && others.every(Boolean) ? unclear(expected, refused, other) : broken(expected, refused);
  }
  const unknown = unknownQueue(facts);
  if (unknown) return unclear(expected, seen, unknown);
  const name = own[0]?.operation ?? 'it';
  const open = own.find((one) => one.outcome === 'refused' && one.persisted === null && one.queuedMax < facts.border);
  if (open)
    return unclear(expected, seen, grouped`${name} was refused with ${open.queuedMax} queued, and not tried again`);
  if (deepest < facts.border - 1) {
    return unclear(
      expected,
      seen,
      grouped`${name} was not accepted with ${facts.border - 1} queued, nor refused for that`,
    );
  }
  return holds(expected, seen);
}

/** Far beyond the border a refusal does not show that it begins there. */
function refusedBeyond({ queuedMin, queuedMax }: QueueAttempt, facts: QueueFacts, expected: string): Claim {
  const seen = grouped`${where(facts)}: refused with ${queuedMin} queued`;
  const first = facts.border + 1;
  // A `runsync` in silence is one of ours that may be waiting or not; of one that was lost even that is not known.
  const silent = facts.attempts.filter((one) => one.outcome === 'unanswered-yet' && !isTaken(one)).length;
  if (queuedMin <= first && queuedMax - silent <= first) return holds(expected, seen);
  return unclear(
    expected,
    seen,
    grouped`up to ${queuedMax} were queued then, and nothing shows a refusal with ${first}`,
  );
}

/**
 * Answers of another status. Without an answer nothing is known, one of them may be a mishap, and some in a row a moment
 * in which a gateway answered; unless it was the same after an idle window, and nothing else was answered so.
 */
const OTHER_ANSWERS = 2;
const isAnother = (others: readonly QueueAttempt[], { outage }: QueueFacts): boolean =>
  others.length >= OTHER_ANSWERS && outage === undefined && others.some(({ persisted }) => persisted === true);

function enforced(facts: QueueFacts, own: readonly QueueAttempt[], limit: QueueLimit, context: Beside): Claim {
  const expected = grouped`${where(facts)}: ${limit.status} when the queue is beyond ${facts.border}`;
  const unknown = unknownQueue(facts);
  if (unknown) return unclear(expected, grouped`${where(facts)}: ${own.length} submissions`, unknown);
  const beyond = own.filter((one) => one.queuedMin > facts.border);
  const [taken] = beyond.filter(isTaken);
  if (taken) return broken(expected, grouped`${where(facts)}: accepted with ${taken.queuedMin} queued`);
  const refusals = queueRefusals(facts).filter((one) => own.includes(one) && one.queuedMax >= facts.border);
  const [refused] = refusals
    .filter((one) => !otherRefuser(one, facts, context))
    .sort((a, b) => a.queuedMax - b.queuedMax);
  if (refused) return refusedBeyond(refused, facts, expected);
  const others = beyond.filter((one) => one.outcome === 'other' && one.status > 0);
  const seen = grouped`${where(facts)}: ${beyond.length} submissions beyond the limit`;
  if (isAnother(others, facts) && others.length === beyond.length) {
    return broken(
      expected,
      grouped`${where(facts)}: answered ${others[0]?.status} with ${others[0]?.queuedMin} queued`,
    );
  }
  const [other] = refusals.flatMap((one) => otherRefuser(one, facts, context) ?? []);
  if (other) return unclear(expected, seen, other);
  const why = beyond.length > 0 ? 'none of them was clearly accepted or refused' : 'the queue was not filled beyond';
  return unclear(expected, seen, beyond.length > 0 ? why : grouped`${why} ${facts.border}`);
}
