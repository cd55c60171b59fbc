/** Facts of a concurrency probe -> claims. What counts is proven overlap. */
import type { ConcurrencyFacts, HoldCounts } from '../../../schemas/facts.ts';
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { isSubmitting } from '../../../schemas/operations.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import type { JudgingContext } from '../../verdicts/context.ts';
import { generatorFault, statusText, uncounted } from '../../verdicts/evidence.ts';
import { refusalForm } from '../rate/fields.ts';
import { judgePerAddress } from './addresses.ts';
import { describeHolds, judgeFreed, lostWords, notCounted, outageWords, overloadWords } from './freed.ts';
import { measureConcurrency, mostTogether } from './measure.ts';

export function judgeConcurrency(
  facts: ConcurrencyFacts,
  limit: ConcurrencyLimit,
  context: JudgingContext,
): Record<string, Claim> {
  const { within, beyond, further, elsewhere } = facts;
  const refused = countRefused(within) + countRefused(beyond) + (further ? countRefused(further) : 0);
  const unusable = generatorFault(facts.health) ?? uncounted(facts, refused);
  const outage = unusable ?? outageWords(facts);
  const gatedBy = (fault: string | undefined, claim: Claim): Claim =>
    fault && claim.verdict !== 'inconclusive' ? inconclusive(claim.expected, claim.observed, fault) : claim;
  const gated = (claim: Claim): Claim => gatedBy(outage, claim);
  // A sender that was kept from running can't undo refusals that came while the first address had all its slots.
  const sparing = (claim: Claim): Claim => (claim.verdict === 'broken' && facts.health.complete ? claim : gated(claim));
  const kept = enforced(facts, limit, context);
  const triesNoSlot = facts.technique === 'long-poll' && facts.afterAbort === undefined;
  return {
    [`${limit.id}.guarantee`]: gated(guarantee(facts, limit, context)),
    // Nothing that refuses for all lets in one more.
    [`${limit.id}.enforced`]: gatedBy(kept.verdict === 'broken' ? unusable : outage, kept),
    ...(triesNoSlot ? {} : { [`${limit.id}.freed`]: gated(judgeFreed(facts, limit, context)) }),
    ...(elsewhere ? { [`${limit.id}.per-address`]: sparing(judgePerAddress(facts, elsewhere, limit)) } : {}),
    [`${limit.id}.refusal`]: gated(refusalForm(facts.refusals, refused)),
  };
}

const countRefused = (wave: HoldCounts): number => wave.refusedEarly + wave.refusedLate;

function guarantee(facts: ConcurrencyFacts, limit: ConcurrencyLimit, context: JudgingContext): Claim {
  const expected = grouped`${limit.value} requests at once, none refused`;
  const { within, beyond } = facts;
  const seen = describeHolds(facts);
  // Refused late with all slots taken: not for concurrency, these held theirs from the start.
  const { count: released = 0, refused: late = 0 } = facts.releasedTogether ?? {};
  const lateTooMany =
    late > 0 &&
    (facts.refusesWhole
      ? late + beyond.refusedEarly > within.opened + beyond.opened - limit.value
      : beyond.refusedEarly === 0 && late > released - limit.value);
  if (facts.refusedWithinLimit > 0 || lateTooMany) {
    const other = otherExplanation(facts, limit, context, facts.refusedWithinLimit === 0);
    return other ? inconclusive(expected, seen, other) : broken(expected, seen);
  }
  if (facts.fewestAtRefusal !== null && facts.fewestAtRefusal < limit.value) {
    const why = grouped`refused with at most ${facts.fewestAtRefusal} others served; refused ones may have been counted`;
    return inconclusive(expected, seen, why);
  }
  if (within.opened < limit.value) return inconclusive(expected, seen, grouped`only ${within.opened} could be opened`);
  const lost = lostWords(facts);
  if (lost) return inconclusive(expected, seen, lost);
  if (facts.technique !== 'held-body' && facts.overlapInner < limit.value) {
    return inconclusive(expected, seen, grouped`only ${facts.overlapInner} were proven in flight at once`);
  }
  if (facts.technique === 'whole' && !facts.arrivedTogether) return maybeApart(expected, seen);
  // A target that counts only complete requests has not been tested yet: nothing was complete while it was held.
  const countsThese =
    facts.technique !== 'held-body' || facts.fewestAtRefusal !== null || context.countsHeldRequests(limit);
  return countsThese ? holds(expected, seen) : inconclusive(expected, seen, notCounted(facts));
}

/** Where any are let in at once, the first one is. */
const noneTaken = (opened: number): string =>
  grouped`not one of ${opened} was taken, so something else refuses, such as a limiter that still blocks for what came ` +
  'before, or that still counts requests which were aborted; run it again after a pause';

/** Which other limit may have refused, or undefined when none can have. */
function otherLimit(
  facts: ConcurrencyFacts,
  limit: ConcurrencyLimit,
  context: JudgingContext,
  late: boolean,
): string | undefined {
  const { opened, within } = facts;
  const rate = context.rateFloor(limit.budget);
  if (opened > rate)
    return grouped`the rate limit, measured at ${rate} per window, refuses ${opened} requests at once too`;
  const submits = limit.operations.some(isSubmitting);
  const queue = context.queueFloor(facts.instId);
  // Held bodies are not jobs yet; complete ones, released or waiting for their answers, fill the queue.
  if ((late || facts.technique !== 'held-body') && submits && opened > queue)
    return grouped`${opened} jobs at once may exceed the queue, which refuses beyond ${queue}`;
  return within.opened > 1 && countRefused(within) === within.opened ? noneTaken(within.opened) : undefined;
}

/** What else may have refused, or undefined when nothing else can have. */
function otherExplanation(
  facts: ConcurrencyFacts,
  limit: ConcurrencyLimit,
  context: JudgingContext,
  late: boolean,
): string | undefined {
  const other = otherLimit(facts, limit, context, late) ?? overloadWords(facts);
  if (other) return other;
  if (limit.per === 'endpoint' && context.shared(facts.instId))
    return `others may use ${facts.instId}; it needs --dedicated`;
  return undefined;
}

/** More at once than the limit as their sender saw it may be no fault: some may have been read when others had gone. */
const maybeApart = (expected: string, seen: string): Claim =>
  inconclusive(expected, seen, 'nothing shows that all of them had reached the target before the first was answered');

function enforced(facts: ConcurrencyFacts, limit: ConcurrencyLimit, context: JudgingContext): Claim {
  const expected = grouped`request number ${limit.value + 1} at once refused`;
  const seen = describeHolds(facts);
  if (facts.fewestAtRefusal !== null) return enforcedInTime(facts, limit, context, expected);
  const together = mostTogether(facts) > limit.value;
  const provenBroken = facts.arrivedTogether ? broken : maybeApart;
  if (together && measureConcurrency(facts) && facts.technique !== 'held-body') return provenBroken(expected, seen);
  if ((facts.releasedTogether?.refused ?? 0) > 0) return enforcedLate(facts, limit, context, expected);
  const lost = lostWords(facts);
  if (lost) return inconclusive(expected, seen, lost);
  if (facts.technique !== 'held-body') {
    const why =
      facts.overlapInner > limit.value
        ? 'their answers came so far apart that some may have waited for others'
        : grouped`only ${facts.overlapInner} were proven in flight at once`;
    return inconclusive(expected, seen, why);
  }
  if (together && facts.beyond.opened > 0 && context.countsHeldRequests(limit)) {
    return provenBroken(expected, `${seen}; other operations of this target do refuse held requests`);
  }
  return inconclusive(expected, seen, notCounted(facts));
}

/** A request was refused while the others were in flight. */
function enforcedInTime(
  facts: ConcurrencyFacts,
  limit: ConcurrencyLimit,
  context: JudgingContext,
  expected: string,
): Claim {
  const seen = describeHolds(facts);
  const most = mostTogether(facts);
  const other = otherLimit(facts, limit, context, false) ?? (most < limit.value ? overloadWords(facts) : undefined);
  // However it is counted, the limit was not exceeded, and a request was refused.
  const never = facts.overlapOuter <= limit.value;
  if (!never && !measureConcurrency(facts)) {
    const lost = lostWords(facts) ?? 'some were lost or answered early';
    return inconclusive(
      expected,
      seen,
      grouped`${lost}; so between ${facts.overlapInner} and ${facts.overlapOuter} were at once`,
    );
  }
  if (never || most <= limit.value) {
    if (other) return inconclusive(expected, seen, other);
    const more = servedBesides(facts) ?? takenTogether(facts, limit);
    return more ? broken(expected, `${seen}; ${more}`) : holds(expected, seen);
  }
  return (facts.arrivedTogether ? broken : maybeApart)(expected, grouped`${most} at once served; ${seen}`);
}

/** All requests to the limit's other operations while it was full, where each was served. */
function servedBesides({ controls }: ConcurrencyFacts): string | undefined {
  const always = controls && controls.sent >= CONTROLS_TELLING && controls.served === controls.sent;
  return always ? grouped`all ${controls.sent} requests of ${controls.operation} others served` : undefined;
}

/** More than the limit, where requests that came one after the other were refused. */
function takenTogether({ refill }: ConcurrencyFacts, { value }: ConcurrencyLimit): string | undefined {
  return refill && refill.taken > value
    ? grouped`when ${refill.requested} came at the same moment, ${refill.taken} were at once`
    : undefined;
}

/** Once may be chance. */
const CONTROLS_TELLING = 3;

/** No request was refused before the release: the target, or a proxy in front of it, counts complete requests. */
function enforcedLate(
  facts: ConcurrencyFacts,
  limit: ConcurrencyLimit,
  context: JudgingContext,
  expected: string,
): Claim {
  const { count = 0, refused = 0 } = facts.releasedTogether ?? {};
  const seen = grouped`${describeHolds(facts)}; ${refused} of ${count} completed at once refused (${statusText(facts.refusals.statuses)})`;
  const other = otherLimit(facts, limit, context, true) ?? overloadWords(facts);
  if (other) return inconclusive(expected, seen, other);
  if (count - refused <= limit.value) return holds(expected, seen);
  return inconclusive(
    expected,
    seen,
    grouped`the ${count - refused} that were served may have been served one after another`,
  );
}
