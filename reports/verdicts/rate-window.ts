/**
 * What a limiter that behaves as it was seen lets through in the long run: whether its window is the documented one, is
 * another, or may be another one too.
 */
import type { Bounds, RateFacts } from '../../schemas/facts.ts';
import type { RateLimit } from '../../schemas/limits.ts';
import { measureRate } from './measure.ts';

interface Behaviour {
  readonly perWindow: Bounds;
  readonly text: string;
}

/** How far off the documented window every fitted one must be to be called another: its fit is not exact. */
export const WINDOW_OFF = 0.03;

/**
 * What a limiter that behaves so lets through in a documented window in the long run, where that is not the limit: its
 * window is shorter or longer, or its bucket is refilled faster or slower. Undefined where it is as documented, or not
 * known.
 */
export function behaviour(facts: RateFacts): Behaviour | undefined {
  const { algorithm, couldBe, windowMs, limit, bucket } = facts;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const refill = algorithm === 'token-bucket' ? bucket?.refill : undefined;
  if (refill && (refill.lower > limit * (1 + WINDOW_OFF) || refill.upper < limit * (1 - WINDOW_OFF))) {
    const text = `a token bucket refilled with ${Math.round(refill.lower)} to ${Math.round(refill.upper)} per ${seconds(windowMs)}`;
    return { perWindow: refill, text };
  }
  const agreed = agreedWindows(facts);
  if (agreed === undefined) return undefined;
  const { lower, upper } = agreed;
  if (lower <= (1 + WINDOW_OFF) * windowMs && upper >= (1 - WINDOW_OFF) * windowMs) return undefined;
  const measured = measureRate(facts);
  const [least, most] = [measured?.lower ?? limit, measured?.upper ?? limit];
  const value = least === most ? `${least}` : `${least} to ${most}`;
  const long = seconds(lower) === seconds(upper) ? seconds(lower) : `${seconds(lower)} to ${seconds(upper)}`;
  const perWindow = { lower: (least * windowMs) / upper, upper: (most * windowMs) / lower };
  return { perWindow, text: `behaves like a ${kindsText(couldBe)} of ${value} per ${long}` };
}

/** Two runs find the same window again to this share of it. */
const SAME_WINDOW = 0.01;

/**
 * Whether it is a log that forgets in steps of the clock, as many are: each time as such a one, and not each time with
 * the same other window.
 */
export function isStepped(facts: RateFacts): boolean {
  return facts.maybeInSteps && facts.confirmation?.maybeInSteps === true && agreedWindows(facts) === undefined;
}

/** What a restart or a stall of somebody leaves behind is like another window as well, but not twice. */
function agreedWindows({ likeDocumented, fittedWindows: first, confirmation }: RateFacts): Bounds | undefined {
  const second = confirmation?.fittedWindows;
  if (likeDocumented !== false || confirmation?.likeDocumented !== false || !first || !second) return undefined;
  const disagree = first.lower > second.upper * (1 + SAME_WINDOW) || second.lower > first.upper * (1 + SAME_WINDOW);
  if (disagree) return undefined;
  return { lower: Math.min(first.lower, second.lower), upper: Math.max(first.upper, second.upper) };
}

export const kindsText = (kinds: RateFacts['couldBe']): string => kinds.join(' or a ').replaceAll('-', ' ');

/** What was admitted at once is right, but not what came back later. */
export function whyUnlike({ couldBe, fittedWindows }: RateFacts, { value, windowMs }: RateLimit): string {
  const unlike = `what came back later is like no known limiter of ${value} requests per ${windowMs / 1000} s`;
  if (!fittedWindows) return unlike;
  const [from, to] = [fittedWindows.lower, fittedWindows.upper].map((ms) => (ms / 1000).toFixed(2));
  return `${unlike}, but like a ${kindsText(couldBe)} with windows of ${from} to ${to} s`;
}

/** Farther off the documented one than moments are told apart when few requests are all there is to see. */
const OTHER_WINDOW = 0.12;

/**
 * Why it is not known whether the windows are long enough to enforce the limit, or short enough to keep its guarantee:
 * others would have answered alike. Undefined where none would. What is like no documented one does not get here for the
 * enforcement; for the guarantee each time has to leave room for longer ones.
 */
export function openFor(claim: 'enforced' | 'guarantee', facts: RateFacts): string | undefined {
  const { windowMs, couldBe, confirmation } = facts;
  const text = (ms: number) =>
    `a ${kindsText(couldBe)} with windows of ${(ms / 1000).toFixed(2)} s would have answered alike; ` +
    'at another moment they differ, so run it once more';
  const like = [facts, confirmation].find((one) => one?.likeDocumented === true)?.fittedWindows;
  if (like) {
    const { lower, upper } = like;
    const other = notRuledOut(facts, like);
    if (other && (claim === 'enforced' ? other.upper < windowMs : other.lower > windowMs)) return text(other.lower);
    if (claim === 'enforced') return lower < (1 - OTHER_WINDOW) * windowMs ? text(lower) : undefined;
    return upper > (1 + OTHER_WINDOW) * windowMs ? text(upper) : undefined;
  }
  if (claim === 'enforced') return undefined;
  if (facts.likeDocumented === null) return nothingBack(facts);
  if (isStepped(facts)) return undefined;
  const uppers = [facts, confirmation].flatMap((one) => one?.fittedWindows?.upper ?? []);
  const least = Math.min(...uppers);
  return uppers.length > 0 && least > (1 + WINDOW_OFF) * windowMs ? text(least) : undefined;
}

/** Windows that were found the first time, other than documented, and that the second time leaves possible. */
function notRuledOut({ likeDocumented, fittedWindows, windowMs }: RateFacts, like: Bounds): Bounds | undefined {
  if (likeDocumented !== false || !fittedWindows) return undefined;
  const { lower, upper } = fittedWindows;
  const isOther = upper < (1 - WINDOW_OFF) * windowMs || lower > (1 + WINDOW_OFF) * windowMs;
  const isPossible = lower <= like.upper * (1 + SAME_WINDOW) && like.lower <= upper * (1 + SAME_WINDOW);
  return isOther && isPossible ? fittedWindows : undefined;
}

/** Whatever keeps the promise gives something back within a window; asked that often, a tiny limit is not to blame yet. */
function nothingBack({ recovery, burst, over, windowMs }: RateFacts): string | undefined {
  const sinceMs = (recovery.at(-1)?.atMs ?? 0) - Math.max(burst.toMs, over.toMs);
  if (burst.refused + over.refused === 0 || sinceMs < windowMs || recovery.some(({ admitted }) => admitted)) {
    return undefined;
  }
  const [polls, seconds] = [recovery.length, (sinceMs / 1000).toFixed(1)];
  return `none of ${polls} requests was admitted for ${seconds} s after the burst, as with a longer window; run it once more`;
}
