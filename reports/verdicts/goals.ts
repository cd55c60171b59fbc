/**
 * Goals of the configuration -> claims. What counts is what a caller would have waited, from the moment a request was
 * due; what the load's own sender was late is in it and not the target's, so a goal is missed only where it is also
 * missed without that.
 */
import type { GeneratorHealth, LoadFacts } from '../../schemas/facts.ts';
import { type Goal, type GoalDeclaration, goalSubject } from '../../schemas/goals.ts';
import type { PacedRequests } from '../../schemas/latency.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { grouped } from '../../schemas/thousands.ts';
import { nearestRank, shares, sorted, valuesNeeded } from '../latency/percentiles.ts';
import { column, phasesIn } from '../latency/rows.ts';
import { tokenTimes } from '../latency/streams.ts';
import { broken, type Claim, holds, inconclusive, verdictOf } from './claim.ts';
import { brokenLedger } from './evidence.ts';

/** A sender that was late by more than this share of the goal may be the reason why it seems missed. */
const SHARE_OF_GOAL = 0.1;

export function judgeGoals(facts: readonly LoadFacts[], declared: readonly GoalDeclaration[]): ResultCheck[] {
  return declared.map(({ goal, id, title, clauses, level }) => {
    const claim = goal.measure === 'latency' ? latencyClaim(goal, facts) : streamClaim(goal, facts);
    const { expected, observed, reason } = claim;
    const verdict = verdictOf(claim, level);
    return { id, title, clauses, level, verdict, expected, observed, ...(reason ? { reason } : {}) };
  });
}

const time = (ms: number): string => `${ms < 10 ? ms.toFixed(2) : ms.toFixed(ms < 100 ? 1 : 0)} ms`;
const expectedOf = (goal: Goal): string => grouped`${goal.percentile} of ${goalSubject(goal)}: at most ${goal.ms} ms`;

/** Beyond any goal: what was never answered, or broke down. */
const NEVER = Number.POSITIVE_INFINITY;
const failing: readonly string[] = ['5xx', 'none'];

interface Evidence {
  readonly groups: readonly PacedRequests[];
  /** Moments at which nothing was sent. */
  readonly leftOut: number;
  /** Why a ledger in which they stand is none to judge by. */
  readonly fault: string | undefined;
}

function evidenceFor({ operation }: Goal, facts: readonly LoadFacts[]): Evidence {
  const phases = phasesIn(facts).filter(({ phase }) => phase.planned[operation] !== undefined);
  const all = phases.flatMap(({ phase }) => phase.requests.filter((one) => one.operation === operation));
  const planned = phases.reduce((sum, { phase }) => sum + (phase.planned[operation] ?? 0), 0);
  const sent = all.reduce((sum, { dueToEndMs }) => sum + dueToEndMs.length, 0);
  const health = (one: LoadFacts): GeneratorHealth[] =>
    (one.kind === 'rate' || one.kind === 'unlimited') && one.paced?.some(({ planned }) => operation in planned)
      ? [one.health]
      : [];
  const fault = facts
    .flatMap(health)
    .map(brokenLedger)
    .find((why) => why !== undefined);
  return { groups: all.filter(({ statusClass }) => statusClass !== '429'), leftOut: planned - sent, fault };
}

function latencyClaim(goal: Goal, facts: readonly LoadFacts[]): Claim {
  const expected = expectedOf(goal);
  const { groups, leftOut, fault } = evidenceFor(goal, facts);
  const answered = groups.filter(({ statusClass }) => !failing.includes(statusClass));
  const lost = groups.length === answered.length ? 0 : count(groups) - count(answered);
  const requests = count(groups);
  if (requests === 0)
    return inconclusive(expected, 'no paced request', `no paced load was sent to ${goal.operation}; ${REMEDY}`);
  const share = shares[goal.percentile];
  const asSeen = sorted([...column(answered, 'dueToEndMs'), ...new Array<number>(lost).fill(NEVER)]);
  const seenMs = nearestRank(asSeen, share);
  const beyond = lost > 0 ? grouped`, ${lost} of them without an answer or with a server error` : '';
  const observed = grouped`${Number.isFinite(seenMs) ? time(seenMs) : 'never'} over ${requests} requests${beyond}`;
  const needed = valuesNeeded[goal.percentile];
  if (requests < needed)
    return inconclusive(expected, observed, grouped`${goal.percentile} needs ${needed} requests; ${REMEDY}`);
  if (fault) return inconclusive(expected, observed, fault);
  // The worst there can be: what was left out would have taken forever.
  if (nearestRank(padded(asSeen, leftOut), share) <= goal.ms) return holds(expected, observed);
  if (seenMs <= goal.ms) {
    return inconclusive(
      expected,
      observed,
      grouped`${leftOut} more moments of the schedule came too late for a request to be sent`,
    );
  }
  const ownMs = nearestRank(column(groups, 'ownLateMs'), Math.min(share, OWN_SHARE));
  if (ownMs > goal.ms * SHARE_OF_GOAL) {
    return inconclusive(
      expected,
      observed,
      `the sender was ${time(ownMs)} late, more than a tenth of the goal; ${QUIETER}`,
    );
  }
  const withoutOwn = sorted([...answered.flatMap(withoutLateness), ...new Array<number>(lost).fill(NEVER)]);
  if (nearestRank(withoutOwn, share) > goal.ms) return broken(expected, observed);
  return inconclusive(expected, observed, `without the lateness of the sender it is within the goal; ${QUIETER}`);
}

const REMEDY = 'run the load of its limits too (profile gate or nightly, and no --only that deselects it)';
const QUIETER = 'run the load from a less busy machine';
/** The latest send of all is one accident. */
const OWN_SHARE = 0.99;

const count = (groups: readonly PacedRequests[]): number =>
  groups.reduce((sum, { dueToEndMs }) => sum + dueToEndMs.length, 0);
const padded = (values: Float64Array, more: number): Float64Array =>
  sorted([...values, ...new Array<number>(Math.max(0, more)).fill(NEVER)]);
const withoutLateness = ({ dueToEndMs, ownLateMs }: PacedRequests): number[] =>
  dueToEndMs.map((ms, index) => ms - (ownLateMs[index] ?? 0));

function streamClaim(goal: Goal, facts: readonly LoadFacts[]): Claim {
  const expected = expectedOf(goal);
  const { values, streams, answered, why, fault, stallMs } = tokenTimes(facts, goal.operation, goal.measure);
  if (values.length === 0)
    return inconclusive(expected, 'no token', why ?? `no stream of ${goal.operation} was read; ${REMEDY}`);
  const times = sorted(values);
  const seenMs = nearestRank(times, shares[goal.percentile]);
  const observed = grouped`${time(seenMs)} over ${times.length} ${goal.measure === 'first-token' ? 'streams' : 'tokens'}`;
  const needed = valuesNeeded[goal.percentile];
  if (times.length < needed)
    return inconclusive(expected, observed, grouped`${goal.percentile} needs ${needed} values`);
  if (fault) return inconclusive(expected, observed, fault);
  if (seenMs > goal.ms && stallMs > goal.ms * SHARE_OF_GOAL) {
    const stalled = `the reading process was stalled for ${time(stallMs)}, more than a tenth of the goal`;
    return inconclusive(expected, observed, `${stalled}; ${QUIETER}`);
  }
  if (seenMs > goal.ms) return broken(expected, observed);
  if (answered < streams)
    return inconclusive(expected, observed, grouped`${streams - answered} of ${streams} streams brought none`);
  return holds(expected, observed);
}
