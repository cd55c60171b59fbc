/** Facts of a queue probe -> claims on the queue rule (spec part 7). */
import type { QueueAttempt, QueueFacts, QueuePurge } from '../../../schemas/facts.ts';
import { type QueueLimit, submittingOf } from '../../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../../schemas/load-checks.ts';
import type { Submitting } from '../../../schemas/operations.ts';
import { isSuccess } from '../../../schemas/status.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import { generatorFault } from '../../verdicts/evidence.ts';
import { type Comparison, isTaken, otherRefuser, unknownQueue, where } from './evidence.ts';
import { queueRefusals } from './measure.ts';
import { reopens } from './reopens.ts';

// Facts of a queue probe -> claims on what a purge does to queued and to running jobs (spec part 4.2).

const TOO_MANY = 429;
/** A few show nothing: the response named no id, or a worker has just taken them. */
const MOST_OF_ALL = 0.95;

/** Right after its answer: a purge that still goes on then has not cleared what it said. */
export function purgeClears(facts: QueueFacts, context: Pick<Comparison, 'rateFloor'>): Claim {
  const expected = 'all queued jobs gone when the purge is answered, and the next submission accepted';
  const { purge } = facts;
  if (!purge) {
    const why = generatorFault(facts.health) ?? 'the queue was never purged';
    return inconclusive(expected, `${where(facts)}: not reached`, why);
  }
  const seen = `${where(facts)}: ${words(purge)}`;
  if (purge.status === TOO_MANY) return inconclusive(expected, seen, 'the purge itself was refused');
  if (purge.status === 0) return inconclusive(expected, seen, 'the purge got no answer');
  if (purge.queuedBefore === 0 || purge.sampled === 0) {
    return inconclusive(expected, seen, 'no queued job could be polled');
  }
  if (purge.cleared < purge.sampled) return broken(expected, seen);
  const { sampled, notReported = 0 } = purge;
  if (sampled < MOST_OF_ALL * (sampled + notReported)) {
    const jobs = grouped`${notReported} of ${sampled + notReported} jobs`;
    return inconclusive(
      expected,
      seen,
      `the queue may have become empty by itself: ${jobs} had run, or their status had no state`,
    );
  }
  if (sampled < MOST_OF_ALL * purge.queuedBefore && (purge.countAfter ?? 0) > 0) {
    const why = grouped`health still counted ${purge.countAfter} queued, and not all of ${purge.queuedBefore} were polled`;
    return inconclusive(expected, seen, why);
  }
  if (isSuccess(purge.nextStatus)) return holds(expected, seen);
  const allowed = context.rateFloor('run');
  if (purge.nextStatus === 0) return inconclusive(expected, seen, 'the next submission got no answer');
  if (purge.nextStatus === TOO_MANY && purge.sentInWindow > allowed) {
    return inconclusive(
      expected,
      seen,
      grouped`the rate limit, ${allowed} per window, explains it: ${purge.sentInWindow} were sent`,
    );
  }
  return broken(expected, seen);
}

function words({ status, queuedBefore, sampled, cleared, leftLater, nextStatus }: QueuePurge): string {
  const left = sampled - cleared;
  const later =
    leftLater === null ? '' : leftLater === 0 ? ', gone some time later' : grouped`, ${leftLater} also later`;
  const looked = grouped`${cleared} of ${sampled} polled were gone${left > 0 ? grouped`, ${left} still queued${later}` : ''}`;
  return grouped`purge answered ${status} with ${queuedBefore} queued; ${looked}; next submission ${nextStatus}`;
}

export function purgeKeepsRunning(facts: QueueFacts): Claim {
  const expected = 'every running job goes on, and one is seen to complete';
  const { purge } = facts;
  if (!purge || purge.status === TOO_MANY || purge.status === 0) {
    return inconclusive(expected, `${where(facts)}: not reached`, 'the queue was not purged');
  }
  const { running, runningKept, finished } = purge;
  const kept = running > 0 ? [grouped`${runningKept} of ${running} long jobs still running`] : [];
  const ended = finished === undefined ? [] : [`the one that was to end soon: ${finished}`];
  const seen = `${where(facts)}: ${[...kept, ...ended].join('; ') || 'no running job was polled'}`;
  if (runningKept < running) return broken(expected, seen);
  if (finished === 'completed') return holds(expected, seen);
  if (finished !== undefined && finished !== 'unknown') return broken(expected, seen);
  return inconclusive(expected, seen, 'no job that ran during the purge was seen to its end');
}

/**
 * The truth table of the queue rule as words: which lengths one operation was accepted at, and which refused. It shows
 * what was tried; whether that is right is the business of the guarantee and the enforcement.
 */
export function lengthsTried(facts: QueueFacts, operation: Submitting): Claim {
  const own = facts.attempts.filter((one) => one.operation === operation);
  const accepted = own.filter(isTaken);
  const refused = own.filter((one) => one.outcome === 'refused' && one.persisted === true);
  const expected = grouped`${where(facts)}: accepted up to ${facts.border} queued, refused from ${facts.border + 1}`;
  const seen = `${where(facts)}: accepted with ${ranges(accepted)} queued, refused with ${ranges(refused)}`;
  if (accepted.length + refused.length === 0) return inconclusive(expected, seen, 'nothing was accepted or refused');
  return holds(expected, seen);
}

/** Lengths as `0 to 50, 52`; `none` for none. Those submitted at the same moment met every length of theirs. */
export function ranges(attempts: readonly Pick<QueueAttempt, 'queuedMin' | 'queuedMax'>[]): string {
  const sorted = [...attempts].sort((a, b) => a.queuedMin - b.queuedMin);
  const runs: { readonly from: number; to: number }[] = [];
  for (const { queuedMin, queuedMax } of sorted) {
    const last = runs.at(-1);
    if (last && queuedMin <= last.to + 1) last.to = Math.max(last.to, queuedMax);
    else runs.push({ from: queuedMin, to: queuedMax });
  }
  return runs.map(({ from, to }) => (from === to ? grouped`${from}` : grouped`${from} to ${to}`)).join(', ') || 'none';
}

export function judgeQueue(
  facts: QueueFacts,
  limits: readonly QueueLimit[],
  context: Comparison,
): Record<string, Claim> {
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
 * not. The longest queue is what was accepted and not finished, so a refusal below the border is always a break.
 */
function guarantee(facts: QueueFacts, own: readonly QueueAttempt[], context: Comparison): Claim {
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
    if (!facts.lengthKnown) return inconclusive(expected, refused, 'jobs of others may have been queued before');
    const others = early.map((one) => otherRefuser(one, facts, context));
    const [other] = others;
    return other && others.every(Boolean) ? inconclusive(expected, refused, other) : broken(expected, refused);
  }
  const name = own[0]?.operation ?? 'it';
  const shut = name === 'run' ? refusedElsewhere(facts, context) : undefined;
  if (shut) return broken(expected, `${seen}; ${shut}`);
  const unknown = unknownQueue(facts);
  if (unknown) return inconclusive(expected, seen, unknown);
  const open = own.find((one) => one.outcome === 'refused' && one.persisted === null && one.queuedMax < facts.border);
  if (open)
    return inconclusive(
      expected,
      seen,
      grouped`${name} was refused with ${open.queuedMax} queued, and not tried again`,
    );
  if (deepest < facts.border - 1) {
    return inconclusive(
      expected,
      seen,
      grouped`${name} was not accepted with ${facts.border - 1} queued, nor refused for that`,
    );
  }
  return holds(expected, seen);
}

/** What no queue of its own explains: with this one full another is refused, and with this one purged it is not. */
function refusedElsewhere({ instId, elsewhere, purge }: QueueFacts, { rateFloor }: Comparison): string | undefined {
  const { requested = 0, refused = 0, laterStatus = 0 } = elsewhere ?? {};
  const mayBeRate = (purge?.sentInWindow ?? 0) + requested > rateFloor('run');
  if (!elsewhere || refused < requested || !isSuccess(laterStatus) || mayBeRate) return undefined;
  return grouped`${elsewhere.instId}, where none was queued, refused ${refused} of ${requested} while ${instId} was full, and none once that was purged`;
}

/** Far beyond the border a refusal does not show that it begins there. */
function refusedBeyond({ queuedMin, queuedMax }: QueueAttempt, facts: QueueFacts, expected: string): Claim {
  const seen = grouped`${where(facts)}: refused with ${queuedMin} queued`;
  const first = facts.border + 1;
  // A `runsync` in silence is one of ours that may be waiting or not; of one that was lost even that is not known.
  const silent = facts.attempts.filter((one) => one.outcome === 'unanswered-yet' && !isTaken(one)).length;
  if (queuedMin <= first && queuedMax - silent <= first) return holds(expected, seen);
  return inconclusive(
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

function enforced(facts: QueueFacts, own: readonly QueueAttempt[], limit: QueueLimit, context: Comparison): Claim {
  const expected = grouped`${where(facts)}: ${limit.status} when the queue is beyond ${facts.border}`;
  const unknown = unknownQueue(facts);
  if (unknown) return inconclusive(expected, grouped`${where(facts)}: ${own.length} submissions`, unknown);
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
  if (other) return inconclusive(expected, seen, other);
  const why = beyond.length > 0 ? 'none of them was clearly accepted or refused' : 'the queue was not filled beyond';
  return inconclusive(expected, seen, beyond.length > 0 ? why : grouped`${why} ${facts.border}`);
}
