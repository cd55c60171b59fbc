/**
 * Which limiter is behind a limit, by elimination. No kind is fitted: each is struck out as soon as no arrival times
 * within [sent, first byte] make it answer as was seen, and what is left is what may be there (docs/limiters.md).
 */
import { hullOf } from '../../../../schemas/intervals.ts';
import type { Bounds, RateSurvivor } from '../../../../schemas/rate-facts.ts';
import { type Answer, Answers } from './answers.ts';
import type { Kind, Numbers, Range, Scale } from './kind.ts';
import { block, wholeBlock } from './kinds/block.ts';
import { bucket, forgetfulBucket, otherBucket } from './kinds/bucket.ts';
import { counter } from './kinds/counter.ts';
import { coarseLog, log, racingLog } from './kinds/log.ts';
import { inParts } from './kinds/parts.ts';
import { countingTwice, delaying, inProcesses, inSteps } from './kinds/readings.ts';
import { clockWindows, windowsFromFirst } from './kinds/windows.ts';

/** What a limiter's clock is usually read to, ms: servers take the time once for each turn of their event loop. */
export const CLOCK_GRAIN_MS = 2;

/** Those that count what they say they count, so that other numbers than documented show. */
const exact: readonly Kind[] = [log('admitted'), clockWindows, windowsFromFirst, bucket, log('all')];

const blocks: readonly Kind[] = [block('fixed'), block('renewed')];

/** Of windows in parts: more of these are like a log by a clock with steps of a tenth of the window. */
const special: readonly Kind[] = [forgetfulBucket, ...[8, 6, 5, 4, 3, 2].map(inParts)];

const estimates: readonly Kind[] = (['admitted', 'all'] as const).flatMap((counts) =>
  (['exact', 'down'] as const).map((rounding) => counter(counts, rounding)),
);

/** Without buckets: several of them, refilled all the time, look the same as one. */
const processes: readonly Kind[] = [log('admitted'), clockWindows, windowsFromFirst].map(inProcesses);

const delays: readonly Kind[] = [bucket, log('admitted')].map(delaying);

/** No more than explains the answers, so that the value is known to a hundredth. */
const TWICE = [0.01, 0.02, 0.03, 0.04, 0.05];

/** Steps of the clocks that many limiters read or refill by: whole seconds, and tenths of a window. */
const clockSteps = ({ windowMs }: Scale): readonly number[] =>
  [...new Set([windowMs / 10, 1000])].filter((ms) => ms <= windowMs / 5).sort((a, b) => a - b);

/**
 * The limiters that are left, of the first of these groups that has any: the documented window, counted exactly; the
 * documented value with a block or another window; with a pause, a coarse clock, a window in parts or as an estimate;
 * what differs in two ways; several processes. Each explains more than the ones before, and so would always be left as
 * well.
 * @param rows in any order
 * @param earlierUntilMs before that, others may have been sent: never more than the limit in a window
 */
export function eliminate(rows: readonly Answer[], earlierUntilMs: number, scale: Scale): readonly RateSurvivor[] {
  const earlier = (sinceMs: number) => scale.limit * Math.ceil((earlierUntilMs - sinceMs) / scale.windowMs);
  const answers = new Answers(rows, CLOCK_GRAIN_MS, earlier);
  for (const group of groups(answers, scale)) {
    // A value without an upper bound is above all that was sent, and shows nothing.
    const left = group().filter(({ value }) => Number.isFinite(value.upper));
    if (left.length > 0) return left;
  }
  return [];
}

/**
 * Whether more was admitted than the limit has room for, however it is counted: in windows that lie anywhere, in a
 * bucket, by a coarse clock. Refusals make no difference, so no limiter has to be known for it: one that reads its count
 * before it writes it, or whose copies synchronise late, admits more than it counts.
 * @param rows of one operation: others that share the limit may have budgets of their own
 */
export function exceedsRoom(rows: readonly Answer[], scale: Scale): boolean {
  const coarse = clockSteps(scale).flatMap((stepMs) => [bucket, windowsFromFirst].map((kind) => inSteps(stepMs, kind)));
  const admitted = rows.filter(({ outcome }) => outcome === 'admitted');
  const answers = new Answers(admitted, CLOCK_GRAIN_MS, () => 0);
  const windowMs = timesOf(DOCUMENTED_SHARE, scale.windowMs);
  const most = scale.limit + Math.max(1, ROOM_SHARE * scale.limit);
  return [bucket, windowsFromFirst, clockWindows, ...coarse]
    .map((kind) => only(kind, ({ lower }) => lower <= most))
    .every((kind) => placesOf(kind, windowMs, PHASES.documented, answers, scale, 1).length === 0);
}

/** The same with such values alone: far fewer of its numbers have to be tried. */
const only = (kind: Kind, isMeant: (value: Bounds) => boolean): Kind => ({
  ...kind,
  mayHave(...args) {
    const value = kind.mayHave(...args);
    return value && isMeant(value) ? value : null;
  },
});

/** A bucket's size is known no better. */
const ROOM_SHARE = 0.01;

/**
 * In addition to what is left of the first, more limiters that would have answered the same; where nothing is left,
 * nothing.
 */
const ifAny = (first: readonly RateSurvivor[], more: () => readonly RateSurvivor[]): readonly RateSurvivor[] =>
  first.length > 0 ? [...first, ...more()] : [];

function groups(answers: Answers, scale: Scale): readonly (() => readonly RateSurvivor[])[] {
  const { limit } = scale;
  const documented = (kinds: readonly Kind[]) =>
    kinds.flatMap((kind) => answers.once(kind, () => documentedOf(kind, answers, scale)));
  const isDocumented = ({ windowMs: { lower, upper } }: RateSurvivor): boolean =>
    lower <= scale.windowMs && scale.windowMs <= upper;
  const others = () => answers.once(othersOf, () => exact.flatMap((kind) => othersOf(kind, answers, scale)));
  // With the documented window a block of any length is tried: it would be named twice.
  const otherBlocks = (): readonly RateSurvivor[] =>
    answers.once(otherBlocks, () =>
      inTwoWays(othersOf(wholeBlock, answers, scale).filter((one) => !isDocumented(one))),
    );
  if (answers.refused.length === 0) return [() => documented(delays)];
  const isValue = ({ lower, upper }: Bounds): boolean => lower <= limit && limit <= upper;
  const isLimit = ({ value }: RateSurvivor): boolean => isValue(value);
  /** Each keeps the documented limit. */
  const isSeveral = ({ value: { lower, upper } }: RateSurvivor): boolean =>
    Math.floor(upper / limit) * limit >= Math.max(lower, 2 * limit);
  const byClock = (kind: Kind) => clockSteps(scale).map((stepMs) => inSteps(stepMs, kind));
  const [lumps, logs, windows] = [byClock(bucket), byClock(log('admitted')), byClock(windowsFromFirst)];
  const sizes = () => documented([bucket, otherBucket]).filter((one) => !isLimit(one));
  const plain = () => [...documented(blocks), ...others()].filter(isLimit);
  return [
    () => documented(exact).filter((one) => one.algorithm !== 'token-bucket' || isLimit(one)),
    // A bucket that is refilled in whole seconds can seem slightly larger than it is.
    () => ifAny(sizes(), () => documented(lumps).filter(isLimit)),
    // A few requests fit many limiters: one with another value or another window comes before one with both.
    () => ifAny(plain(), () => otherBlocks().filter(isLimit)),
    () => [...documented(special), ...otherBlocks(), ...documented([...lumps, ...logs, ...estimates])].filter(isLimit),
    // A block or a pause and the value, both numbers, or a bucket's clock and its size. Windows with boundaries at whole
    // steps are fixed windows anyway, so buckets alone are read by a coarse clock here.
    () =>
      inTwoWays([
        ...documented([...special, ...blocks]),
        ...others(),
        ...otherBlocks(),
        ...documented([...lumps, ...byClock(otherBucket)]),
      ]),
    () =>
      inTwoWays([
        ...documented(estimates),
        ...estimates.flatMap((kind) => othersOf(only(kind, isValue), answers, scale)),
      ]),
    () => documented(processes).filter(isSeveral),
    ...logs.map((one, at) => () => inTwoWays(documented([one, ...windows.slice(at, at + 1)]))),
    () => documented([coarseLog, racingLog]).filter(isLimit),
    ...TWICE.map((part) => () => documented(exact.map((kind) => countingTwice(part, kind))).filter(isLimit)),
  ];
}

/** Two things are other than documented, which a few requests, or two limiters together, may only seem to be. */
const inTwoWays = (all: readonly RateSurvivor[]): readonly RateSurvivor[] =>
  all.map((one) => ({ ...one, differsTwice: true }));

/**
 * Apart from the documented window, which is known to a thousandth, others are tried, up to as long as a probe can
 * show.
 */
const DOCUMENTED_SHARE: Range = { from: 0.999, to: 1.001 };
const OTHER_SHARES: Range = { from: 0.5, to: 5 };
const OTHER_STEP = 0.01;
const PHASES = { documented: 2000, other: 200 };
const PAUSE_SHARES: Range = { from: 0.05, to: 5 };
const PAUSE_STEP = 0.015;
const CLOCK_PHASES = 40;

const timesOf = ({ from, to }: Range, ms: number): Range => ({ from: from * ms, to: to * ms });
const NONE: Range = { from: 0, to: 0 };
const WHOLE: Range = { from: 0, to: 1 };

/** Numbers of a kind, and which values the limit may have with them. */
interface Place {
  readonly at: Numbers;
  readonly value: Bounds;
}

/** Ranges that are tried for one kind: far more than it takes where the responses show anything. */
const MOST_SPLITS = 20_000;

/**
 * Where the numbers of a kind may lie, within these windows: ranges are halved as long as they are not struck out. As a kind
 * is struck out for a whole range only when no number in it will do, nothing true is lost, however coarsely that begins.
 * @param wanted how many places are enough; default: all
 */
function placesOf(kind: Kind, windowMs: Range, phases: number, answers: Answers, scale: Scale, wanted = Infinity) {
  const has = (number: Kind['has'][number], range: Range): Range => (kind.has.includes(number) ? range : NONE);
  const pauseMs = has('pauseMs', timesOf(PAUSE_SHARES, scale.windowMs));
  const open: Numbers[] = [{ windowMs, phase: has('phase', WHOLE), pauseMs, step: has('step', WHOLE) }];
  const found: Place[] = [];
  for (let looked = 0; open.length > 0 && found.length < wanted; looked += 1) {
    const at = open.pop() as Numbers;
    const value = kind.mayHave(answers, at, scale);
    if (value === null) continue;
    const steps: Readonly<Record<keyof Numbers, number>> = {
      windowMs: lengthOf(at.windowMs) / (OTHER_STEP * scale.windowMs),
      phase: lengthOf(at.phase) * phases,
      pauseMs: lengthOf(at.pauseMs) / (PAUSE_STEP * (at.pauseMs.from || 1)),
      step: lengthOf(at.step) * CLOCK_PHASES,
    };
    const widest = (Object.keys(steps) as (keyof Numbers)[]).reduce((a, b) => (steps[b] > steps[a] ? b : a));
    if (steps[widest] <= 1 || looked >= MOST_SPLITS) found.push({ at, value });
    else {
      const { from, to } = at[widest];
      const middle = (from + to) / 2;
      open.push({ ...at, [widest]: { from: middle, to } }, { ...at, [widest]: { from, to: middle } });
    }
  }
  return found;
}

const lengthOf = ({ from, to }: Range): number => to - from;

/** With the documented window; the windows that lie next to it and fit as well show how exactly it is known. */
function documentedOf(kind: Kind, answers: Answers, scale: Scale): RateSurvivor[] {
  const found = placesOf(kind, timesOf(DOCUMENTED_SHARE, scale.windowMs), PHASES.documented, answers, scale);
  if (found.length === 0) return [];
  const fits = (from: number, to: number): boolean =>
    placesOf(kind, timesOf({ from, to }, scale.windowMs), PHASES.other, answers, scale, 1).length > 0;
  let [from, to] = [1 - OTHER_STEP / 2, 1 + OTHER_STEP / 2];
  while (from > OTHER_SHARES.from && fits(from - OTHER_STEP, from)) from -= OTHER_STEP;
  while (to < OTHER_SHARES.to && fits(to, to + OTHER_STEP)) to += OTHER_STEP;
  return [describe(kind, found, timesOf({ from, to }, scale.windowMs), scale)];
}

/** With any window; of those that lie next to one another one is made. */
function othersOf(kind: Kind, answers: Answers, scale: Scale): RateSurvivor[] {
  const found = placesOf(kind, timesOf(OTHER_SHARES, scale.windowMs), PHASES.other, answers, scale);
  const clusters: { places: Place[]; windowMs: Range }[] = [];
  for (const one of found.toSorted((a, b) => a.at.windowMs.from - b.at.windowMs.from)) {
    const { from, to } = one.at.windowMs;
    const last = clusters.at(-1);
    if (last && from <= last.windowMs.to) {
      last.places.push(one);
      last.windowMs = { from: last.windowMs.from, to: Math.max(to, last.windowMs.to) };
    } else clusters.push({ places: [one], windowMs: { from, to } });
  }
  return clusters.map(({ places, windowMs }) => describe(kind, places, windowMs, scale));
}

function describe(kind: Kind, places: readonly Place[], windowMs: Range, scale: Scale): RateSurvivor {
  const { algorithm, name, counts, refill, enforces, stepMs = 0 } = kind;
  const lower = Math.max(windowMs.from, Math.min(scale.windowMs, windowMs.from + stepMs));
  return {
    algorithm,
    name,
    ...(counts ? { counts } : {}),
    ...(refill ? { refill } : {}),
    value: hullOf(places.map(({ value }) => value)),
    windowMs: { lower, upper: windowMs.to },
    ...(kind.has.includes('pauseMs')
      ? { pauseMs: hullOf(places.map(({ at: { pauseMs } }) => ({ lower: pauseMs.from, upper: pauseMs.to }))) }
      : {}),
    enforces,
  };
}
