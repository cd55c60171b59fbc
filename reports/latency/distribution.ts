/**
 * How many of a latency took how long, in bins that are each a quarter longer than the one before: a stall of a second and
 * answers of a millisecond are both in it, and two humps stay two, which percentiles alone don't tell.
 */
import type { Distribution } from '../../schemas/latency.ts';
import { hundredths } from './percentiles.ts';

const PER_DECADE = 10;
/** Whatever is quicker is in the first bin: no clock of ours tells it apart. */
const LEAST_MS = 0.01;
/** Of fewer values every one would be a hump. */
export const VALUES_NEEDED = 20;

const edge = (bin: number): number => Number((10 ** (bin / PER_DECADE)).toPrecision(4));

function binOf(ms: number): number {
  const near = Math.floor(Math.log10(Math.max(LEAST_MS, ms)) * PER_DECADE);
  if (ms >= edge(near + 1)) return near + 1;
  return near > Math.log10(LEAST_MS) * PER_DECADE && ms < edge(near) ? near - 1 : near;
}

/**
 * Of the times in hundredths, so that those that were kept make the same one.
 *
 * @param values milliseconds, sorted
 * @returns undefined of too few
 */
export function distributionOf(values: Float64Array): Distribution | undefined {
  if (values.length < VALUES_NEEDED) return undefined;
  const [first = 0, last = 0] = [values[0] ?? 0, values.at(-1) ?? 0].map((ms) => binOf(hundredths(ms)));
  const counts = new Array<number>(last - first + 1).fill(0);
  for (const ms of values) {
    const place = binOf(hundredths(ms)) - first;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return { edgesMs: Array.from({ length: counts.length + 1 }, (_, index) => edge(first + index)), counts };
}
