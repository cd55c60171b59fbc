/** Facts of a payload probe -> claims. Between the two readings of a megabyte nothing is judged. */
import type { PayloadAttempt, PayloadFacts } from '../../../schemas/facts.ts';
import { isAdded, type PayloadLimit } from '../../../schemas/limits.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import { brokenLedger, generatorFault } from '../../verdicts/evidence.ts';
import { jobFinding } from './job.ts';
import { attemptText, borderText, bytesText, isRefusal, isSure, type Side, sidesOf } from './sides.ts';

/**
 * Of one size, with one encoding. Where one in ten breaks off by chance, this happens to one in a thousand such sizes.
 */
const TIMES = 3;

/**
 * Why those that broke off may not be due to the size, or undefined where they can be due to nothing else. A road on
 * which connections break cuts some at random, or all for a while, and so does a target that restarts or breaks down now
 * and then; only a size fares so each time.
 */
export function doubtOfBreak(refusal: PayloadAttempt, { attempts, health }: PayloadFacts): string | undefined {
  // The missing part may be how such a body was treated when it was retried.
  const fault = brokenLedger(health);
  if (fault) return fault;
  const isOwn = ({ bytes, encoding }: PayloadAttempt) => bytes === refusal.bytes && encoding === refusal.encoding;
  const at = attempts.flatMap((one, index) => (isOwn(one) ? [index] : []));
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  if (at.length < TIMES) return grouped`it broke off ${at.length} times only, which may be chance`;
  const others = otherBreaks(attempts, health.unanswered);
  if (others > 0) return grouped`${others} requests that were not large broke off too`;
  const lasted = (from: number, to: number): boolean =>
    attempts.slice(from, to).some((one) => one.outcome === 'accepted' && one.bytes < refusal.bytes);
  return lasted(first, last) && lasted(last, attempts.length)
    ? undefined
    : grouped`between these ${at.length} times and afterwards no smaller body was accepted, so the size may not be the cause`;
}

/** Small bodies, and all other requests. */
function otherBreaks(attempts: readonly PayloadAttempt[], unanswered: number): number {
  const smallest = attempts.reduce((least, { bytes }) => Math.min(least, bytes), Number.POSITIVE_INFINITY);
  const large = attempts.filter(({ status, bytes }) => status === 0 && bytes > smallest);
  const small = attempts.filter(({ status, bytes }) => status >= 500 && bytes === smallest);
  return unanswered - large.length + small.length;
}

export function judgePayload(facts: PayloadFacts, limit: PayloadLimit): Record<string, Claim> {
  const sides = sidesOf(facts);
  // What comes of a body of the configuration's own operations is not known: its answer is all there is to judge by.
  const job = isAdded(limit) ? '' : ', and a job that got all of it';
  const mustAccept = `a body of ${bytesText(facts.acceptBytes)} accepted${job}`;
  const guaranteeOf: JudgeSide = isAdded(limit) ? acceptedOf : withJobOf;
  const mustRefuse = `a body of ${bytesText(facts.refuseBytes)} refused`;
  return {
    [`${limit.id}.guarantee`]: together(sides, facts, mustAccept, guaranteeOf),
    [`${limit.id}.enforced`]: together(sides, facts, mustRefuse, enforcedOf),
    [`${limit.id}.refusal`]: cleanRefusal(sides, facts),
  };
}

type JudgeSide = (side: Side, facts: PayloadFacts, expected: string) => Claim;

/**
 * Bodies with Content-Length carry the verdict. Chunked ones, which a service may do without, can break it where it
 * accepts them; where they show nothing, the text says so.
 */
function together(sides: readonly Side[], facts: PayloadFacts, expected: string, judge: JudgeSide): Claim {
  const usual = sides.find(({ encoding }) => encoding === 'content-length');
  const chunked = sides.find(({ encoding }) => encoding === 'chunked');
  const first = usual
    ? judge(usual, facts, expected)
    : inconclusive(expected, 'not reached', generatorFault(facts.health) ?? 'the probe stopped before the first body');
  if (!chunked?.taken) return withRemark(first, chunked ? notTaken(chunked) : 'no chunked body was sent');
  const second = judge(chunked, facts, expected);
  const seen = `${first.observed}; ${second.observed}`;
  if (first.verdict !== 'broken' && second.verdict === 'broken') {
    const alone = first.verdict === 'holds' ? '; only bodies with Content-Length keep to the limit' : '';
    return broken(expected, `${seen}${alone}`);
  }
  if (first.verdict !== 'inconclusive' && second.reason)
    return withRemark(first, `chunked not shown: ${second.reason}`);
  return { ...first, observed: seen };
}

function notTaken({ attempts: [smallest] }: Side): string {
  return smallest && isRefusal(smallest)
    ? `no chunked body is taken, not even a small one (${smallest.status || smallest.outcome})`
    : `chunked bodies are not shown (${smallest ? attemptText(smallest) : 'none was sent'})`;
}

const withRemark = (claim: Claim, remark: string): Claim => ({ ...claim, observed: `${claim.observed}; ${remark}` });

/** What the attempt at one size came to, or why there is none. */
function attemptAt(side: Side, size: number, facts: PayloadFacts, expected: string): PayloadAttempt | Claim {
  const smallest = side.attempts[0];
  if (smallest && !side.taken) {
    const reason = `not even a body of ${bytesText(smallest.bytes)} was accepted, so this is not about the size`;
    return inconclusive(expected, attemptText(smallest), reason);
  }
  const attempt = side.attempts.find((one) => one.bytes === size);
  if (!attempt) {
    return inconclusive(expected, 'not reached', generatorFault(facts.health) ?? stoppedAt(side));
  }
  const inTheWay = attempt.outcome === 'other' || attempt.outcome === 'unanswered';
  const reason = 'this is neither an acceptance nor a refusal for the size';
  return inTheWay ? inconclusive(expected, attemptText(attempt), reason) : attempt;
}

/** What ended the search before it came to some size. */
function stoppedAt({ attempts }: Side): string {
  const last = attempts.at(-1);
  return `the probe stopped before this size${last ? `: ${attemptText(last)}` : ''}`;
}

const isClaim = (one: PayloadAttempt | Claim): one is Claim => 'verdict' in one;

/** Why a refusal can't be put down to the size. */
function doubt(attempt: PayloadAttempt, side: Side, facts: PayloadFacts): string | undefined {
  if (attempt.outcome === 'broken-off') return doubtOfBreak(attempt, facts);
  if (!isSure(attempt, facts)) return 'no smaller body was accepted afterwards, so the size may not be the cause';
  return side.border ? undefined : 'accepted and refused sizes are mixed, so size is not the cause';
}

function acceptedOf(side: Side, facts: PayloadFacts, expected: string): Claim {
  const attempt = attemptAt(side, facts.acceptBytes, facts, expected);
  if (isClaim(attempt)) return attempt;
  const seen = seenOf(attempt, side);
  if (!isRefusal(attempt)) return holds(expected, seen);
  const reason = doubt(attempt, side, facts);
  return reason ? inconclusive(expected, seen, reason) : broken(expected, seen);
}

function withJobOf(side: Side, facts: PayloadFacts, expected: string): Claim {
  const accepted = acceptedOf(side, facts, expected);
  const attempt = attemptAt(side, facts.acceptBytes, facts, expected);
  if (accepted.verdict !== 'holds' || isClaim(attempt)) return accepted;
  const seen = accepted.observed;
  const { verdict, text } = jobFinding(attempt, facts);
  if (verdict === 'lost') return broken(expected, `${seen}; ${text}`);
  return verdict === 'inconclusive' ? inconclusive(expected, seen, text) : holds(expected, `${seen}; ${text}`);
}

function enforcedOf(side: Side, facts: PayloadFacts, expected: string): Claim {
  const attempt = attemptAt(side, facts.refuseBytes, facts, expected);
  if (isClaim(attempt)) return attempt;
  const seen = seenOf(attempt, side);
  if (!isRefusal(attempt)) return broken(expected, seen);
  const reason = doubt(attempt, side, facts);
  return reason ? inconclusive(expected, seen, reason) : holds(expected, seen);
}

function seenOf(attempt: PayloadAttempt, side: Side): string {
  return [attemptText(attempt), borderText(side)].filter((text) => text !== '').join('; ');
}

/** Statuses that clients send the same request again for. */
const SENT_AGAIN: readonly number[] = [409];

const noneRefused = (sides: readonly Side[]): string =>
  grouped`none of ${sides.reduce((sum, { attempts }) => sum + attempts.length, 0)} bodies was refused, so the form of it was not seen`;

function cleanRefusal(sides: readonly Side[], facts: PayloadFacts): Claim {
  const expected = 'an answer that refuses it, such as 413 or 400';
  const taken = sides.filter((side) => side.taken);
  const refusals = taken.flatMap(({ attempts }) => attempts.filter(isRefusal));
  if (refusals.length === 0) return inconclusive(expected, 'no refusal', noneRefused(taken));
  const doubts = new Map(
    refusals.map((one) => [one, one.outcome === 'broken-off' ? doubtOfBreak(one, facts) : undefined]),
  );
  const clean = refusals.some(({ outcome }) => outcome !== 'broken-off');
  const [doubted] = [...doubts.values()].filter((why) => why !== undefined);
  const proven = [...doubts].some(([{ outcome }, why]) => outcome === 'broken-off' && why === undefined);
  const wrong = refusals.filter(
    ({ outcome, status }) => (outcome === 'broken-off' && proven) || SENT_AGAIN.includes(status),
  );
  const reported = [...new Set(refusals.map(({ status }) => (status === 0 ? 'reset' : String(status))))];
  if (doubted !== undefined && !proven && !clean) return inconclusive(expected, reported.join(', '), doubted);
  const [worst] = wrong;
  if (!worst) return holds(expected, reported.join(', '));
  return broken(
    expected,
    grouped`${reported.join(', ')}; ${wrong.length} of ${refusals.length}, the first: ${attemptText(worst)}`,
  );
}
