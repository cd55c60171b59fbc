/**
 * Facts of a rate probe -> claims. The guarantee rests on the client that never was over the limit, and needs no model;
 * the enforcement rests on which limiters may have answered so.
 */
import type { RateFacts, RatePart } from '../../../schemas/facts.ts';
import type { RateLimit } from '../../../schemas/limits.ts';
import { rareFaultsText } from '../../../schemas/rare-faults.ts';
import { BURST_MOST_OF_WINDOW, CLOSED } from '../../../schemas/rate-facts.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, type Doubt, doubt, holdsUnless, inconclusive } from '../../verdicts/claim.ts';
import type { JudgingContext } from '../../verdicts/context.ts';
import {
  brokenLedger,
  countedApart,
  generatorFault,
  neverServed,
  noInputText,
  refusedOf,
  statusText,
  tooFewSent,
  uncounted,
  unseenRequests,
  unusableAnswers,
} from '../../verdicts/evidence.ts';
import { judgeFields, judgeRetryAfter, refusalForm } from './fields.ts';
import { judgeIndependence } from './independent.ts';
import { allows, isKept, keeps, survivorText, windowText } from './survivors.ts';

/** Rare faults show where many requests are sent anyway: errors of the server, resets, no response, wrong content. */
function judgeServed(facts: RateFacts): Claim {
  const parts = partsOf(facts);
  const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  const sent = sumOf(parts.map((part) => part.sent));
  const count = sumOf(parts.flatMap((part) => [unservedIn(part), ...Object.values(part.wrong)]));
  const expected = 'each request is refused, or served with content like the others';
  const words = parts.flatMap((part) => [
    ...(unservedIn(part) > 0 ? [statusText(part.statuses)] : []),
    ...Object.entries(part.wrong).map(([fault, times]) => grouped`${times} ${fault}`),
  ]);
  const weak = brokenLedger(facts.health);
  if (count === 0) return holdsUnless(expected, grouped`all ${sent}${rareFaultsText(sent)}`, weak);
  const seen = grouped`${count} of ${sent} were not, 1 in ${Math.round(sent / count)} (${words.join('; ')})`;
  return weak ? inconclusive(expected, seen, weak) : broken(expected, seen);
}

const partsOf = ({ burst, secondBurst, pace, overflow, refill, polls }: RateFacts): readonly RatePart[] => [
  burst,
  secondBurst,
  pace,
  overflow,
  refill,
  polls,
];

const unservedIn = ({ sent, admitted, refused }: RatePart): number => sent - admitted - refused;

export function judgeRate(facts: RateFacts, limit: RateLimit, context: JudgingContext): Record<string, Claim> {
  return {
    [`${limit.id}.guarantee`]: guarantee(facts, limit),
    [`${limit.id}.enforced`]: enforced(facts, limit),
    ...(limit.operations.length > 1 ? { [`${limit.id}.shared`]: shared(facts, limit) } : {}),
    [`${limit.id}.independent`]: judgeIndependence(facts, limit, context.rates),
    [`${limit.id}.refusal`]: refusalForm(facts.refusals, refusedOf(facts)),
    [`${limit.id}.retry-after`]: judgeRetryAfter(facts, refusedOf(facts)),
    [`${limit.id}.fields`]: judgeFields(facts),
    ...(facts.withoutInput === undefined ? { [`${limit.id}.served`]: judgeServed(facts) } : {}),
  };
}

const perWindow = ({ value, windowMs }: RateLimit): string => grouped`${value} requests per ${windowMs / 1000} s`;
const partText = (name: string, part: RatePart): string => grouped`${name}: ${part.admitted} of ${part.sent} admitted`;

/** Nothing that it sent can have been the reason. */
const BLOCKED_BEFORE =
  'it was refused from its very first request on until one was admitted, as a limiter does that still blocks for what ' +
  'came before this run; run it again after a pause';

const NEVER = 'a limiter that still blocks for what came before this run does so too: run it again after a pause';

function guarantee(facts: RateFacts, limit: RateLimit): Claim {
  const { burst, secondBurst, pace, within, survivors } = facts;
  const expected = `no refusal within ${perWindow(limit)}`;
  const parts = [partText('burst', burst), partText('second burst', secondBurst), partText('pace', pace)];
  const seen = grouped`${parts.join('; ')}, at most ${within.fullest} in a window${noInputText(facts)}`;
  if (within.first) {
    const { phase, sentMs, inWindow, form, retryAfter } = within.first;
    const answer = retryAfter === '' ? form : `${form} (Retry-After ${retryAfter})`;
    const at = grouped`the first at ${(sentMs / 1000).toFixed(2)} s (${phase}) with ${answer}, when it had sent at most ${inWindow} in the window before`;
    const never = [burst, secondBurst, pace].every(({ admitted }) => admitted === 0);
    const words = grouped`${within.refused} refused within it, ${at}; ${never ? `${NEVER}; ` : ''}${seen}`;
    return within.isAtFirst ? inconclusive(expected, words, BLOCKED_BEFORE) : broken(expected, words);
  }
  const spanMs = burst.toMs - burst.fromMs;
  const missing = unusableAnswers(unservedIn(burst) + unservedIn(secondBurst) + unservedIn(pace));
  const refuses = survivors.find((one) => !allows(one, limit));
  return holdsUnless(
    expected,
    seen,
    within.uncertain > 0 &&
      grouped`${within.uncertain} requests were refused that may not have been within it: responses took too long to be sure; a faster target would decide it`,
    burst.sent < limit.value && grouped`the burst sent only ${burst.sent} requests`,
    spanMs > BURST_MOST_OF_WINDOW * limit.windowMs &&
      grouped`the burst took ${Math.round(spanMs)} ms of a window of ${limit.windowMs}: the target is too slow for this probe`,
    (secondBurst.sent === 0 || pace.sent === 0) &&
      'nothing was sent after the burst, because the workers of this endpoint would not keep up',
    missing && `${missing} (${statusText(pace.statuses)})`,
    // Boundaries of windows that are too long may have come just when they did no harm.
    refuses && `it may be ${survivorText(refuses, limit)}, which refuses such a client at other moments`,
  );
}

/** What is to be said of a limiter that may be there and need not keep the limit. */
const TWO_LIMITERS = 'so may two limiters together';
const RUN_AGAIN = 'run it again, since at other times it may not';

function enforced(facts: RateFacts, limit: RateLimit): Claim {
  const { survivors, isAlone, exceedsRoom, mostAdmitted, overflow } = facts;
  const expected = `refusals beyond ${perWindow(limit)}`;
  const likely = [...new Set(survivors.map((one) => survivorText(one, limit)))].join(' or ');
  const seen = grouped`at most ${mostAdmitted} certainly admitted within ${limit.windowMs / 1000} s; beyond it ${overflow.refused} of ${overflow.sent} refused at once${likely && `; behaves like ${likely}${isAlone ? `, of ${limit.operations[0]} alone` : ''}`}${noInputText(facts)}`;
  // A boundary of windows, and a bucket that starts full, let twice the limit through, and one more that comes in.
  if (mostAdmitted > 2 * limit.value + 1) return broken(expected, `more than twice the limit admitted; ${seen}`);
  if (exceedsRoom) return broken(expected, `more admitted than it has room for, wherever its windows lie; ${seen}`);
  const none =
    refusedOf(facts) > 0
      ? grouped`the admissions match no known limiter of ${perWindow(limit)}; without one, only more than ${2 * limit.value} within a window would decide it`
      : grouped`only more than ${2 * limit.value} within a window would show that nothing is enforced`;
  // What never let more through than the limit may have had another reason to refuse what it would have let through.
  const letsMore = mostAdmitted > limit.value;
  if (letsMore && survivors.length > 0 && survivors.every((one) => keeps(one, limit) === 'no'))
    return broken(expected, seen);
  const doubtful = survivors.find((one) => keeps(one, limit) !== 'yes');
  return holdsUnless(
    expected,
    seen,
    survivors.length === 0 && !isKept(facts) && none,
    doubtful &&
      `${survivorText(doubtful, limit, windowText(doubtful.windowMs))} would have answered the same; ${doubtful.differsTwice ? TWO_LIMITERS : RUN_AGAIN}`,
  );
}

/** The siblings count with the first when what they were sent is needed, or at least fits, to explain all answers. */
function shared({ siblings, survivors, isAlone, mostAdmitted, overflow }: RateFacts, limit: RateLimit): Claim {
  const expected = `with ${limit.operations[0]} exhausted, ${limit.operations.slice(1).join(' and ')} refused as well`;
  const seen = siblings.map((one) => grouped`${one.operation}: ${one.refused} of ${one.sent} refused`).join('; ');
  const isRefused = siblings.every((one) => one.refused > 0);
  const isSeen = overflow.refused > 0 && siblings.every((one) => one.sent > 0);
  const isAll = siblings.every((one) => one.refused === one.sent);
  const isExplained = survivors.length > 0 && !isAlone;
  if (isSeen && !isAll && (isAlone || (!isRefused && !isExplained))) return broken(expected, seen);
  return holdsUnless(
    expected,
    seen,
    overflow.refused === 0 && 'the budget could not be exhausted',
    !isSeen && 'a sibling got no answer',
    isAlone &&
      grouped`the requests to ${limit.operations[0]} alone explain its answers, so those to the others may not count: ${mostAdmitted} of all were admitted within ${limit.windowMs / 1000} s; a second run would tell`,
    // What is left of the limiters counts all of them together.
    !(isAll || (isRefused && isExplained)) &&
      'the budget was refilled while the siblings were sent; a faster target would decide it',
  );
}

/** What weakens the evidence: the generator, the way, other limits, other traffic. */
export function rateDoubts(facts: RateFacts, limit: RateLimit, context: JudgingContext): readonly Doubt[] {
  const { health } = facts;
  return [
    ...doubt('both', brokenLedger(health)),
    // That a request got no answer doesn't depend on how many were to follow.
    ...doubt('both', tooFewSent(health), { except: ['served'] }),
    // A refusal of a client within the limit was seen, and counted by the worst case, also where the generator fell
    // short.
    ...doubt('pass', generatorFault(health)),
    ...doubt('both', uncounted(facts, refusedOf(facts))),
    ...doubt('both', unserved(facts, limit, context), { except: ['refusal', 'retry-after', 'fields'] }),
    ...doubt('both', siblingUnserved(facts, context), { of: ['shared'] }),
    ...doubt('fail', unseen(facts), { of: ['guarantee', 'shared'] }),
    ...doubt('fail', maybeForgotten(facts) ?? countedApart(health), { of: ['enforced'] }),
    ...doubt('both', maybeOutage(facts), { except: ['refusal', 'retry-after', 'fields'] }),
    ...doubt('pass', maybeNoLimit(facts, limit), { of: ['shared'] }),
    ...doubt('fail', otherLimit(facts, limit, context), { of: ['guarantee'] }),
    ...doubt('pass', ofQueue(facts, facts.outstandingOuter.atFirst, context), { of: ['enforced', 'refusal'] }),
    ...doubt('fail', ofQueue(facts, facts.outstandingOuter.atAny, context), { of: ['retry-after', 'fields'] }),
  ];
}

function unserved(facts: RateFacts, { operations: [first] }: RateLimit, { table }: JudgingContext): string | undefined {
  const statuses = partsOf(facts).map((part) => part.statuses);
  return first === undefined || facts.withoutInput !== undefined
    ? undefined
    : neverServed(table.operation(first), facts.absent, statuses);
}

const siblingUnserved = ({ siblings, absent }: RateFacts, { table }: JudgingContext): string | undefined =>
  siblings.flatMap(({ operation, statuses }) => neverServed(table.operation(operation), absent, [statuses]) ?? [])[0];

/** Closed connections that are refusals are answers. */
const unseen = ({ refusals, health, within }: RateFacts): string | undefined =>
  CLOSED in refusals.statuses ? undefined : unseenRequests(health, within.refused);

/** A target that restarts answers nothing for a moment, and has forgotten what it had counted. */
function maybeForgotten({ unanswered, health: { sent, unansweredError } }: RateFacts): string | undefined {
  return unanswered === 0
    ? undefined
    : grouped`${unanswered} of ${sent} requests got no answer (${unansweredError}), and a target that restarts forgets what it counted`;
}

/**
 * A target that is down for a moment answers 503 or closes connections too. A limiter that refuses so answers all that was
 * sent as such a limiter does; an outage doesn't.
 */
function maybeOutage({ refusals, survivors }: RateFacts): string | undefined {
  const how = without429(refusals);
  return how && survivors.length === 0 ? `${how}, at times that match no known limiter` : undefined;
}

/** Refusals of a limiter that lets more than the limit through, if it is one. */
const maybeNoLimit = ({ refusals, survivors }: RateFacts, { value }: RateLimit): string | undefined =>
  survivors.every((one) => one.value.lower > value) ? without429(refusals) : undefined;

/** How it refused, where it did and never with 429. */
function without429({ statuses }: RateFacts['refusals']): string | undefined {
  const forms = Object.keys(statuses);
  const isOther = forms.length > 0 && forms.every((form) => !form.startsWith('429'));
  return isOther ? `refused with ${statusText(statuses)}, which an overloaded target returns too` : undefined;
}

/** What else than this limit may have refused a client within it. */
function otherLimit(facts: RateFacts, limit: RateLimit, context: JudgingContext): string | undefined {
  const { instId, inFlightOuter, outstandingOuter } = facts;
  if (context.shared(instId))
    return `others may use ${instId} and its budget; run it on an endpoint of its own with --dedicated`;
  const slots = context.concurrencyFloor(limit.budget);
  if (inFlightOuter > slots)
    return grouped`up to ${inFlightOuter} requests may have been in flight, and the concurrency limit lets ${slots} through`;
  return ofQueue(facts, outstandingOuter.atRefusalWithin, context);
}

/** @param jobs that may have been waiting */
function ofQueue({ instId }: RateFacts, jobs: number, context: JudgingContext): string | undefined {
  const queue = context.queueFloor(instId);
  return jobs > queue
    ? grouped`up to ${jobs} jobs may have been queued, and the queue refuses beyond ${queue}`
    : undefined;
}
