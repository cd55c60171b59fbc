/** When one burst of a rate probe is not enough to say what limit is behind it, and when a second one is. */
import type { Interval, RateFacts } from '../../schemas/facts.ts';
import { type Ledger, zeroOf } from '../../schemas/ledger.ts';
import type { LedgerRow } from '../../schemas/ledger-rows.ts';
import { mayHaveBoundaries } from '../../schemas/rate-facts.ts';
import type { Classify } from './outcome.ts';

/**
 * Whether one burst is not enough: it admitted more than the limit within a window, which a larger limit does, and
 * also one with windows whose boundary fell into the burst. A second burst at another phase tells them apart; it is
 * asked for whatever the limit behaves like, since a counter may pass for a log. Only what a bucket refilled is known
 * from the first. A smaller limit may hide behind a boundary too. And what is like no limiter as documented is seen once
 * more before it is called another.
 */
export function needsConfirmation(facts: RateFacts): boolean {
  const admitted = facts.burst.admitted + facts.over.admitted;
  const refused = facts.burst.refused + facts.over.refused;
  const spanMs = facts.over.toMs - facts.burst.fromMs;
  if (refused === 0 || spanMs >= facts.windowMs) return false;
  if (wantsWhole(facts)) return true;
  if (mayHaveBoundaries(facts) && !facts.betweenBoundaries) return true;
  if (facts.algorithm === 'token-bucket') return facts.bucket !== undefined && isLikely(facts.bucket, facts.limit);
  return admitted > facts.limit;
}

/** A bucket of the documented size, unless it was larger and lost something while it was full: that seldom comes twice. */
function isLikely({ size, likely }: NonNullable<RateFacts['bucket']>, limit: number): boolean {
  return size.lower === limit && size.upper > limit && likely?.upper === limit;
}

/**
 * Whether all of it is to be seen once more, and not only the burst: what it behaved like that is not documented may have
 * been trouble, which does not come twice alike; and what was refused within the limit may be older requests that a
 * counter still weighed, which comes from idle windows the second time.
 */
export const wantsWhole = ({ likeDocumented, refusedWithinLimit }: RateFacts): boolean =>
  likeDocumented === false || refusedWithinLimit > 0;

/** On the wall clock: from the first request of a burst until it was exhausted; null where it can't be placed there. */
export function burstOf(ledger: Ledger, entries: readonly LedgerRow[], classify: Classify): Interval | null {
  const zeroMs = zeroOf(ledger);
  const burst = entries.filter(({ phase }) => phase === 'burst' || phase === 'over');
  if (zeroMs === undefined || burst.length === 0) return null;
  const fromMs = burst.reduce((least, { sentMs }) => Math.min(least, sentMs), Number.POSITIVE_INFINITY);
  const admitted = burst.filter((entry) => classify(entry) === 'admitted');
  const toMs = admitted.reduce((most, { firstByteMs }) => Math.max(most, firstByteMs), fromMs);
  return { fromMs: zeroMs + fromMs, toMs: zeroMs + toMs };
}

/** Clocks drift, and a target's windows need not begin to the millisecond. */
const MARGIN_MS = 10;

/**
 * Whether the two fell into parts of a window that do not overlap, so that a boundary lay in one of them at most,
 * wherever the boundaries are: the one that admitted less met none.
 */
export function areApart(one: Interval | null, other: Interval | null, windowMs: number): boolean {
  if (one === null || other === null) return false;
  const [spanMs, otherSpanMs] = [one, other].map(({ fromMs, toMs }) => toMs - fromMs + MARGIN_MS);
  const after = (((other.fromMs - one.fromMs) % windowMs) + windowMs) % windowMs;
  return after > (spanMs ?? windowMs) && after + (otherSpanMs ?? windowMs) < windowMs;
}

/**
 * Between which moments of the wall clock a boundary lay, if the limit has fixed windows: the last refused poll and the
 * first admitted one. null where nothing came back, or it can't be placed.
 */
export function boundaryOf(ledger: Ledger, classify: Classify): Interval | null {
  const zeroMs = zeroOf(ledger);
  const asked = ledger.entries
    .filter(({ phase }) => phase === 'over' || phase === 'recovery')
    .sort((a, b) => a.sentMs - b.sentMs);
  const back = asked.findIndex((one) => one.phase === 'recovery' && classify(one) === 'admitted');
  const refused = asked.slice(0, Math.max(0, back)).findLast((one) => classify(one) === 'refused');
  const first = asked[back];
  return zeroMs === undefined || !first || !refused
    ? null
    : { fromMs: zeroMs + refused.sentMs, toMs: zeroMs + first.firstByteMs };
}

/** Whether a burst surely fell between two such boundaries. */
export function isBetween(boundary: Interval | null, burst: Interval | null, windowMs: number): boolean {
  if (boundary === null || burst === null) return false;
  const since = (burst.fromMs - boundary.toMs) % windowMs;
  const after = since < 0 ? since + windowMs : since;
  return after + (burst.toMs - burst.fromMs) < windowMs - (boundary.toMs - boundary.fromMs);
}

/** A burst, and when it was; null where it can't be placed on the wall clock. */
export interface Burst {
  readonly entries: readonly LedgerRow[];
  readonly classify: Classify;
  readonly at: Interval | null;
}

/**
 * Whether no boundary of windows as long as documented, or longer, can have fallen into both bursts: requests came back
 * more often within a window than boundaries do, or the two are apart by every length that the recovery leaves. Shorter
 * windows let more through than documented.
 * @param boundary after the first burst, see `boundaryOf`
 */
export function excludeBoundaries(boundary: Interval | null, one: Burst, other: Burst, windowMs: number): boolean {
  return (
    [one, other].some((burst) => timesBack(burst, windowMs) > 1) ||
    (boundary !== null && one.at !== null && other.at !== null && areApartInAny(boundary, one.at, other.at))
  );
}

/** If the boundary before the next one fell into the first burst, the windows are as long as between those two. */
function areApartInAny(boundary: Interval, one: Interval, other: Interval): boolean {
  const shortestMs = boundary.fromMs - one.toMs - MARGIN_MS;
  const longestMs = boundary.toMs - one.fromMs + MARGIN_MS;
  const gapMs = other.fromMs - one.fromMs;
  if (shortestMs <= 0 || gapMs <= 0) return false;
  const [spanMs, otherSpanMs] = [one, other].map(({ fromMs, toMs }) => toMs - fromMs + MARGIN_MS) as [number, number];
  const whole = Math.floor(gapMs / longestMs);
  return gapMs - whole * longestMs > spanMs && gapMs + otherSpanMs < (whole + 1) * shortestMs;
}

/**
 * How often requests were admitted again after others had been refused, until the first of the burst is a window old, at
 * least: each sent when the one before had been answered. What counts in several places does so again and again.
 */
function timesBack({ entries, classify }: Burst, windowMs: number): number {
  const fromMs = entries.reduce(
    (least, { phase, sentMs }) => (phase === 'burst' ? Math.min(least, sentMs) : least),
    Infinity,
  );
  const answered = entries
    .filter(({ phase, firstByteMs }) => EARLY.includes(phase) && firstByteMs < fromMs + windowMs - MARGIN_MS)
    .sort((a, b) => a.firstByteMs - b.firstByteMs);
  let [times, sinceMs, wanted] = [0, Number.NEGATIVE_INFINITY, 'refused'];
  for (const entry of answered) {
    if (entry.sentMs <= sinceMs || classify(entry) !== wanted) continue;
    if (wanted === 'admitted') times += 1;
    sinceMs = entry.firstByteMs;
    wanted = wanted === 'refused' ? 'admitted' : 'refused';
  }
  return times;
}

const EARLY: readonly string[] = ['burst', 'over', 'recovery'];
