/** Facts of a rate probe -> claims on its guarantee, enforcement, sharing and form of refusal (design part 5, rate). */
import type { RateFacts } from '../../schemas/facts.ts';
import type { RateLimit } from '../../schemas/limits.ts';
import { broken, type Claim, holds, unclear } from './claim.ts';
import type { JudgingContext } from './context.ts';
import { generatorFault, statusText, unclearAnswers } from './evidence.ts';
import { judgeIndependence } from './independent.ts';
import { burstTotals, isEstimate, isTroubled, mayRefill, measureRate, refillIn } from './measure.ts';
import { behaviour, isStepped, kindsText, openFor, WINDOW_OFF, whyUnlike } from './rate-window.ts';

export function judgeRate(facts: RateFacts, limit: RateLimit, context: JudgingContext): Record<string, Claim> {
  const fault = generatorFault(facts.health);
  const claim = (judge: () => Claim, expected: string): Claim => {
    const judged = judge();
    // A stumbling generator cannot undo a refusal within the limit: that one was seen, and counted by worst case.
    return fault && judged.verdict === 'holds' ? unclear(expected, judged.observed, fault) : judged;
  };
  const within = `no refusal within ${limit.value} requests per ${limit.windowMs / 1000} s`;
  const beyond = `refusals beyond ${limit.value} requests per ${limit.windowMs / 1000} s`;
  return {
    [`${limit.id}.guarantee`]: claim(() => guarantee(facts, limit, context, within), within),
    [`${limit.id}.enforced`]: claim(() => enforced(facts, limit, beyond), beyond),
    ...(limit.operations.length > 1 ? { [`${limit.id}.shared`]: shared(facts, limit) } : {}),
    [`${limit.id}.independent`]: claim(() => judgeIndependence(facts, limit, context.rates), beyond),
    [`${limit.id}.refusal`]: refusalForm(facts.refusals, burstTotals(facts).refused),
  };
}

function guarantee(facts: RateFacts, limit: RateLimit, context: JudgingContext, expected: string): Claim {
  const { burst, pace } = facts;
  const refusedWithin = facts.refusedWithinLimit + (facts.confirmation?.burst.refusedWithinLimit ?? 0);
  const seen = `burst: ${burst.admitted} of ${burst.sent} admitted; pace: ${pace.admitted} of ${pace.sent} admitted, at most ${Math.max(pace.fullestEarly, pace.fullestLate)} in a window`;
  const byEstimate = refusedWithin > 0 && isEstimate(facts);
  const breaks = breaksOf(facts, limit, byEstimate ? 0 : refusedWithin);
  if (breaks.length > 0) {
    const others = breaks.map((one) => otherExplanation(facts, limit, context, one.outstanding));
    const proven = breaks.find((_, index) => others[index] === undefined);
    if (!proven) return unclear(expected, seen, others[0] ?? '');
    return broken(expected, `${proven.what}; ${seen}`);
  }
  if (byEstimate) return unclear(expected, seen, estimating(facts, limit, refusedWithin));
  const spanMs = burst.toMs - burst.fromMs;
  if (burst.sent < limit.value) return unclear(expected, seen, `the burst sent only ${burst.sent} requests`);
  if (spanMs >= limit.windowMs) {
    return unclear(
      expected,
      seen,
      `the burst took ${Math.round(spanMs)} ms, longer than a window: the target is too slow for it`,
    );
  }
  if (pace.sent === 0)
    return unclear(
      expected,
      seen,
      'nothing was sent at a steady pace, which the workers of this endpoint would not keep up with',
    );
  const unknown = burst.sent - burst.admitted - burst.refused + pace.sent - pace.admitted - pace.refused;
  const missing = unclearAnswers(unknown);
  if (missing) return unclear(expected, seen, `${missing} (${statusText(pace.statuses)})`);
  const open = perhapsWithin(facts, limit) ?? openFor('guarantee', facts);
  return open === undefined ? holds(expected, seen) : unclear(expected, seen, open);
}

/** Why it is not known whether what was refused was within the limit; undefined where it surely was not. */
function perhapsWithin({ pace }: RateFacts, { value }: RateLimit): string | undefined {
  if (pace.refusedUnexplained === 0) return undefined;
  return (
    `${pace.refusedUnexplained} requests of the pace were refused, and no more than ${value} seemed to have come within ` +
    'a window, but they took too long to be sure; a quicker target would tell'
  );
}

/**
 * A right value with refusals within it is how this kind of limiter is made. Nothing says how the documented windows are
 * counted, so it is neither kept for sure nor broken.
 */
function estimating({ confirmation }: RateFacts, { value, windowMs }: RateLimit, refusedWithin: number): string {
  const second = confirmation ? `; after two idle windows ${confirmation.burst.admitted} at once were admitted` : '';
  return (
    `${refusedWithin} refused within it, as a sliding counter of ${value} per ${windowMs / 1000} s does, which estimates ` +
    `how many requests of its last window still count${second}. To keep the limit for each window of that length, ` +
    'count each request (a sliding log) or allow more'
  );
}

/** What speaks against the guarantee, each with the jobs that may have been queued at that moment. */
function breaksOf(facts: RateFacts, limit: RateLimit, refusedWithin: number) {
  const { atRefusal, atRefusalWithin } = facts.outstandingOuter;
  const measured = measureRate(facts);
  const breaks: { what: string; outstanding: number }[] = [];
  if (refusedWithin > 0) breaks.push({ what: `${refusedWithin} refused within it`, outstanding: atRefusalWithin });
  // After an idle window every limiter that keeps the promise admits at least the limit, whatever else is sent.
  if (measured !== null && measured.upper !== null && measured.upper < limit.value) {
    breaks.push({ what: `no more than ${measured.upper} admitted in a window`, outstanding: atRefusal });
  }
  const shown = behaviour(facts);
  if (shown && shown.perWindow.upper < limit.value * (1 - WINDOW_OFF))
    breaks.push({ what: shown.text, outstanding: atRefusal });
  return breaks;
}

/** What else than this limit may have refused, or undefined when nothing else can have. */
function otherExplanation(
  facts: RateFacts,
  limit: RateLimit,
  context: JudgingContext,
  outstanding: number,
): string | undefined {
  const otherStatuses = Object.keys(facts.refusals.statuses).filter((status) => status !== '429');
  if (otherStatuses.length > 0) return `refused with ${otherStatuses.join(', ')}, which an overload answers too`;
  if (context.shared(facts.instId)) {
    return `others may use ${facts.instId} and its budget; run it on an endpoint of its own with --dedicated`;
  }
  const slots = context.concurrencyFloor(limit.budget);
  if (facts.inFlightOuter > slots) {
    return `up to ${facts.inFlightOuter} requests may have been in flight, and the concurrency limit lets ${slots} through`;
  }
  const queue = context.queueFloor(facts.instId);
  if (outstanding > queue) {
    return `up to ${outstanding} jobs may have been queued, and the queue refuses beyond ${queue}`;
  }
  return undefined;
}

function enforced(facts: RateFacts, limit: RateLimit, expected: string): Claim {
  const total = burstTotals(facts);
  const measured = measureRate(facts);
  const seen = `${total.admitted} of ${total.sent} admitted within ${Math.round(total.spanMs)} ms`;
  if (!measured) {
    const why =
      total.admitted === 0
        ? 'none was admitted, so it is not known what comes through'
        : `the burst took ${Math.round(total.spanMs)} ms, longer than a window of ${limit.windowMs} ms`;
    return unclear(expected, seen, why);
  }
  if (total.refused === 0) {
    // A fixed window lets twice the limit through across its boundary, and a bucket that starts full does too.
    if (total.admitted > 2 * limit.value) return broken(expected, `${seen}, none refused`);
    return unclear(expected, seen, `only more than ${2 * limit.value} at once would show that nothing is enforced`);
  }
  if (measured.lower > limit.value) return broken(expected, `refused only beyond ${measured.lower}; ${seen}`);
  const shown = behaviour(facts);
  // As exact as windows are known: half of the limit in half of its window is the limit.
  if (shown && shown.perWindow.lower > limit.value * (1 + WINDOW_OFF))
    return broken(expected, `${shown.text}; ${seen}`);
  if (measured.upper !== null && measured.upper > limit.value) return unclear(expected, seen, whyMore(facts, total));
  const isLike = facts.likeDocumented !== false || facts.confirmation?.likeDocumented || isStepped(facts);
  if (!isLike) return unclear(expected, seen, whyUnlike(facts, limit));
  const open = openFor('enforced', facts);
  if (open) return unclear(expected, seen, open);
  return holds(expected, `refused beyond ${measured.upper ?? measured.lower}; ${seen}${named(facts)}`);
}

/** What else than a larger limit may have let more through than the limit. */
function whyMore(facts: RateFacts, { unclear: unknown, spanMs }: ReturnType<typeof burstTotals>): string {
  if (unknown > 0) return `${unknown} requests were neither admitted nor refused`;
  const size = facts.algorithm === 'token-bucket' ? facts.bucket?.size : undefined;
  if (size) return `a token bucket of ${size.lower} to ${size.upper}: what came in meanwhile is not known closer`;
  if (mayRefill(facts)) {
    return `a bucket of ${facts.limit} refills ${refillIn(facts, spanMs)} meanwhile, so this may be one`;
  }
  if (isTroubled(facts))
    return 'it behaved like nothing that is documented the first time, and as documented the second';
  return facts.confirmation
    ? 'a boundary of fixed windows may have fallen into the second burst too; a quicker target would tell'
    : 'a limit whose windows have a boundary in the burst admits as much; a second burst would tell';
}

function named({ algorithm, couldBe }: RateFacts): string {
  const kinds = algorithm === 'unknown' ? couldBe : [algorithm];
  return kinds.length > 0 ? `; behaves like a ${kindsText(kinds)}` : '';
}

function shared(facts: RateFacts, limit: RateLimit): Claim {
  const expected = `with ${limit.operations[0]} exhausted, ${limit.operations.slice(1).join(' and ')} refused as well`;
  const seen = facts.siblings.map((one) => `${one.operation}: ${one.refused} of ${one.sent} refused`).join('; ');
  if (burstTotals(facts).refused === 0) return unclear(expected, seen, 'the budget could not be exhausted');
  if (facts.siblings.some((one) => one.sent === 0)) return unclear(expected, seen, 'a sibling got no answer');
  if (facts.siblings.every((one) => one.refused === one.sent)) return holds(expected, seen);
  const refilled = refilledFor(facts);
  if (refilled !== undefined) return holds(expected, `${seen}; the bucket got ${refilled} back meanwhile`);
  const reason = 'the budget came back while the siblings were asked';
  return wasExhausted(facts) ? broken(expected, seen) : unclear(expected, seen, reason);
}

/**
 * What a token bucket gets back while the siblings are asked, where it is behind the limit and that is all they were
 * served, and each of them was refused as well: a budget of its own would have served all that few.
 */
function refilledFor(facts: RateFacts): number | undefined {
  const { siblings, over, algorithm } = facts;
  const served = siblings.reduce((sum, { sent, refused }) => sum + sent - refused, 0);
  const lastMs = Math.max(...siblings.map(({ toMs = Number.POSITIVE_INFINITY }) => toMs));
  const refilled = refillIn(facts, lastMs - over.fromMs) + 1;
  const isRefilled = algorithm === 'token-bucket' && siblings.every(({ refused }) => refused > 0);
  return isRefilled && served <= refilled ? refilled : undefined;
}

/**
 * Whether the budget surely was exhausted all the while the siblings were asked: nothing of the burst can have left its
 * window by then, and who asked next was refused. On a busy machine they are asked later than planned.
 */
function wasExhausted({ siblings, burst, windowMs, recovery, algorithm }: RateFacts): boolean {
  const lastMs = Math.max(...siblings.map(({ toMs = Number.POSITIVE_INFINITY }) => toMs));
  const next = recovery.find(({ atMs }) => atMs >= lastMs);
  return lastMs < burst.fromMs + windowMs && next?.admitted === false && algorithm !== 'token-bucket';
}

/** The form of a refusal is convention: 429, with a Retry-After that tells when to come back. */
export function refusalForm(refusals: RateFacts['refusals'], refused: number): Claim {
  const expected = '429 with Retry-After';
  const seen = `${statusText(refusals.statuses)}; Retry-After on ${refusals.withRetryAfter}`;
  if (refused === 0) return unclear(expected, 'no refusal', 'nothing was refused, so its form was not seen');
  const all = Object.values(refusals.statuses).reduce((sum, count) => sum + count, 0);
  const only429 = Object.keys(refusals.statuses).every((status) => status === '429');
  return only429 && refusals.withRetryAfter === all ? holds(expected, seen) : broken(expected, seen);
}
