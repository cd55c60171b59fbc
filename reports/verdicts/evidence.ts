/** What weakens evidence whatever it seems to show: a generator that stumbled, answers that say nothing. */
import type { ConcurrencyFacts, GeneratorHealth, LoadFacts, RateFacts, StatusCounts } from '../../schemas/facts.ts';
import { type Claim, unclear } from './claim.ts';
import { measureRate } from './measure.ts';

/**
 * A wall clock that moved further than this while a probe ran: k6 has no other clock, so its windows are then longer
 * or shorter than they look. A clock that is kept in step by its system drifts by less in the minutes a probe takes.
 */
export const CLOCK_STEP_MS = 50;

/**
 * A sender that holds requests open waits so long for their answers before it releases them. When it was kept from
 * running for as long itself, an answer may have lain unread meanwhile.
 */
export const LOOP_STALL_MS = 300;

/**
 * The claims that the ledger behind them carries. Requests counted in windows, or at the same time, are counted wrongly
 * where some are missing from the ledger or stand at other times in it: then neither what was kept nor what was broken
 * is shown. What single answers show (a body, a queue) is left to those who judge it.
 */
export function carried(facts: LoadFacts, claims: Record<string, Claim>): Record<string, Claim> {
  if (facts.kind !== 'rate' && facts.kind !== 'concurrency') return claims;
  const broken = brokenLedger(facts.health) ?? tooFewSent(facts.health) ?? stalledSender(facts);
  const overload = facts.kind === 'rate' ? maybeOverload(facts) : undefined;
  const gated = Object.entries(claims).map(([id, claim]): [string, Claim] => {
    const why = judged.includes(claim.verdict) ? broken : undefined;
    const unseen = claim.verdict === 'broken' && /\.(guarantee|shared)$/.test(id) ? unseenSends(facts) : undefined;
    const misread = claim.verdict === 'broken' && id.endsWith('.enforced') ? misreadAlgorithm(facts) : undefined;
    const doubt = why ?? unseen ?? misread ?? (claim.verdict === 'holds' ? overload : undefined);
    return [id, doubt === undefined ? claim : unclear(claim.expected, claim.observed, doubt)];
  });
  return Object.fromEntries(gated);
}

/** What else is missing is missing for the same reason, and a reason found further on would only lead astray. */
const judged: readonly Claim['verdict'][] = ['holds', 'broken', 'inconclusive'];

/** For each answer that is missing: how many refusals within the limit are put down to what the target saw unseen. */
const UNSEEN_EACH = 10;

/**
 * Why requests may have been refused that were within the limit as far as they are known. Where connections break, k6
 * (that is, Go) sends a GET again without a word whenever it had gone out on a connection that was used before, so the
 * target may have counted it twice; and one that was given up may reach the target any time later.
 */
function unseenSends(facts: RateFacts | ConcurrencyFacts): string | undefined {
  const { unanswered, sent, unansweredError } = facts.health;
  if (unanswered === 0 || facts.refusedWithinLimit > UNSEEN_EACH * unanswered) return undefined;
  return `${unanswered} of ${sent} requests got no answer (${unansweredError}), and the target may have seen such requests twice or late`;
}

/**
 * Why these refusals may be no limit's: a target that is down for a moment answers 503 too. A limit that refuses so does
 * it each time it is exhausted, and not while a client keeps within it.
 */
function maybeOverload({ burst, over, pace, again }: RateFacts): string | undefined {
  const refused = burst.refused + over.refused;
  const others = [burst, over]
    .flatMap(({ statuses }) => Object.keys(statuses))
    .filter((status) => OVERLOAD.test(status));
  const as429 = (burst.statuses['429'] ?? 0) + (over.statuses['429'] ?? 0);
  if (refused === 0 || as429 > 0 || others.length === 0) return undefined;
  const sameAgain = again !== null && again.refused > 0 && again.statuses['429'] === undefined;
  const eachTime = sameAgain && pace.sent > 0 && pace.refused === 0;
  return eachTime ? undefined : `all ${refused} were refused with ${others[0]}, which an overload answers too`;
}

const OVERLOAD = /^5/;

/**
 * Why what came back when does not show how this limit counts: some refusals were another's, or some answers are
 * missing, as from a target that has forgotten meanwhile what it had counted. More admitted than the limit stays more.
 */
function misreadAlgorithm(facts: RateFacts | ConcurrencyFacts): string | undefined {
  if (facts.kind !== 'rate') return undefined;
  const { refusals, health } = facts;
  const others = Object.keys(refusals.statuses).filter((status) => OVERLOAD.test(status));
  if (refusals.statuses['429'] !== undefined && others.length > 0) {
    return `refused with ${statusText(refusals.statuses)}, and an overload answers so too`;
  }
  const admittedMore = (measureRate(facts)?.lower ?? 0) > facts.limit;
  return health.unanswered === 0 || admittedMore
    ? undefined
    : `${health.unanswered} of ${health.sent} requests got no answer (${health.unansweredError}), so what it counted is not known`;
}

/** Why this ledger carries no verdict that rests on all of it, or undefined when it does. */
export function generatorFault(health: GeneratorHealth): string | undefined {
  return brokenLedger(health) ?? tooFewSent(health) ?? lateSends(health);
}

function tooFewSent({ sent, planned }: GeneratorHealth): string | undefined {
  return sent < planned ? `only ${sent} of ${planned} planned requests were sent` : undefined;
}

/**
 * Why this ledger carries no verdict at all, neither that a promise is kept nor that it is broken: what the target got
 * may be more than what is written here, or at other times. Sending less than planned is no such reason.
 */
export function brokenLedger(health: GeneratorHealth): string | undefined {
  const { lost } = health;
  // First, since a last line that could not be written makes the probe look cut off.
  if (lost) return `${lost.lines} lines of its ledger could not be written (${lost.why})`;
  if (!health.complete) return `the probe was cut off after ${health.sent} of ${health.planned} requests`;
  if (health.unreadable > 0) return `${health.unreadable} lines of its ledger are unreadable`;
  if (Math.abs(health.clockStepMs) > CLOCK_STEP_MS) return `the clock stepped by ${health.clockStepMs} ms meanwhile`;
  return undefined;
}

/**
 * Why what was sent is not the steady load that was planned. What all sends have in common is the way to the target,
 * which changes no window; what some are later than the others is the generator's. As many may be too late as may be
 * left out (see `leastRequests`).
 */
function lateSends({ lateness }: GeneratorHealth): string | undefined {
  if (lateness?.roomMs === undefined) return undefined;
  const apartMs = lateness.p95Ms - lateness.p50Ms;
  if (apartMs <= lateness.roomMs) return undefined;
  return `one send in twenty was ${Math.round(apartMs)} ms later than usual, and the pace leaves ${Math.round(lateness.roomMs)} ms`;
}

function stalledSender(facts: RateFacts | ConcurrencyFacts): string | undefined {
  const stallMs = facts.health.machine?.loopLagMs ?? 0;
  if (facts.kind !== 'concurrency' || facts.technique !== 'held-body' || stallMs < LOOP_STALL_MS) return undefined;
  return `the sender was kept from running for ${Math.round(stallMs)} ms, so answers may have lain unread`;
}

/** Why this ledger cannot show that something never happens: a request whose answer nobody saw. */
export function missingAnswers(health: GeneratorHealth, unclear: number): string | undefined {
  if (health.unanswered > 0) {
    return `${health.unanswered} of ${health.sent} requests got no answer (${health.unansweredError || 'no error given'})`;
  }
  return unclearAnswers(unclear);
}

/** The same where the requests in question were counted one by one. */
export function unclearAnswers(count: number): string | undefined {
  return count > 0 ? `${count} answers were neither an admission nor a refusal` : undefined;
}

/** `200 x 5, 429 x 1`. */
export function statusText(statuses: StatusCounts): string {
  const parts = Object.entries(statuses).map(
    ([status, count]) => `${status === '0' ? 'no answer' : status} x ${count}`,
  );
  return parts.join(', ') || 'nothing';
}
