/**
 * Facts of a rate probe -> claims. The guarantee rests on the client that never was over the limit, and needs no model;
 * the enforcement rests on which limiters may have answered so.
 */
import type { RateFacts, RatePart } from '../../schemas/facts.ts';
import type { RateLimit } from '../../schemas/limits.ts';
import { rareFaultsText } from '../../schemas/rare-faults.ts';
import { grouped } from '../../schemas/thousands.ts';
import { broken, type Claim, holds, unclear } from './claim.ts';
import type { JudgingContext } from './context.ts';
import { brokenLedger, refusedOf, statusText, unclearAnswers } from './evidence.ts';
import { judgeIndependence } from './independent.ts';
import { judgeFields, judgeRetryAfter } from './rate-fields.ts';
import { allows, keeps, survivorText } from './rate-survivors.ts';

export function judgeRate(facts: RateFacts, limit: RateLimit, context: JudgingContext): Record<string, Claim> {
  return {
    [`${limit.id}.guarantee`]: guarantee(facts, limit),
    [`${limit.id}.enforced`]: enforced(facts, limit),
    ...(limit.operations.length > 1 ? { [`${limit.id}.shared`]: shared(facts, limit) } : {}),
    [`${limit.id}.independent`]: judgeIndependence(facts, limit, context.rates),
    [`${limit.id}.refusal`]: refusalForm(facts.refusals, refusedOf(facts)),
    [`${limit.id}.retry-after`]: judgeRetryAfter(facts, refusedOf(facts)),
    [`${limit.id}.fields`]: judgeFields(facts),
    [`${limit.id}.served`]: served(facts),
  };
}

const perWindow = ({ value, windowMs }: RateLimit): string => grouped`${value} requests per ${windowMs / 1000} s`;
const partText = (name: string, { admitted, sent }: RatePart): string =>
  grouped`${name}: ${admitted} of ${sent} admitted`;

/** Rare faults show where many requests are sent anyway: errors of the server, resets, no response, wrong content. */
function served(facts: RateFacts): Claim {
  const parts = [facts.burst, facts.again, facts.pace, facts.over, facts.echo, facts.polls];
  const sum = (of: (part: RatePart) => number): number => parts.reduce((all, one) => all + of(one), 0);
  const wrongIn = (part: RatePart): number => Object.values(part.wrong).reduce((all, count) => all + count, 0);
  const unservedIn = (part: RatePart): number => part.sent - part.admitted - part.refused;
  const [sent, wrong, unserved] = [sum((one) => one.sent), sum(wrongIn), sum(unservedIn)];
  const expected = 'each request is refused, or served with content like the others';
  const words = parts.flatMap((one) => [
    ...(unservedIn(one) > 0 ? [statusText(one.statuses)] : []),
    ...Object.entries(one.wrong).map(([fault, count]) => grouped`${count} ${fault}`),
  ]);
  const count = wrong + unserved;
  const seen =
    count > 0
      ? grouped`${count} of ${sent} were not, 1 in ${Math.round(sent / count)} (${words.join('; ')})`
      : grouped`all ${sent}${rareFaultsText(sent)}`;
  const weak = brokenLedger(facts.health);
  if (weak) return unclear(expected, seen, weak);
  return count > 0 ? broken(expected, seen) : holds(expected, seen);
}

function guarantee(facts: RateFacts, limit: RateLimit): Claim {
  const { burst, again, pace, within } = facts;
  const expected = `no refusal within ${perWindow(limit)}`;
  const parts = [partText('burst', burst), partText('again after a window', again), partText('pace', pace)];
  const seen = grouped`${parts.join('; ')}, at most ${within.fullest} in a window`;
  if (within.first) {
    const { phase, sentMs, inWindow, form, retryAfter } = within.first;
    const answer = retryAfter === '' ? form : `${form} (Retry-After ${retryAfter})`;
    const at = grouped`the first at ${(sentMs / 1000).toFixed(2)} s (${phase}) with ${answer}, when it had sent at most ${inWindow} in the window before`;
    return broken(expected, grouped`${within.refused} refused within it, ${at}; ${seen}`);
  }
  if (within.unclear > 0) {
    const why = grouped`${within.unclear} requests were refused that may not have been within it: responses took too long to be sure; a faster target would decide it`;
    return unclear(expected, seen, why);
  }
  if (burst.sent < limit.value) return unclear(expected, seen, grouped`the burst sent only ${burst.sent} requests`);
  const spanMs = burst.toMs - burst.fromMs;
  if (spanMs >= limit.windowMs) {
    const why = grouped`the burst took ${Math.round(spanMs)} ms, longer than a window: the target is too slow for this probe`;
    return unclear(expected, seen, why);
  }
  if (again.sent === 0 || pace.sent === 0) {
    const why = 'nothing was sent after the burst, because the workers of this endpoint would not keep up';
    return unclear(expected, seen, why);
  }
  const unknown = [burst, again, pace].reduce((sum, one) => sum + one.sent - one.admitted - one.refused, 0);
  const missing = unclearAnswers(unknown);
  if (missing) return unclear(expected, seen, `${missing} (${statusText(pace.statuses)})`);
  const [refuses] = facts.survivors;
  // Boundaries of windows that are too long may have come just when they did no harm.
  if (refuses && facts.survivors.every((one) => !allows(one, limit))) {
    const why = `it may be ${survivorText(refuses, limit)}, which refuses such a client at other moments`;
    return unclear(expected, seen, why);
  }
  return holds(expected, seen);
}

function enforced(facts: RateFacts, limit: RateLimit): Claim {
  const { survivors, mostAdmitted, over } = facts;
  const expected = `refusals beyond ${perWindow(limit)}`;
  const seen = grouped`at most ${mostAdmitted} certainly admitted within ${limit.windowMs / 1000} s; beyond it ${over.refused} of ${over.sent} refused at once`;
  // A boundary of windows, and a bucket that starts full, let twice the limit through, and one more that comes in.
  if (mostAdmitted > 2 * limit.value + 1)
    return broken(expected, `more than twice the limit admitted; ${seen}${likely(facts, limit)}`);
  if (survivors.length === 0) {
    if (refusedOf(facts) > 0)
      return unclear(expected, seen, `the admissions match no known limiter of ${perWindow(limit)}`);
    return unclear(
      expected,
      seen,
      grouped`only more than ${2 * limit.value} within a window would show that nothing is enforced`,
    );
  }
  const answers = survivors.map((one) => ({ one, keeps: keeps(one, limit) }));
  if (answers.every((answer) => answer.keeps === 'yes')) return holds(expected, `${seen}${likely(facts, limit)}`);
  if (answers.every((answer) => answer.keeps === 'no')) return broken(expected, `${seen}${likely(facts, limit)}`);
  const [doubtful] = answers.filter((answer) => answer.keeps !== 'yes');
  const why = `${doubtful ? survivorText(doubtful.one, limit) : ''} would have answered the same; at other times it may differ`;
  return unclear(expected, `${seen}${likely(facts, limit)}`, why);
}

const likely = ({ survivors }: RateFacts, limit: RateLimit): string =>
  survivors.length === 0
    ? ''
    : `; behaves like ${[...new Set(survivors.map((one) => survivorText(one, limit)))].join(' or ')}`;

/** The siblings count with the first when what they were sent is needed, or at least fits, to explain all answers. */
function shared(facts: RateFacts, limit: RateLimit): Claim {
  const { siblings, survivors, survivorsWithoutSiblings, over } = facts;
  const expected = `with ${limit.operations[0]} exhausted, ${limit.operations.slice(1).join(' and ')} refused as well`;
  const seen = siblings.map((one) => grouped`${one.operation}: ${one.refused} of ${one.sent} refused`).join('; ');
  if (over.refused === 0) return unclear(expected, seen, 'the budget could not be exhausted');
  if (siblings.some((one) => one.sent === 0)) return unclear(expected, seen, 'a sibling got no answer');
  if (siblings.every((one) => one.refused === one.sent)) return holds(expected, seen);
  // What is left of the limiters counts all of them together.
  if (survivors.length > 0 && siblings.every((one) => one.refused > 0)) return holds(expected, seen);
  const isApart = (survivorsWithoutSiblings?.length ?? 0) > 0 || siblings.some((one) => one.refused === 0);
  if (survivors.length === 0 && isApart) return broken(expected, seen);
  return unclear(
    expected,
    seen,
    'the budget was refilled while the siblings were sent; a faster target would decide it',
  );
}

/** The form of a refusal is convention: 429, with a Retry-After that tells when to come back. */
export function refusalForm(refusals: RateFacts['refusals'], refused: number): Claim {
  const expected = '429 with Retry-After';
  const seen = grouped`${statusText(refusals.statuses)}; Retry-After on ${refusals.withRetryAfter}`;
  if (refused === 0) return unclear(expected, 'no refusal', 'nothing was refused, so its form was not seen');
  const all = Object.values(refusals.statuses).reduce((sum, count) => sum + count, 0);
  const only429 = Object.keys(refusals.statuses).every((status) => status === '429');
  return only429 && refusals.withRetryAfter === all ? holds(expected, seen) : broken(expected, seen);
}
