/**
 * What trouble takes from the claims on rates and on requests at once, whatever judged them: a ledger that is not whole,
 * answers that nobody saw, refusals that may be an outage's. In one place, so that no judge can forget any of it.
 */
import type { ConcurrencyFacts, LoadFacts, RateFacts, StatusCounts } from '../../schemas/facts.ts';
import { carriedOfQueue } from './carried-queue.ts';
import { type Claim, unclear } from './claim.ts';
import { brokenLedger, statusText, tooFewSent } from './evidence.ts';
import { measureRate } from './measure.ts';

/**
 * A sender that holds requests open waits so long for their answers before it releases them. When it was kept from
 * running for as long itself, an answer may have lain unread meanwhile.
 */
export const LOOP_STALL_MS = 300;

/**
 * The claims that the ledger behind them carries. Requests counted in windows, or at the same time, are counted wrongly
 * where some are missing from the ledger or stand at other times in it: then neither what was kept nor what was broken
 * is shown. What single answers show (a body) is left to those who judge it.
 */
export function carried(facts: LoadFacts, claims: Record<string, Claim>): Record<string, Claim> {
  if (facts.kind === 'queue') return carriedOfQueue(facts, claims);
  if (facts.kind !== 'rate' && facts.kind !== 'concurrency') return claims;
  const broken = brokenLedger(facts.health) ?? tooFewSent(facts.health) ?? stalledSender(facts);
  const overload = facts.kind === 'rate' ? maybeOverload(facts) : maybeOverloadAtOnce(facts);
  const gated = Object.entries(claims).map(([id, claim]): [string, Claim] => {
    const why = judged.includes(claim.verdict) ? broken : undefined;
    const unseen = claim.verdict === 'broken' && /\.(guarantee|shared)$/.test(id) ? unseenSends(facts) : undefined;
    const misread = claim.verdict === 'broken' ? misreadRefusals(id, facts) : undefined;
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

/**
 * The same of requests at once: a limit that refuses with 503 refuses each one beyond it and none within, and those that
 * it let in are answered as ever, as is whoever asks in between.
 */
function maybeOverloadAtOnce({ within, beyond, refusals, arrivedTogether }: ConcurrencyFacts): string | undefined {
  if (refusals.statuses['429'] !== undefined || !hasOverload(refusals.statuses)) return undefined;
  const exactly = beyond.opened > 0 && beyond.refusedEarly === beyond.opened && within.held === within.opened;
  return exactly && arrivedTogether
    ? undefined
    : `refused with ${statusText(refusals.statuses)}, which an overload answers too`;
}

const OVERLOAD = /^5/;
const hasOverload = (statuses: StatusCounts): boolean => Object.keys(statuses).some((status) => OVERLOAD.test(status));

/** Why a break that rests on refusals rests on the wrong ones. */
function misreadRefusals(id: string, facts: RateFacts | ConcurrencyFacts): string | undefined {
  if (id.endsWith('.enforced')) return misreadAlgorithm(facts);
  const { statuses } = facts.refusals;
  return id.endsWith('.freed') && hasOverload(statuses)
    ? `refused with ${statusText(statuses)}, and an overload answers so too`
    : undefined;
}

/**
 * Why what came back when does not show how this limit counts: some refusals were another's, or some answers are
 * missing, as from a target that has forgotten meanwhile what it had counted. More admitted than the limit stays more.
 */
function misreadAlgorithm(facts: RateFacts | ConcurrencyFacts): string | undefined {
  if (facts.kind !== 'rate') return undefined;
  const { refusals, health } = facts;
  if (refusals.statuses['429'] !== undefined && hasOverload(refusals.statuses)) {
    return `refused with ${statusText(refusals.statuses)}, and an overload answers so too`;
  }
  const admittedMore = (measureRate(facts)?.lower ?? 0) > facts.limit;
  return health.unanswered === 0 || admittedMore
    ? undefined
    : `${health.unanswered} of ${health.sent} requests got no answer (${health.unansweredError}), so what it counted is not known`;
}

function stalledSender(facts: RateFacts | ConcurrencyFacts): string | undefined {
  const stallMs = facts.health.machine?.loopLagMs ?? 0;
  if (facts.kind !== 'concurrency' || facts.technique !== 'held-body' || stallMs < LOOP_STALL_MS) return undefined;
  return `the sender was kept from running for ${Math.round(stallMs)} ms, so answers may have lain unread`;
}
