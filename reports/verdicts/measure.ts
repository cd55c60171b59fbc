/**
 * The limit that is really enforced, from the facts of one probe: a point when the evidence allows, else an interval.
 * Nothing here says whether that is right.
 */
import type { ConcurrencyFacts, QueueAttempt, QueueFacts, RateFacts } from '../../schemas/facts.ts';
import { type Bounds, mayHaveBoundaries, type RatePart } from '../../schemas/rate-facts.ts';

/** `lower` equals `upper` for a point; `upper` is null when no bound was found. Units are the limit's own. */
export interface Measured {
  readonly lower: number;
  readonly upper: number | null;
}

/** Of several measurements of one limit the one that says most: a point before an interval, a bound before none. */
export function narrowest(all: readonly (Measured | null)[]): Measured | null {
  const width = (one: Measured) => (one.upper === null ? Infinity : one.upper - one.lower);
  const known = all.filter((one): one is Measured => one !== null);
  return known.sort((a, b) => width(a) - width(b) || b.lower - a.lower)[0] ?? null;
}

/** Both stages of a burst together. */
export function burstTotals({ burst, over }: Pick<RateFacts, 'burst' | 'over'>) {
  const sent = burst.sent + over.sent;
  const admitted = burst.admitted + over.admitted;
  const refused = burst.refused + over.refused;
  const toMs = Math.max(burst.toMs, over.toMs);
  return { sent, admitted, refused, unclear: sent - admitted - refused, spanMs: toMs - burst.fromMs };
}

/**
 * Requests per window. null when the burst took longer than a window, since then the window moved on meanwhile, and
 * when none of it was admitted.
 * What a token bucket refilled during the burst was taken off by the analysis; a fixed window whose boundary fell into
 * the first burst is found by the second, so the smaller of the two counts.
 */
export function measureRate(facts: RateFacts): Measured | null {
  const second = usableSecond(facts);
  // What the first burst lacked another time than right after two idle windows, older requests were still counted for.
  if (second && isEstimate(facts) && facts.burst.refusedWithinLimit > 0) {
    // More than the limit came of two windows of it, as a boundary fell into it.
    const least = second.admitted > facts.limit ? Math.ceil(second.admitted / 2) : second.admitted;
    return { lower: least, upper: second.admitted + second.unclear };
  }
  const first = burstTotals(facts);
  if (first.spanMs >= facts.windowMs || first.admitted === 0) return null;
  // A boundary in the burst, and a bucket that is refilled meanwhile, let through up to twice the limit.
  if (first.refused === 0)
    return { lower: Math.max(Math.min(first.admitted, facts.limit), Math.ceil(first.admitted / 2)), upper: null };
  const size = facts.algorithm === 'token-bucket' ? facts.bucket?.size : undefined;
  if (size && size.lower <= size.upper) {
    const upper = isDocumentedSize(facts) ? facts.limit : size.upper;
    return { lower: size.lower, upper: upper + first.unclear };
  }
  const smaller = second && second.admitted < first.admitted;
  const { admitted, unclear } = smaller ? second : first;
  // A boundary may have let some of it through, unless one of the bursts surely met none; and so may a bucket's refill.
  const refilled = mayRefill(facts) ? fastestRefill(facts, smaller ? second.spanMs : first.spanMs) : 0;
  const had = Math.max(1, admitted - refilled);
  const likeLog = facts.algorithm === 'sliding-log' && !isTroubled(facts);
  const isLog = likeLog && (first.admitted <= facts.limit || second?.admitted === admitted);
  const noBoundary = isLog || second?.clear === true;
  // What is more than the limit has to be seen twice: on a busy machine a boundary may pass unnoticed.
  const sure = admitted <= facts.limit || second?.admitted === admitted;
  const clear = noBoundary || (facts.betweenBoundaries && !smaller && sure);
  // Two windows may have had a part in it, each with as much as the limit; and nobody knows of what is like nothing.
  // Refused within the limit after an idle window, and yet admitted up to it: then something came back meanwhile.
  const isSplit = facts.burst.refusedWithinLimit > 0 && admitted >= facts.limit;
  const isOdd = facts.couldBe.length === 0 && admitted > facts.limit;
  const twoWindows = isSplit || ((mayHaveBoundaries(facts) || isOdd) && !clear);
  const least = twoWindows ? Math.ceil(had / 2) : had;
  const lower = noBoundary ? had : Math.min(least, facts.limit);
  const beyond = second ? moreTwice(facts, [first, second]) : 0;
  return { lower: Math.max(lower, beyond), upper: Math.max(admitted + unclear, pacedWithout(facts)) };
}

/**
 * What a pace of which nothing was refused had in a window, where nothing that is known is behind the limit: a burst that
 * came to less was then cut short by something else, such as slots that are freed late.
 */
function pacedWithout({ couldBe, pace }: RateFacts): number {
  const isWhole = pace.sent > 0 && pace.admitted === pace.sent;
  return couldBe.length === 0 && isWhole ? Math.min(pace.fullestEarly, pace.fullestLate) : 0;
}

/**
 * Both bursts came to exactly the documented size of a bucket, unless a larger one lost something while it was full: it
 * would have had to stall behind the first request both times, for as long as makes it look so.
 */
function isDocumentedSize({ bucket, confirmation, limit }: RateFacts): boolean {
  const isLimit = (one: Bounds | undefined): boolean => one?.lower === limit && one.upper === limit;
  return isLimit(bucket?.likely) && isLimit(confirmation?.likelySize);
}

/**
 * What both of two bursts got beyond what comes back meanwhile, where that is more than the limit, and no boundary of
 * windows was behind it; else 0. So it is whatever else it is like: two processes that count for themselves, each with a
 * share that chance decides, are like nothing. Bursts that are apart in the documented windows may both meet a boundary of
 * others.
 */
function moreTwice(facts: RateFacts, bursts: readonly ReturnType<typeof burstTotals>[]): number {
  if (!facts.confirmation?.apart || !facts.confirmation.noBoundary) return 0;
  const without = (refills: number) =>
    Math.min(...bursts.map(({ admitted, spanMs }) => admitted - refills * (refillIn(facts, spanMs) + 1)));
  // What is larger gets more back too.
  return without(1) > facts.limit ? Math.max(facts.limit + 1, without(2)) : 0;
}

/**
 * It behaved as documented the second time alone, and then like what gets some back meanwhile: what it was like the
 * first time is no evidence of how it counts.
 */
export const isTroubled = ({ likeDocumented, confirmation }: RateFacts): boolean =>
  likeDocumented === false &&
  confirmation?.likeDocumented === true &&
  (confirmation.couldBe ?? []).includes('token-bucket');

/**
 * Whether it refuses within the limit as a sliding counter of the documented window does, which estimates how many
 * requests of its last window still count: its burst was admitted whole, at least right after two idle windows.
 */
export function isEstimate({ couldBe, likeDocumented, burst, confirmation, limit }: RateFacts): boolean {
  const isCounter = [{ couldBe, likeDocumented }, confirmation].some(
    (one) => one?.likeDocumented === true && one.couldBe?.includes('sliding-counter'),
  );
  const isWhole = (one: RatePart | undefined) => one?.refusedWithinLimit === 0 && one.admitted === limit;
  return isCounter && (isWhole(burst) || isWhole(confirmation?.burst));
}

/** The second burst, where there was one that was exhausted within a window. */
function usableSecond({ confirmation, windowMs, likeDocumented }: RateFacts) {
  if (!confirmation) return undefined;
  const totals = burstTotals(confirmation);
  // Two bursts that are apart in windows of the documented length may both meet a boundary of shorter ones.
  const clear = likeDocumented === true && (confirmation.betweenBoundaries || confirmation.apart);
  // One that was refused whole shows what others had spent, and no value.
  const tells = totals.refused > 0 && totals.admitted > 0 && totals.spanMs < windowMs;
  return tells ? { ...totals, clear } : undefined;
}

/** Whole requests that a bucket of the limit gets back in this time, ms. */
export function refillIn({ limit, windowMs }: Pick<RateFacts, 'limit' | 'windowMs'>, ms: number): number {
  return Math.floor((limit * ms) / windowMs);
}

/** The same of one that may be refilled faster, as far as what was seen allows it. */
function fastestRefill({ limit, windowMs, fittedWindows }: RateFacts, ms: number): number {
  return refillIn({ limit, windowMs: Math.min(windowMs, fittedWindows?.lower ?? windowMs) }, ms);
}

/** Whether a bucket may be behind the limit, so that some of what was admitted had come in meanwhile. */
export function mayRefill({ algorithm, couldBe }: Pick<RateFacts, 'algorithm' | 'couldBe'>): boolean {
  return algorithm === 'unknown' && (couldBe.length === 0 || couldBe.includes('token-bucket'));
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
export function measureQueue(facts: QueueFacts, operation: 'run' | 'runsync'): Measured | null {
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
