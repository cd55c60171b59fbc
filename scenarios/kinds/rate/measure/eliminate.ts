/**
 * Which limiter is behind a limit, by elimination. No kind is fitted: each is struck out as soon as no arrival times
 * within [sent, first byte] make it answer as was seen, and what is left is what may be there (docs/limiters.md).
 */
import { hullOf } from '../../../../schemas/intervals.ts';
import type { Bounds, RateSurvivor } from '../../../../schemas/rate-facts.ts';
import { ADMITTED, type Answer, type Answers, answersOf, type Earlier, REFUSED } from './answers.ts';
import type { Axis, Kind, Numbers, Range, Scale } from './kind.ts';
import { block } from './kinds/block.ts';
import { bucket, forgetfulBucket, otherBucket } from './kinds/bucket.ts';
import { counter } from './kinds/counter.ts';
import { log } from './kinds/log.ts';
import { clockWindows, windowsFromFirst } from './kinds/windows.ts';
import { type Cells, type Found, search } from './search.ts';

/** What a limiter's clock is usually read to, ms: servers take the time once for each turn of their event loop. */
export const CLOCK_GRAIN_MS = 2;

/** Steps of the clocks that many limiters read or refill by instead: whole seconds, and tenths of a window. */
const clockSteps = ({ windowMs }: Scale): readonly number[] =>
  [...new Set([windowMs / 10, 1000])].filter((ms) => ms <= windowMs / 5).sort((a, b) => a - b);
/** How many phases of such a clock are tried. */
const CLOCK_PHASES = 40;

/** Those that count what they say they count, so that other numbers than documented show. */
const exact: readonly Kind[] = [log('admitted'), clockWindows, windowsFromFirst, bucket, log('all')];

/** Without buckets: what comes back to several of them all the time is as like to one. */
const windowed: readonly Kind[] = [log('admitted'), clockWindows, windowsFromFirst];

const estimates: readonly Kind[] = (['admitted', 'all'] as const).flatMap((counts) =>
  (['exact', 'down'] as const).map((rounding) => counter(counts, rounding)),
);

const special: readonly Kind[] = [forgetfulBucket, block('fixed'), block('renewed')];

interface Hypothesis {
  /** Several where they may be read in several ways: made one after the other, as each is as long as the ledger. */
  readonly answers: Iterable<Answers>;
  readonly kinds: readonly Kind[];
  /** The documented one, or others. */
  readonly window: 'documented' | 'other';
  /** Which values need this explanation; default: all. */
  readonly values?: (value: Bounds) => boolean;
  /** By a clock with such steps, windows that are shorter by less than one let in the same, to the request; ms. */
  readonly stepMs?: number;
  /** How the name of a kind goes on. */
  readonly suffix?: string;
  readonly change?: Partial<Pick<RateSurvivor, 'algorithm' | 'enforces'>>;
}

/**
 * The hypotheses that are left, of the first of these groups that has any: the documented window, counted exactly; with a
 * block or a pause besides; other numbers; a bucket refilled in steps; an estimate; several processes; a coarse clock.
 * Each explains more than the ones before, and so would be left beside them whatever was seen.
 * @param rows in any order
 */
export function eliminate(rows: readonly Answer[], earlier: Earlier, scale: Scale): readonly RateSurvivor[] {
  const answers = answersOf(rows, CLOCK_GRAIN_MS, earlier);
  for (const group of hypotheses(answers, scale)) {
    const left = group.flatMap((one) => leftOf(one, scale));
    if (left.length > 0) return left;
  }
  return [];
}

function leftOf(
  { answers, kinds, window, stepMs = 0, suffix = '', change, values }: Hypothesis,
  scale: Scale,
): RateSurvivor[] {
  return kinds.flatMap((kind) => {
    const byReading = Array.from(answers, (one) => survivorsOf(kind, window, one, scale));
    const left = byReading.length > 1 ? together(byReading.flat()) : byReading.flat();
    // What no refusal bounds is above all that was sent, and tells nothing.
    return left
      .filter(({ value }) => Number.isFinite(value.upper) && (values?.(value) ?? true))
      .map((one) => ({ ...one, ...change, name: one.name + suffix, windowMs: longest(one.windowMs, stepMs, scale) }));
  });
}

const known = new WeakMap<Answers, Map<string, readonly RateSurvivor[]>>();

/** Looked for once: a group may ask again for what one before it wanted with the documented value alone. */
function survivorsOf(kind: Kind, window: Hypothesis['window'], answers: Answers, scale: Scale) {
  const ofAnswers = known.get(answers) ?? new Map<string, readonly RateSurvivor[]>();
  known.set(answers, ofAnswers);
  const key = `${window} ${kind.name} ${kind.refill}`;
  const found = ofAnswers.get(key) ?? (window === 'documented' ? documentedOf : othersOf)(kind, answers, scale);
  ofAnswers.set(key, found);
  return found;
}

const longest = ({ lower, upper }: Bounds, stepMs: number, { windowMs }: Scale): Bounds => ({
  lower: Math.max(lower, Math.min(windowMs, lower + stepMs)),
  upper,
});

/** The same kind, where it is not known in which of several ways the answers are to be read. */
const together = (all: readonly RateSurvivor[]): RateSurvivor[] =>
  all.slice(0, 1).map((one) => ({
    ...one,
    value: hullOf(all.map(({ value }) => value)),
    windowMs: hullOf(all.map(({ windowMs }) => windowMs)),
  }));

function* hypotheses(read: Answers, scale: Scale): Generator<readonly Hypothesis[]> {
  const { limit } = scale;
  const documented = { answers: [read], window: 'documented' } as const;
  // Where nothing was refused, every kind is left, with a value above all that was seen; that tells nothing.
  if (read.refused.length === 0) {
    const delayed = asDelay(read);
    const change = { algorithm: 'delay', enforces: true } as const;
    const kinds = [bucket, log('admitted')];
    if (delayed) yield [{ ...documented, answers: [delayed], kinds, suffix: ' that delays what is too much', change }];
    return;
  }
  const isDocumented = ({ lower, upper }: Bounds): boolean => lower <= limit && limit <= upper;
  yield [
    { ...documented, kinds: exact },
    { ...documented, kinds: [otherBucket], values: (value) => !isDocumented(value) },
  ];
  yield [{ ...documented, kinds: special, values: isDocumented }];
  // A few requests fit many limiters: one with another value or another window comes before one with both.
  yield [{ ...documented, kinds: exact, window: 'other', values: isDocumented }];
  yield [{ ...documented, kinds: estimates, values: isDocumented }];
  yield [
    { ...documented, kinds: special },
    { ...documented, kinds: exact, window: 'other' },
  ];
  // Windows with boundaries at whole steps are fixed windows anyway. Buckets are the limiters usually refilled in steps.
  for (const one of inSteps(read, scale)) yield [{ ...one, kinds: [bucket], stepMs: 0 }];
  yield [{ ...documented, kinds: estimates }];
  // Each process keeps the documented limit.
  const values = ({ lower, upper }: Bounds): boolean => Math.floor(upper / limit) * limit >= Math.max(lower, 2 * limit);
  const whole = answersOf(inOneOf(read.rows, A_WHILE_WINDOWS * scale.windowMs), read.grainMs, read.earlier);
  const suffix = ', in several processes that count by themselves';
  yield [{ ...documented, answers: [whole], kinds: windowed, suffix, values }];
  for (const one of inSteps(read, scale)) yield [{ ...one, kinds: [log('admitted'), windowsFromFirst] }];
}

/** By clocks that go in steps, at each phase. */
function* inSteps(read: Answers, scale: Scale): Generator<Omit<Hypothesis, 'kinds'>> {
  for (const stepMs of clockSteps(scale)) {
    const suffix = `, by a clock with steps of ${stepMs / 1000} s`;
    yield { answers: atEachPhase(read, stepMs), stepMs, window: 'documented', suffix };
  }
}

/** One after the other, whenever they are asked for. */
const atEachPhase = (read: Answers, stepMs: number): Iterable<Answers> => ({
  *[Symbol.iterator]() {
    for (let phase = 0; phase < CLOCK_PHASES; phase += 1) yield readBy(read, stepMs, phase / CLOCK_PHASES);
  },
});

/** The same by a clock that goes in steps, the first of them at this share of one. */
function readBy({ rows, grainMs, earlier }: Answers, stepMs: number, phase: number): Answers {
  const read = (ms: number) => (Math.floor(ms / stepMs - phase) + phase) * stepMs;
  const unsureMs = stepMs / CLOCK_PHASES;
  const stepped = rows.map((one) => ({
    ...one,
    sentMs: read(one.sentMs - unsureMs),
    answeredMs: read(one.answeredMs),
  }));
  return answersOf(stepped, grainMs, earlier);
}

/**
 * Of several processes those that are full refuse while others still admit, so only a refusal after which none was
 * admitted for a while is one of all of them.
 * @param rows sorted by sending
 */
function inOneOf(rows: readonly Answer[], whileMs: number): Answer[] {
  let admittedMs = Number.POSITIVE_INFINITY;
  const kept: Answer[] = [];
  for (const one of rows.toReversed()) {
    if (one.outcome === ADMITTED) admittedMs = one.sentMs;
    if (one.outcome !== REFUSED || admittedMs - one.answeredMs > whileMs) kept.push(one);
  }
  return kept;
}

/** Hardly anything comes back so soon. */
const A_WHILE_WINDOWS = 1 / 20;

/** A limiter that delays admits a request when it answers it, and refuses it until then; undefined where none was delayed. */
function asDelay(answers: Answers): Answers | undefined {
  const quickestMs = answers.rows.reduce((least, one) => Math.min(least, one.answeredMs - one.sentMs), Infinity);
  const slackMs = DELAYED_TIMES * quickestMs + TIMER_MS;
  const delayed = ({ sentMs, answeredMs }: Answer) => answeredMs - sentMs > slackMs + DELAYED_LEAST_MS;
  if (!answers.rows.some(delayed)) return undefined;
  const rows = answers.rows.flatMap((one): Answer[] => {
    if (!delayed(one)) return [one];
    const waiting: Answer = { sentMs: one.sentMs, answeredMs: one.sentMs + slackMs, outcome: REFUSED };
    return [waiting, { ...one, sentMs: one.answeredMs - slackMs }];
  });
  return answersOf(rows, answers.grainMs, answers.earlier);
}

const DELAYED_TIMES = 3;
/** A timer that lets a request go is late by so much on a busy machine. */
const TIMER_MS = 20;
const DELAYED_LEAST_MS = 100;

/** How closely other windows than the documented one are looked for, and how far off: from a half to twice as long. */
const WINDOW_STEP = 1.01;
const WINDOW_CELLS: Cells = { from: -75, to: 76 };
/** The documented one is known to a thousandth of it. */
const DOCUMENTED_STEP = 1.002;
const PHASES = { documented: 2000, other: 200 };
const PAUSE_CELLS: Cells = { from: 0, to: 310 };
const PAUSE_STEP = 1.015;
/** Ranges that are looked at for one kind: far more than it takes where what was seen says anything. */
const MOST_LOOKS = 20_000;

interface Steps {
  readonly window: number;
  readonly phases: number;
}

const documentedSteps: Steps = { window: DOCUMENTED_STEP, phases: PHASES.documented };
const otherSteps: Steps = { window: WINDOW_STEP, phases: PHASES.other };

const windowAt = ({ from, to }: Cells, step: number, { windowMs }: Scale): Range => ({
  from: windowMs * step ** (from - 0.5),
  to: windowMs * step ** (to - 0.5),
});

/** From a twentieth of the documented window to five of them. */
const pauseAt = ({ from, to }: Cells, { windowMs }: Scale): Range => ({
  from: (windowMs / 20) * PAUSE_STEP ** from,
  to: (windowMs / 20) * PAUSE_STEP ** to,
});

const NOWHERE: Range = { from: 0, to: 0 };

/** What is left of a kind within these windows. */
function placesOf(kind: Kind, windows: Cells, steps: Steps, answers: Answers, scale: Scale, wanted?: number) {
  const { window, phases } = steps;
  const cellsOf: Readonly<Record<Axis, Cells>> = {
    windowMs: windows,
    phaseMs: { from: 0, to: phases },
    pauseMs: PAUSE_CELLS,
  };
  const numbersAt = (cells: readonly Cells[]): Numbers => {
    const own = (axis: Axis): Cells | undefined => cells[kind.axes.indexOf(axis)];
    const [phase, pause] = [own('phaseMs'), own('pauseMs')];
    const windowMs = windowAt(own('windowMs') ?? windows, window, scale);
    return {
      windowMs,
      phaseMs: phase ? { from: (phase.from / phases) * windowMs.from, to: (phase.to / phases) * windowMs.to } : NOWHERE,
      pauseMs: pause ? pauseAt(pause, scale) : NOWHERE,
    };
  };
  const axes = kind.axes.map((axis) => cellsOf[axis]);
  return search(axes, (cells) => kind.mayHave(answers, numbersAt(cells), scale), MOST_LOOKS, wanted);
}

/** With the documented window; the windows that lie next to it and fit as well show how exactly it is known. */
function documentedOf(kind: Kind, answers: Answers, scale: Scale): RateSurvivor[] {
  const found = placesOf(kind, { from: 0, to: 1 }, documentedSteps, answers, scale);
  if (found.length === 0) return [];
  const fits = (cell: number) => placesOf(kind, { from: cell, to: cell + 1 }, otherSteps, answers, scale, 1).length > 0;
  let [from, to] = [0, 1];
  while (from > WINDOW_CELLS.from && fits(from - 1)) from -= 1;
  while (to < WINDOW_CELLS.to && fits(to)) to += 1;
  return [describe(kind, found, windowAt({ from, to }, WINDOW_STEP, scale), scale)];
}

function othersOf(kind: Kind, answers: Answers, scale: Scale): RateSurvivor[] {
  return clusters(placesOf(kind, WINDOW_CELLS, otherSteps, answers, scale)).map((cluster) => {
    const windows = cluster.map(windowOf);
    const cells = { from: Math.min(...windows.map(({ from }) => from)), to: Math.max(...windows.map(({ to }) => to)) };
    return describe(kind, cluster, windowAt(cells, WINDOW_STEP, scale), scale);
  });
}

/** Of windows that lie next to one another. */
function clusters(found: readonly Found<Bounds>[]): Found<Bounds>[][] {
  const all: Found<Bounds>[][] = [];
  let untilCell = Number.NEGATIVE_INFINITY;
  for (const one of found.toSorted((a, b) => windowOf(a).from - windowOf(b).from)) {
    if (windowOf(one).from <= untilCell) all.at(-1)?.push(one);
    else all.push([one]);
    untilCell = Math.max(untilCell, windowOf(one).to);
  }
  return all;
}

const windowOf = ({ cells }: Found<Bounds>): Cells => cells[0] as Cells;

function describe(kind: Kind, found: readonly Found<Bounds>[], window: Range, scale: Scale): RateSurvivor {
  const pause = kind.axes.indexOf('pauseMs');
  const pauses = pause < 0 ? [] : found.map(({ cells }) => pauseAt(cells[pause] as Cells, scale));
  return {
    algorithm: kind.algorithm,
    name: kind.name,
    ...(kind.counts ? { counts: kind.counts } : {}),
    ...(kind.refill ? { refill: kind.refill } : {}),
    value: hullOf(found.map(({ bounds }) => bounds)),
    windowMs: { lower: window.from, upper: window.to },
    ...(pause < 0 ? {} : { pauseMs: hullOf(pauses.map(({ from, to }) => ({ lower: from, upper: to }))) }),
    enforces: kind.enforces,
  };
}
