/**
 * Where a series of measurements, one a run, changed. For every place to cut it the two sides are compared by their
 * ranks (the rank-sum test of Wilcoxon, Mann and Whitney), which one slow night can't sway. There is a change if hardly
 * any random order of the same numbers has as good a cut, and if the medians differ by a relevant ratio; it is where
 * both sides keep closest to their medians. Then each side is tested in the same way.
 */
import { median } from '../../schemas/median.ts';
import { seeded } from '../../schemas/seeded.ts';

/** Fewer runs than that on one side of a cut may be chance. */
export const LEAST_RUNS = 4;
const ORDERS = 1999;
/** Of a thousand series without any change five are reported to have one. */
const SIGNIFICANT = 0.005;
/** Ratio of the medians below which a change is irrelevant. */
const LEAST_RATIO = 1.1;
const SEED = 20;
/** Of which there is a logarithm. */
const LEAST_VALUE = 1e-3;

export interface ChangePoint {
  /** Index of the first value that belongs to what came after. */
  readonly at: number;
  /** Medians of the values before and after it, up to the next change. */
  readonly before: number;
  readonly after: number;
}

/** Ranks from 1; equal values share the mean of theirs. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to += 1;
    for (const index of order.slice(from, to)) ranks[index] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

/** How far the rank sum of a first part is from what chance wants, in standard deviations (without ties), at most. */
function bestCutScore(ranks: readonly number[]): number {
  const count = ranks.length;
  let best = 0;
  let sum = 0;
  for (let at = 1; at <= count - LEAST_RUNS; at += 1) {
    sum += ranks[at - 1] ?? 0;
    if (at < LEAST_RUNS) continue;
    const expected = (at * (count + 1)) / 2;
    const deviation = Math.sqrt((at * (count - at) * (count + 1)) / 12);
    best = Math.max(best, Math.abs(sum - expected) / deviation);
  }
  return best;
}

/** Sum of the distances from the median, on a logarithmic scale. */
function spread(logs: readonly number[]): number {
  const middle = median(logs);
  return logs.reduce((sum, log) => sum + Math.abs(log - middle), 0);
}

/** The cut after which both sides are closest to their medians: one slow night next to it doesn't move it. */
function placeOf(values: readonly number[]): number {
  const logs = values.map((value) => Math.log(Math.max(LEAST_VALUE, value)));
  let [best, least] = [LEAST_RUNS, Number.POSITIVE_INFINITY];
  for (let at = LEAST_RUNS; at <= values.length - LEAST_RUNS; at += 1) {
    const cost = spread(logs.slice(0, at)) + spread(logs.slice(at));
    if (cost < least) [best, least] = [at, cost];
  }
  return best;
}

/** Share of random orders, this one among them, that have as good a cut. */
function chance(ranks: readonly number[], score: number): number {
  const random = seeded(SEED);
  const shuffled = [...ranks];
  let asGood = 1;
  for (let order = 0; order < ORDERS; order += 1) {
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [shuffled[last], shuffled[other]] = [shuffled[other] ?? 0, shuffled[last] ?? 0];
    }
    if (bestCutScore(shuffled) >= score) asGood += 1;
  }
  return asGood / (ORDERS + 1);
}

function cutsIn(values: readonly number[], from: number): number[] {
  if (values.length < 2 * LEAST_RUNS) return [];
  const ranks = ranksOf(values);
  const score = bestCutScore(ranks);
  const at = placeOf(values);
  const [first, second] = [values.slice(0, at), values.slice(at)];
  const [low, high] = [median(first), median(second)].sort((a, b) => a - b);
  if ((high ?? 0) < LEAST_RATIO * (low ?? 0) || chance(ranks, score) > SIGNIFICANT) return [];
  return [...cutsIn(first, from), from + at, ...cutsIn(second, from + at)];
}

/** @param values in the order of the runs; not negative */
export function changePoints(values: readonly number[]): ChangePoint[] {
  const cuts = cutsIn(values, 0);
  return cuts.map((at, index) => ({
    at,
    before: median(values.slice(cuts[index - 1] ?? 0, at)),
    after: median(values.slice(at, cuts[index + 1])),
  }));
}
