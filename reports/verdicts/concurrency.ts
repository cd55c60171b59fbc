/** Facts of a concurrency probe -> claims (design part 5, concurrency). What counts is proven overlap. */
import type { ConcurrencyFacts, HoldCounts } from '../../schemas/facts.ts';
import type { ConcurrencyLimit } from '../../schemas/limits.ts';
import { broken, type Claim, holds, unclear } from './claim.ts';
import type { JudgingContext } from './context.ts';
import { generatorFault, statusText } from './evidence.ts';
import { measureConcurrency, mostTogether } from './measure.ts';
import { refusalForm } from './rate.ts';

export function judgeConcurrency(
  facts: ConcurrencyFacts,
  limit: ConcurrencyLimit,
  context: JudgingContext,
): Record<string, Claim> {
  const fault = generatorFault(facts.health);
  const gated = (claim: Claim): Claim =>
    fault && claim.verdict !== 'inconclusive' ? unclear(claim.expected, claim.observed, fault) : claim;
  const refused = countRefused(facts.within) + countRefused(facts.beyond);
  return {
    [`${limit.id}.guarantee`]: gated(guarantee(facts, limit, context)),
    [`${limit.id}.enforced`]: gated(enforced(facts, limit, context)),
    // Only held requests are released one by one.
    ...(facts.technique === 'held-body' ? { [`${limit.id}.freed`]: gated(freed(facts)) } : {}),
    [`${limit.id}.refusal`]: gated(refusalForm(facts.refusals, refused)),
  };
}

const countRefused = (wave: HoldCounts): number => wave.refusedEarly + wave.refusedLate;

/** Held bodies that were completed at the same moment, and how many of those were refused; one had gone before. */
function releasedTogether({ technique, within, beyond, afterFree, afterAbort }: ConcurrencyFacts) {
  if (technique !== 'held-body') return { released: 0, refused: 0 };
  const waves = [within, beyond, ...(afterFree ? [afterFree] : []), ...(afterAbort ? [afterAbort] : [])];
  const sum = (count: (wave: HoldCounts) => number) => waves.reduce((total, wave) => total + count(wave), 0);
  const released = sum((wave) => wave.held + wave.refusedLate) - (afterFree ? 1 : 0);
  return { released, refused: sum((wave) => wave.refusedLate) };
}

function describe(facts: ConcurrencyFacts): string {
  const wave = ({ opened, held, refusedEarly, refusedLate, answeredEarly, lost }: HoldCounts) => {
    const parts = [`${held} held`, `${refusedEarly} refused at once`];
    if (refusedLate > 0) parts.push(`${refusedLate} refused after the release`);
    if (answeredEarly > 0) parts.push(`${answeredEarly} answered without waiting`);
    if (lost > 0) parts.push(`${lost} lost`);
    return `${opened} opened: ${parts.join(', ')}`;
  };
  return `${facts.technique}: ${wave(facts.within)}; then ${wave(facts.beyond)}`;
}

function guarantee(facts: ConcurrencyFacts, limit: ConcurrencyLimit, context: JudgingContext): Claim {
  const expected = `${limit.value} requests at once, none refused`;
  const { within, beyond } = facts;
  const seen = describe(facts);
  // Refused late with all slots taken: not for concurrency, these held theirs from the start.
  const { refused: late, released } = releasedTogether(facts);
  const lateTooMany = late > 0 && beyond.refusedEarly === 0 && late > released - limit.value;
  if (facts.refusedWithinLimit > 0 || lateTooMany) {
    const other = otherExplanation(facts, limit, context, facts.refusedWithinLimit === 0);
    return other ? unclear(expected, seen, other) : broken(expected, seen);
  }
  if (within.opened < limit.value) return unclear(expected, seen, `only ${within.opened} could be opened`);
  if (within.lost > 0)
    return unclear(expected, seen, `${within.lost} got no usable answer (${statusText(facts.statuses)})`);
  if (within.answeredEarly > 0) {
    return unclear(
      expected,
      seen,
      `${within.answeredEarly} were answered before the others had come, so at most ${facts.overlapInner} overlapped`,
    );
  }
  if (facts.technique === 'long-poll' && facts.overlapInner < limit.value) {
    return unclear(expected, seen, `only ${facts.overlapInner} were proven in flight at once`);
  }
  // A target that counts only complete requests has not been asked yet: nothing was complete while it was held.
  const countsThese =
    facts.technique === 'long-poll' || facts.fewestAtRefusal !== null || context.countsHeldRequests(limit);
  if (!countsThese)
    return unclear(expected, seen, 'nothing shows that this target counts a request before its body is complete');
  return holds(expected, seen);
}

/** What else may have refused, or undefined when nothing else can have. */
function otherExplanation(
  facts: ConcurrencyFacts,
  limit: ConcurrencyLimit,
  context: JudgingContext,
  late: boolean,
): string | undefined {
  const opened = facts.within.opened + facts.beyond.opened;
  const rate = context.rateFloor(limit.budget);
  if (opened > rate) return `the rate limit, measured at ${rate} per window, refuses ${opened} requests at once too`;
  const statuses = Object.keys(facts.refusals.statuses).filter((status) => status !== '429');
  if (statuses.length > 0) return `refused with ${statuses.join(', ')}, which an overload answers too`;
  if (limit.per === 'endpoint' && context.shared(facts.instId))
    return `others may use ${facts.instId}; it needs --dedicated`;
  const submits = limit.budget === 'run' || limit.budget === 'runsync';
  const queue = context.queueFloor(facts.instId);
  // Held bodies are not jobs yet; complete ones, released or waiting for their answers, fill the queue.
  if ((late || facts.technique === 'long-poll') && submits && opened > queue)
    return `${opened} jobs at once may exceed the queue, which refuses beyond ${queue}`;
  return undefined;
}

/** More at once than the limit as their sender saw it may be no fault: some may have been read when others had gone. */
const maybeApart = (expected: string, seen: string): Claim =>
  unclear(expected, seen, 'nothing shows that all of them had reached the target before the first was answered');

function enforced(facts: ConcurrencyFacts, limit: ConcurrencyLimit, context: JudgingContext): Claim {
  const expected = `request number ${limit.value + 1} at once refused`;
  const { within, beyond } = facts;
  const seen = describe(facts);
  const measured = measureConcurrency(facts);
  const brokenIfTogether = facts.arrivedTogether ? broken : maybeApart;
  if (facts.fewestAtRefusal !== null) {
    if (!measured)
      return unclear(expected, seen, 'some requests were lost or answered early, so the number at once is not known');
    if (mostTogether(facts) <= limit.value) return holds(expected, seen);
    return brokenIfTogether(expected, `${mostTogether(facts)} at once served; ${seen}`);
  }
  if (measured && mostTogether(facts) > limit.value && facts.technique === 'long-poll')
    return brokenIfTogether(expected, seen);
  const { refused: late } = releasedTogether(facts);
  if (late > 0) return holds(expected, `${seen}; ${late} of all refused after the release`);
  const allHeld = within.held + beyond.held === within.opened + beyond.opened && beyond.opened > 0;
  if (allHeld && facts.technique === 'held-body' && context.countsHeldRequests(limit)) {
    return brokenIfTogether(expected, `${seen}; other operations of this target do refuse held requests`);
  }
  const why =
    facts.technique === 'long-poll'
      ? `only ${facts.overlapInner} were proven in flight at once`
      : 'nothing shows that this target counts a request before its body is complete, and complete ones are answered too fast to overlap';
  return unclear(expected, seen, why);
}

function freed(facts: ConcurrencyFacts): Claim {
  const expected = 'a new request is taken after one was answered, and after one was aborted';
  const waves = { answered: facts.afterFree, aborted: facts.afterAbort };
  const text = (name: string, wave: HoldCounts | undefined) =>
    wave
      ? `after one was ${name}: ${countRefused(wave) > 0 ? 'refused' : 'taken'}`
      : `after one was ${name}: not tried`;
  const seen = `${text('answered', waves.answered)}; ${text('aborted', waves.aborted)}`;
  const full = facts.beyond.refusedEarly === facts.beyond.opened && facts.beyond.opened > 0;
  if (!full) return unclear(expected, seen, 'the slots were not all taken, so a freed one could not be told');
  if (!waves.answered || !waves.aborted) return unclear(expected, seen, 'it was not tried to the end');
  if (waves.answered.lost + waves.aborted.lost > 0) return unclear(expected, seen, 'a request got no usable answer');
  return countRefused(waves.answered) + countRefused(waves.aborted) > 0
    ? broken(expected, seen)
    : holds(expected, seen);
}
