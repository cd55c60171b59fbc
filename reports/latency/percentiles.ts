/**
 * Percentiles by nearest rank: the value at rank ceil(p x n) of the sorted values, so that every percentile is a value
 * that was measured. A percentile is left out where fewer than one value would be expected beyond it: of 50 values the
 * 99th percentile is the largest of 50 and says nothing about one in a hundred.
 */
import { type PercentileName, type Percentiles, percentileNames } from '../../schemas/latency.ts';

/** Share of the values at or below it; 1 is the largest. */
export const shares: Readonly<Record<PercentileName, number>> = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, max: 1 };

/** How many values this percentile needs. */
export const valuesNeeded: Readonly<Record<PercentileName, number>> = { p50: 2, p90: 10, p95: 20, p99: 100, max: 1 };

/** A sorted copy. */
export const sorted = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort();

/**
 * The value at nearest rank of sorted values; NaN of none.
 * @param share above 0, at most 1
 */
export function nearestRank(values: ArrayLike<number>, share: number): number {
  // 0.95 x 20 is a hair more than 19, and the rank is 19.
  const rank = Math.ceil(Number((share * values.length).toFixed(6)));
  return values[Math.min(values.length, Math.max(1, rank)) - 1] ?? Number.NaN;
}

/** The precision of all times. */
export const hundredths = (ms: number): number => Math.round(ms * 100) / 100;

/** All that so many sorted values can carry, in hundredths of a millisecond; undefined of none. */
export function percentilesOf(values: Float64Array): Percentiles | undefined {
  if (values.length === 0) return undefined;
  const reported = percentileNames.filter((name) => values.length >= valuesNeeded[name]);
  const all = reported.map((name) => [name, hundredths(nearestRank(values, shares[name]))] as const);
  return { ...Object.fromEntries(all), max: hundredths(nearestRank(values, 1)) };
}

/** Why some of them are absent, or undefined where none is. */
export function missingPercentiles(count: number): string | undefined {
  const missing = percentileNames.filter((name) => count < valuesNeeded[name]);
  if (missing.length === 0 || count === 0) return undefined;
  const needs = missing.map((name) => `${name} needs ${valuesNeeded[name]}`);
  return `${needs.join(', ')} values; there ${count === 1 ? 'is 1' : `are ${count}`}`;
}
