/**
 * A token bucket to the token. What it admits at once is its size and what came in meanwhile, so the size follows only
 * from the moments: each admission bounds it from below and each refusal from above, both with the arrival as early or
 * as late as it can have been.
 */
import type { Bounds } from '../../../schemas/facts.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import type { Classify } from '../outcome.ts';
import { countBelow } from '../windows.ts';

/**
 * The size of a bucket that is refilled with its size in each window, from the first exhaustion after an idle window:
 * `size * (1 + t / window)` tokens have been there `t` after the first request, less what came in while it was full.
 *
 * @param entries admitted and refused requests, from the first one to the exhaustion and beyond
 * @returns requests; nothing fits where `lower` is above `upper`
 */
export function bucketSize(entries: readonly LedgerRow[], classify: Classify, windowMs: number): Bounds {
  const grown = (ms: number) => 1 + ms / windowMs;
  return sizeBounds(entries, classify, {
    fastest: (entries.length + 1) / windowMs,
    lower: (had, ms) => had / grown(ms),
    upper: (most, ms, mayBeLost) =>
      mayBeLost.reduce(
        (size, { taken, ms: full }) => Math.max(size, (most - taken) / (grown(ms) - full / windowMs)),
        most / grown(ms),
      ),
  });
}

/**
 * The same, if the target took the other requests right behind the first one, as it does unless it stalled just then: so
 * nothing was lost. What is seen so once is likely, and what is seen so twice is taken to be so.
 */
export function likelyBucketSize(entries: readonly LedgerRow[], classify: Classify, windowMs: number): Bounds {
  const grown = (tokens: number, ms: number) => tokens / (1 + ms / windowMs);
  return sizeBounds(entries, classify, { fastest: 0, lower: grown, upper: grown });
}

/**
 * The same for a bucket that is refilled at a rate of its own, known between two bounds (tokens per window): what it
 * admitted less what came in meanwhile.
 */
export function bucketSizeBy(
  refill: Bounds,
  entries: readonly LedgerRow[],
  classify: Classify,
  windowMs: number,
): Bounds {
  const { lower, upper } = sizeBounds(entries, classify, {
    fastest: refill.upper / windowMs,
    lower: (had, ms) => had - (refill.upper * ms) / windowMs,
    upper: (most, ms, mayBeLost) => {
      const lost = ({ taken, ms: full }: Taken) => (refill.upper * full) / windowMs - taken;
      const mostLost = mayBeLost.reduce((all, one) => Math.max(all, lost(one)), 0);
      return most + mostLost - (refill.lower * ms) / windowMs;
    },
  });
  return { lower: Math.max(0, lower), upper };
}

/** Up to a moment, ms after the first request, when no more than so many tokens were surely taken. */
interface Taken {
  readonly ms: number;
  readonly taken: number;
}

/** What it holds, of so many tokens that were there in all within so many milliseconds after the first request. */
interface Filled {
  /** Tokens per millisecond that come in at most; what was taken at least as fast was never lost. */
  readonly fastest: number;
  /** At least, if it had at least so many within at most that time. */
  readonly lower: (tokens: number, ms: number) => number;
  /** Less than this, if it had fewer within at least that time; what came in while it may have been full is lost. */
  readonly upper: (tokens: number, ms: number, mayBeLost: readonly Taken[]) => number;
}

function sizeBounds(entries: readonly LedgerRow[], classify: Classify, filled: Filled): Bounds {
  const admitted = entries.filter((entry) => classify(entry) === 'admitted');
  const refused = entries.filter((entry) => classify(entry) === 'refused');
  const least = (values: readonly number[]) => values.reduce((one, other) => Math.min(one, other), Infinity);
  const begin = { early: least(entries.map((one) => one.sentMs)), late: least(entries.map((one) => one.firstByteMs)) };
  const sent = Float64Array.from(admitted, ({ sentMs }) => sentMs).sort();
  const answered = Float64Array.from(admitted, ({ firstByteMs }) => firstByteMs).sort();
  const lower = admitted.reduce((most, one) => {
    // Whatever was answered by then had its token by then.
    const had = countBelow(answered, one.firstByteMs + ROUNDING);
    return Math.max(most, filled.lower(had, Math.max(0, one.firstByteMs - begin.early)));
  }, 0);
  // A target that stalls behind its first request fills its bucket again before it takes the others. By when each was
  // answered it had been taken, and the first one at once. Mostly they were answered too soon for that.
  const slowly = Array.from(
    answered,
    (atMs, index): Taken => ({ ms: atMs - begin.early, taken: Math.max(1, index) }),
  ).filter(({ ms, taken }) => filled.fastest * ms > taken);
  const upper = refused.reduce((fewest, one) => {
    const before = countBelow(sent, one.firstByteMs);
    const ms = Math.max(0, one.sentMs - begin.late);
    const untilMs = one.firstByteMs - begin.early;
    const mayBeLost = slowly.map(({ ms: atMs, taken }) => ({ ms: Math.min(atMs, untilMs), taken }));
    return Math.min(fewest, filled.upper(before + 1, ms, mayBeLost));
  }, Infinity);
  return { lower: Math.ceil(lower - ROUNDING), upper: Math.ceil(upper - ROUNDING) - 1 };
}

const ROUNDING = 1e-9;

/**
 * Tokens that come in per window, from two exhaustions: what was admitted between a refusal of the first and one of
 * the second, each of which found less than one token. Undefined where there are no such two.
 *
 * @param all whatever may have taken a token between them, as polls do
 */
export function bucketRefill(
  first: readonly LedgerRow[],
  second: readonly LedgerRow[],
  all: readonly LedgerRow[],
  classify: Classify,
  windowMs: number,
): Bounds | undefined {
  const from = last(first.filter((one) => classify(one) === 'refused'));
  const to = last(second.filter((one) => classify(one) === 'refused'));
  if (!from || !to || to.sentMs <= from.firstByteMs) return undefined;
  const meanwhile = all.filter(({ firstByteMs, sentMs }) => firstByteMs > from.sentMs && sentMs < to.firstByteMs);
  const admitted = meanwhile.filter((one) => classify(one) === 'admitted');
  const maybe = admitted.length;
  const surely = admitted.filter((one) => one.sentMs > from.firstByteMs && one.firstByteMs < to.sentMs).length;
  const [longest, shortest] = [to.firstByteMs - from.sentMs, to.sentMs - from.firstByteMs];
  return { lower: (Math.max(0, surely - 1) / longest) * windowMs, upper: ((maybe + 1) / shortest) * windowMs };
}

/**
 * The same over the whole of a long time between two exhaustions: known far closer, if the bucket was never full in it,
 * when what came in would have been lost. Undefined where it may have been.
 *
 * @param size what the bucket holds at least
 * @param soon what comes in per window as far as a short time tells, in which it surely was not full
 */
export function longRefill(
  first: readonly LedgerRow[],
  second: readonly LedgerRow[],
  all: readonly LedgerRow[],
  classify: Classify,
  { windowMs, size, soon }: { readonly windowMs: number; readonly size: number; readonly soon: Bounds },
): Bounds | undefined {
  const refill = bucketRefill(first, second, all, classify, windowMs);
  const from = last(first.filter((one) => classify(one) === 'refused'));
  const to = last(second.filter((one) => classify(one) === 'refused'));
  if (!refill || !from || !to) return undefined;
  const taken = all
    .filter((one) => classify(one) === 'admitted' && one.firstByteMs > from.sentMs && one.sentMs < to.firstByteMs)
    .sort((a, b) => a.firstByteMs - b.firstByteMs);
  const perWindow = (tokens: number, ms: number) => (ms > 0 ? (tokens * windowMs) / ms : tokens > 0 ? Infinity : 0);
  // Fullest right before somebody takes one: then enough had come in by then, and all of it, and what came in later, has
  // been taken when it is exhausted again.
  const mayBeFull = (one: LedgerRow, before: number): boolean => {
    const least = perWindow(before + size - UNSURE, one.firstByteMs - from.sentMs);
    const most = perWindow(taken.length - before + UNSURE - size, to.sentMs - one.firstByteMs);
    return Math.max(soon.lower, least) <= Math.min(soon.upper, most);
  };
  return taken.some(mayBeFull) ? undefined : refill;
}

/** Tokens: of a part of one at either end, and of two that come at the same time. */
const UNSURE = 2;

function last(entries: readonly LedgerRow[]): LedgerRow | undefined {
  return [...entries].sort((a, b) => a.sentMs - b.sentMs).at(-1);
}
