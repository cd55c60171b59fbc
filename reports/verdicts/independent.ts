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

type Pair = 'apart' | 'together' | 'unknown';

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
  const seen = `served while it was exhausted: ${list(told('apart'))}`;
  const together = told('together');
  if (together.length > 0)
    return broken(expected, `refused while it was exhausted, within their own: ${list(together)}`);
  const unknown = told('unknown');
  if (unknown.length === 0) return holds(expected, seen);
  return unclear(expected, seen, `${list(unknown)} and it were never asked while only the other was exhausted`);
}

function compare(one: RateFacts, other: RateFacts): Pair {
  const there = during(one, other);
  if (there.served > 0) return 'apart';
  // One that refuses within its limit at other times too has a fault of its own.
  if (there.refusedWithin > there.refusedElsewhere) return 'together';
  return during(other, one).served > 0 ? 'apart' : 'unknown';
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
