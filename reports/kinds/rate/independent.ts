/**
 * Whether a rate limit belongs to its own operation alone (spec 8.2: only the status family shares one). All rate
 * probes of a run spend their limits at the same time. Where the responses of another limit are explained by its own
 * requests alone, the two are not counted together.
 */
import type { RateFacts } from '../../../schemas/facts.ts';
import { mostWithin } from '../../../schemas/intervals.ts';
import type { RateLimit } from '../../../schemas/limits.ts';
import { broken, type Claim, claimOf, holds, inconclusive } from '../../verdicts/claim.ts';
import { refusedOf } from '../../verdicts/evidence.ts';

/** @param all the facts of all rate probes of the run */
export function judgeIndependence(facts: RateFacts, limit: RateLimit, all: readonly RateFacts[]): Claim {
  const expected = `with ${limit.operations.join(', ')} exhausted, every other operation served`;
  const onSame = all.filter(({ instId }) => instId === facts.instId);
  const own = onSame.filter(({ limitId }) => limitId === facts.limitId);
  const others = onSame.filter(({ limitId }) => limitId !== facts.limitId);
  if (facts.overflow.refused === 0) return inconclusive(expected, 'never exhausted', 'nothing was refused');
  if (others.length === 0) {
    const needs = `other rate limits measured on ${facts.instId} in the same run: no --only, and one endpoint for all`;
    return claimOf({ kind: 'not-observable', needs }, expected);
  }
  // A limit that was measured twice need not have been so both times, nor the other one: one time is enough.
  const relations = [...new Set(others.map(({ limitId }) => limitId))].map((id) => {
    const other = others.filter(({ limitId }) => limitId === id);
    const seen = own.flatMap((one) =>
      other.filter((each) => overlap(one.served, each.served)).map((each) => relationOf(one, each)),
    );
    const is = RELATIONS.find((one) => seen.includes(one)) ?? 'not at the same time';
    return { name: id.replace(/\.rate$/, ''), is };
  });
  const names = (wanted: Relation | 'not at the same time'): string =>
    relations
      .filter((one) => one.is === wanted)
      .map(({ name }) => name)
      .join(', ');
  const seen = `independent: ${names('apart') || 'none'}`;
  if (names('together')) return broken(expected, `refused because of this load: ${names('together')}; ${seen}`);
  if (names('unknown')) {
    const why = `no known limiter explains the responses of ${names('unknown')} by its own requests alone`;
    return inconclusive(expected, seen, `${why}, so it may share this limit; measured alone (--only) it would show`);
  }
  const apartInTime = names('not at the same time');
  if (apartInTime === '') return holds(expected, seen);
  return inconclusive(expected, seen, `not exhausted at the same time: ${apartInTime}; a run of all limits would tell`);
}

/** The first one that was seen counts. */
const RELATIONS = ['together', 'apart', 'unknown'] as const;
type Relation = (typeof RELATIONS)[number];

function relationOf(one: RateFacts, other: RateFacts): Relation {
  if (refusedOf(other) === 0) return 'apart';
  // Refused within its limit, and no limiter of its own explains that: both never got more than one of them may have.
  if (other.within.refused > 0 && other.survivors.length === 0) {
    const isOne = one.survivors.length === 0 && mostTogether(one, other) <= Math.max(one.limit, other.limit);
    return isOne ? 'together' : 'unknown';
  }
  if (isExplained(other, one.mostAdmitted)) return 'apart';
  // So few were sent here that they don't show there; then it is what was sent there that would show here.
  return other.survivors.length > 0 && isExplained(one, other.mostAdmitted) ? 'apart' : 'unknown';
}

/** Its own requests explain its answers, more closely than to so many. */
const isExplained = ({ survivors }: RateFacts, requests: number): boolean =>
  survivors.some(({ value }) => value.upper - value.lower < requests);

/** Most requests of both that were surely admitted within one window. */
function mostTogether(one: RateFacts, other: RateFacts): number {
  const windowMs = Math.min(one.windowMs, other.windowMs);
  const [a, b] = [one.served, other.served];
  const fromMs = Float64Array.from([...a.fromMs, ...b.fromMs]).sort();
  const toMs = Float64Array.from([...a.toMs, ...b.toMs]).sort();
  return mostWithin(fromMs, toMs, windowMs);
}

/** Whether requests of both were admitted at the same time; never where one of them can't be placed on the wall clock. */
function overlap(a: RateFacts['served'], b: RateFacts['served']): boolean {
  const least = (values: Float64Array) => values.reduce((min, one) => Math.min(min, one), Number.POSITIVE_INFINITY);
  const most = (values: Float64Array) => values.reduce((max, one) => Math.max(max, one), Number.NEGATIVE_INFINITY);
  return least(a.fromMs) < most(b.toMs) && least(b.fromMs) < most(a.toMs);
}
