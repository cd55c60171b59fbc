/** When one burst of a rate probe is not enough to say what limit is behind it, and when a second one is. */
import type { Interval, RateFacts } from '../../schemas/facts.ts';
import { type Ledger, zeroOf } from '../../schemas/ledger.ts';
import { hasBoundaries } from '../../schemas/rate-facts.ts';
import type { Classify } from './outcome.ts';

/**
 * Whether one burst is not enough: it admitted more than the limit within a window, which a larger limit does, and
 * also one with windows whose boundary fell into the burst. A second burst at another phase tells them apart; it is
 * asked for whatever the limit behaves like, since a counter may pass for a log. Only what a bucket refilled is known
 * from the first. A smaller limit may hide behind a boundary too.
 */
export function needsConfirmation(facts: RateFacts): boolean {
  const admitted = facts.burst.admitted + facts.over.admitted;
  const refused = facts.burst.refused + facts.over.refused;
  const spanMs = facts.over.toMs - facts.burst.fromMs;
  const excess = admitted > facts.limit && refused > 0 && spanMs < facts.windowMs;
  if (hasBoundaries(facts.algorithm) && refused > 0 && spanMs < facts.windowMs && !facts.betweenBoundaries) return true;
  return excess && facts.algorithm !== 'token-bucket';
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

/** Whether a burst, from its first request to its last answer, surely fell between two such boundaries. */
export function isBetween(boundary: Interval | null, ledger: Ledger, windowMs: number): boolean {
  const zeroMs = zeroOf(ledger);
  const burst = ledger.entries.filter(({ phase }) => phase === 'burst' || phase === 'over');
  if (boundary === null || zeroMs === undefined || burst.length === 0) return false;
  const fromMs = zeroMs + burst.reduce((least, { sentMs }) => Math.min(least, sentMs), Number.POSITIVE_INFINITY);
  const toMs = zeroMs + burst.reduce((most, { firstByteMs }) => Math.max(most, firstByteMs), 0);
  const since = (fromMs - boundary.toMs) % windowMs;
  const after = since < 0 ? since + windowMs : since;
  return after + (toMs - fromMs) < windowMs - (boundary.toMs - boundary.fromMs);
}
