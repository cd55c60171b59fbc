/**
 * Whether a rate limit is its own operation's alone (spec 8.2: only the status family shares one). Each rate probe
 * exhausts its budget while others go on beside it; what those were answered meanwhile tells whether they are counted
 * together. Where nothing was asked meanwhile, the other way round shows at least that they have a counter each.
 */
import type { RateFacts } from '../../schemas/facts.ts';
import type { RateLimit } from '../../schemas/limits.ts';
import { broken, type Claim, claimOf, holds, unclear } from './claim.ts';

/** The clocks of two k6 processes are read from one wall clock, but not at the same moment. */
const CLOCKS_MS = 50;

/** `apart`: this one was exhausted while the other was served; `reversed`: the other way round. */
type Pair = 'apart' | 'reversed' | 'together' | 'unknown';

/** @param all the facts of all rate probes of the run */
export function judgeIndependence(facts: RateFacts, limit: RateLimit, all: readonly RateFacts[]): Claim {
  const expected = `with ${limit.operations.join(', ')} exhausted, every other operation served`;
  // Where it was asked about twice, both times count.
  const whole = all.find(({ limitId }) => limitId === facts.limitId) ?? facts;
  // What another endpoint is refused meanwhile is counted together all the more; what it is served shows nothing.
  const pairs = all
    .filter((one) => one.limitId !== facts.limitId)
    .map((other) => ({ other, shown: compare(whole, other) }))
    .filter(({ other, shown }) => other.instId === facts.instId || shown === 'together');
  const name = (one: RateFacts) => one.limitId.replace(/\.rate$/, '');
  if (whole.exhaustion.exhausted.length === 0) return unclear(expected, 'never exhausted', 'nothing was refused');
  if (pairs.length === 0) {
    const needs = `other rate limits asked on ${facts.instId} in the same run: no --only, and one endpoint for all`;
    return claimOf({ kind: 'not-observable', needs }, expected);
  }
  const told = (shown: Pair) => pairs.filter((pair) => pair.shown === shown).map(({ other }) => name(other));
  const list = (names: readonly string[]) => names.join(', ') || 'none';
  const reversed = told('reversed');
  const inReturn = reversed.length > 0 ? `; it was served while these were: ${list(reversed)}` : '';
  const seen = `served while it was exhausted: ${list(told('apart'))}${inReturn}`;
  const together = pairs.filter(({ shown }) => shown === 'together');
  const rivals = together.map(({ other }) => rivalsOf(whole, other, all));
  if (rivals.some((names) => names.length === 0)) {
    const surely = together.filter((_, index) => rivals[index]?.length === 0).map(({ other }) => name(other));
    return broken(expected, `refused while it was exhausted, within their own: ${list(surely)}`);
  }
  if (together.length > 0) {
    const also = [...new Set(rivals.flat().map(name))];
    const why = `${list(told('together'))} refused within their own, while it and ${list(also)} were exhausted`;
    return unclear(expected, seen, `${why}: any of them may be why`);
  }
  const unknown = told('unknown');
  if (unknown.length === 0) return holds(expected, seen);
  return unclear(expected, seen, `${list(unknown)} and it were never asked while only the other was exhausted`);
}

function compare(one: RateFacts, other: RateFacts): Pair {
  const there = during(one, other);
  if (there.served > 0 || servedBeyondRefill(one, other)) return 'apart';
  // One that refuses within its limit at other times too has a fault of its own.
  if (there.refusedWithin > there.refusedElsewhere) return 'together';
  return during(other, one).served > 0 || servedBeyondRefill(other, one) ? 'reversed' : 'unknown';
}

/** A refill is known that closely. */
const REFILL_MARGIN = 1.1;
/** So much more than the refill is no matter of a clock. */
const BEYOND = 5;

/**
 * Whether the second was served more, since the first had nothing left, than the first can have got back: a token bucket
 * gets some all the time, so it is never exhausted for long.
 */
function servedBeyondRefill({ algorithm, bucket, limit, windowMs, exhaustion }: RateFacts, other: RateFacts): boolean {
  if (algorithm !== 'token-bucket') return false;
  const perMs = (REFILL_MARGIN * Math.max(limit, bucket?.refill?.upper ?? limit)) / windowMs;
  const sent = Float64Array.from(other.exhaustion.served.fromMs).sort();
  const answered = Float64Array.from(other.exhaustion.served.toMs).sort();
  const ends = exhaustion.exhausted.map(({ toMs }) => toMs).sort((a, b) => a - b);
  // By the moment of each end: requests that may count as sent before it, less what would have come in by then.
  let [before, end, least] = [0, 0, Number.POSITIVE_INFINITY];
  return answered.some((atMs, index) => {
    for (; (ends[end] ?? Number.POSITIVE_INFINITY) < atMs; end += 1) {
      const endMs = ends[end] ?? 0;
      while ((sent[before] ?? Number.POSITIVE_INFINITY) <= endMs + CLOCKS_MS) before += 1;
      least = Math.min(least, before - perMs * endMs);
    }
    return index + 1 - perMs * (atMs + CLOCKS_MS) - least > BEYOND;
  });
}

/** Limits that were exhausted as well whenever the other was refused within its own, and never while it was served. */
function rivalsOf(one: RateFacts, other: RateFacts, all: readonly RateFacts[]): readonly RateFacts[] {
  const { refusedWithin } = during(one, other);
  return all.filter((rival) => {
    if ([one.limitId, other.limitId].includes(rival.limitId)) return false;
    const there = during(rival, other);
    return there.served === 0 && there.refusedWithin >= refusedWithin;
  });
}

/** What became of the second one's requests while the first was exhausted. */
function during({ exhaustion: { exhausted } }: RateFacts, { exhaustion }: RateFacts) {
  const isInside = (fromMs: number, toMs: number): boolean =>
    exhausted.some((spell) => fromMs > spell.fromMs + CLOCKS_MS && toMs < spell.toMs - CLOCKS_MS);
  const { served, refusedWithin } = exhaustion;
  const meanwhile = refusedWithin.filter(({ fromMs, toMs }) => isInside(fromMs, toMs)).length;
  return {
    served: served.fromMs.filter((fromMs, index) => isInside(fromMs, served.toMs[index] ?? Number.POSITIVE_INFINITY))
      .length,
    refusedWithin: meanwhile,
    refusedElsewhere: refusedWithin.length - meanwhile,
  };
}
