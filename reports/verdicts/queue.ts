/** Facts of a queue probe -> claims on the queue rule and on purging (spec part 7, design part 5). */
import type { QueueAttempt, QueueFacts } from '../../schemas/facts.ts';
import type { QueueLimit } from '../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../schemas/load-checks.ts';
import { isSuccess } from '../../schemas/status.ts';
import { broken, type Claim, holds, unclear } from './claim.ts';
import { generatorFault } from './evidence.ts';
import { queueRefusals } from './measure.ts';

const PASSED: readonly string[] = ['accepted', 'unanswered-yet'];

export function judgeQueue(facts: QueueFacts, limits: readonly QueueLimit[]): Record<string, Claim> {
  const claims: Record<string, Claim> = {};
  for (const limit of limits) {
    const operation = limit.budget === 'runsync' ? 'runsync' : 'run';
    const own = facts.attempts.filter((one) => one.operation === operation);
    claims[`${limit.id}.guarantee`] = guarantee(facts, own);
    claims[`${limit.id}.enforced`] = enforced(facts, own, limit);
  }
  claims[PURGE_CLEARS] = purgeClears(facts);
  if (facts.workersMax > 0) claims[PURGE_KEEPS_RUNNING] = purgeKeepsRunning(facts);
  return claims;
}

const where = (facts: QueueFacts): string => `${facts.instId}, WorkersMax ${facts.workersMax}`;

/** Why the length of the queue is not known, or undefined when it is. */
function unknownQueue(facts: QueueFacts): string | undefined {
  if (facts.workersHeld < facts.workersMax) {
    return `only ${facts.workersHeld} of ${facts.workersMax} workers were seen busy with slow jobs, so queued jobs may have been started`;
  }
  return generatorFault(facts.health);
}

/**
 * A refusal at a queue of the border itself may be right, since the rule may count the new job too; one below it is
 * not. The longest queue is what was accepted and not finished, so a refusal below the border holds whatever else.
 */
function guarantee(facts: QueueFacts, own: readonly QueueAttempt[]): Claim {
  const expected = `${where(facts)}: no refusal while the queue is within ${facts.border}`;
  const refusals = queueRefusals(facts).filter((one) => own.includes(one));
  const early = refusals.filter((one) => one.queuedMax < facts.border);
  if (early.length > 0) {
    const least = Math.min(...early.map((one) => one.queuedMax));
    return broken(expected, `${where(facts)}: refused with ${least} queued`);
  }
  const passed = own.filter((one) => PASSED.includes(one.outcome) && one.queuedMax <= facts.border);
  const deepest = passed.reduce((most, one) => Math.max(most, one.queuedMin), -1);
  const seen =
    passed.length === 0
      ? `${where(facts)}: not tried within the border`
      : `${where(facts)}: accepted with ${deepest} queued`;
  const unknown = unknownQueue(facts);
  if (unknown) return unclear(expected, seen, unknown);
  const tooFew = own.some((one) => one.operation === 'run') ? deepest < facts.border - 1 : deepest < 0;
  if (tooFew)
    return unclear(expected, seen, `the queue was not filled to ${facts.border - 1} by ${own[0]?.operation ?? 'it'}`);
  return holds(expected, seen);
}

function enforced(facts: QueueFacts, own: readonly QueueAttempt[], limit: QueueLimit): Claim {
  const expected = `${where(facts)}: ${limit.status} when the queue is beyond ${facts.border}`;
  const unknown = unknownQueue(facts);
  const beyond = own.filter((one) => one.queuedMin > facts.border);
  const wrong = beyond.filter((one) => one.outcome !== 'refused');
  const refusals = queueRefusals(facts).filter((one) => own.includes(one) && one.queuedMax >= facts.border);
  if (unknown) return unclear(expected, `${where(facts)}: ${own.length} submissions`, unknown);
  if (wrong[0]) {
    const answer = wrong[0].status === 0 ? 'accepted (it waited)' : `answered ${wrong[0].status}`;
    return broken(expected, `${where(facts)}: ${answer} with ${wrong[0].queuedMin} queued`);
  }
  if (refusals[0]) return holds(expected, `${where(facts)}: refused with ${refusals[0].queuedMin} queued`);
  return unclear(
    expected,
    `${where(facts)}: not tried beyond the border`,
    `the queue was not filled beyond ${facts.border}`,
  );
}

function purgeClears(facts: QueueFacts): Claim {
  const expected = 'queued jobs gone, the next submission accepted';
  const { purge } = facts;
  if (!purge)
    return unclear(
      expected,
      `${where(facts)}: not reached`,
      generatorFault(facts.health) ?? 'the queue was never purged',
    );
  const seen = `${where(facts)}: purge answered ${purge.status} with ${purge.queuedBefore} queued; ${purge.cleared} of ${purge.sampled} sampled jobs gone; next submission ${purge.nextStatus}`;
  if (purge.status === 429) return unclear(expected, seen, 'the purge itself was refused');
  if (purge.queuedBefore === 0 || purge.sampled === 0)
    return unclear(expected, seen, 'no queued job could be looked at');
  const accepted = isSuccess(purge.nextStatus);
  return purge.cleared === purge.sampled && accepted ? holds(expected, seen) : broken(expected, seen);
}

function purgeKeepsRunning(facts: QueueFacts): Claim {
  const expected = 'every running job goes on';
  const { purge } = facts;
  if (!purge || purge.status === 429)
    return unclear(expected, `${where(facts)}: not reached`, 'the queue was not purged');
  const seen = `${where(facts)}: ${purge.runningKept} of ${purge.running} running jobs kept`;
  if (purge.running === 0) return unclear(expected, seen, 'no running job could be looked at');
  return purge.runningKept === purge.running ? holds(expected, seen) : broken(expected, seen);
}
