/**
 * Finds the parameters with which a kind of limiter comes nearest to what was seen. Every answer of a probe takes part:
 * what came through at once, when it came back, what a steady pace left over. A kind that comes near enough may be
 * behind the limit; one that does not with any parameters is not.
 */
import type { Algorithm } from '../../../schemas/facts.ts';
import type { Bounds } from '../../../schemas/rate-facts.ts';
import {
  anchoredWindow,
  fixedWindow,
  type Model,
  slidingCounter,
  slidingLog,
  steppedLog,
  tokenBucket,
} from './limiters.ts';
import { deviation, type Observation, type Part, parts } from './observation.ts';

export type Named = Exclude<Algorithm, 'unknown'>;

/** What a limit promises, and what came through at first. */
export interface Frame {
  readonly limit: number;
  readonly windowMs: number;
  /** Admitted until the first exhaustion. */
  readonly admitted: number;
  /** Of the first exhaustion, ms. */
  readonly beganMs: number;
  readonly endedMs: number;
  /** Last refused poll and first admitted one after exhaustion, ms. */
  readonly silentUntilMs: number;
  readonly backMs: number;
  /** Whether a poll was refused before one was admitted. */
  readonly silent: boolean;
}

/** A kind of limiter as a point in a space of at most two dimensions: its window, and where a boundary lies, ms. */
interface Family {
  readonly algorithm: Named;
  /** Requests; what it admits at once. */
  readonly value: number;
  readonly axes: readonly Axis[];
  make(point: readonly number[]): Model;
}

interface Axis {
  readonly from: number;
  readonly to: number;
  readonly steps: number;
}

export interface Fit {
  readonly algorithm: Named;
  /** Requests; what such a limiter admits at once after an idle window. */
  readonly value: number;
  readonly windowMs: number;
  /** The windows, ms, with which such a limiter is near, as far as they were looked at; itself if none is. */
  readonly windows: Bounds;
  /** How far from what was seen, in units of what uncertainty explains: up to 1 is near enough. */
  readonly distance: number;
}

const WINDOW_SHARES = { from: 0.4, to: 2.2, steps: 48 };
/** With the window known a boundary is all there is to look for; else the two are refined together. */
const PHASE_STEPS = { documented: 5, free: 2 };
const WIDE_PHASE_STEPS = { documented: 15, free: 6 };
const SMALL_LIMIT = 20;
/** Of an axis that had to be made longer. */
const STEPS_MOST = 48;
const REFINEMENTS = 9;
const SEEDS = 6;
/** So near that it can't matter how much nearer it would get, and so far off that no step of the grid accounts for it. */
const NEAR_ENOUGH = 0.05;
const HOPELESS = 25;

/** With a window to choose something is found that is near to much; what is the right one is nearer than that. */
const CLOSE = 0.4;

/**
 * Known so closely, as a share of the window, moments tell one window from another; where a request took longer, some
 * window could always be found that explains a little more.
 */
const SHARP_WINDOWS = 0.05;

/**
 * For each kind of limiter its best fit with exactly the documented window. Where none with the documented value too is
 * near, other windows are tried besides.
 */
export function fits(observation: Observation, frame: Frame): readonly Fit[] {
  const tolerance = tolerances(observation, frame);
  const tried = (documented: boolean) => families(frame, documented).map((one) => best(one, observation, tolerance));
  const documented = tried(true);
  const asPromised = documented.some((one) => isNear(one) && one.value === frame.limit);
  const isSharp = observation.longestMs <= SHARP_WINDOWS * frame.windowMs;
  if (asPromised || !isSharp) return documented;
  return [...documented, ...tried(false).filter(({ distance: far }) => far <= CLOSE)];
}

/** Whether a counter with the documented window may have had a boundary while the burst was admitted. */
export function mayHaveMetBoundary(observation: Observation, frame: Frame): boolean {
  const { beganMs, endedMs } = frame;
  const { slackMs } = observation;
  const inBurst: Axis = { from: beganMs - slackMs, to: endedMs + slackMs, steps: WIDE_PHASE_STEPS.documented };
  const tolerance = tolerances(observation, frame);
  return countersOf(frame, true, () => inBurst).some((one) => isNear(best(one, observation, tolerance)));
}

/** Whether a log of the limit that is kept in steps of the clock is near. */
export function mayBeStepped(observation: Observation, frame: Frame): boolean {
  const tolerance = tolerances(observation, frame);
  return steppedLogs(frame).some((one) => isNear(best(one, observation, tolerance)));
}

/** Whether what is left is explained by uncertain moments. */
export const isNear = ({ distance }: Pick<Fit, 'distance'>): boolean => distance <= 1;

function families(frame: Frame, documentedWindow: boolean): Family[] {
  const { windowMs, admitted, beganMs, endedMs, silentUntilMs, backMs, silent } = frame;
  const length = windowAxis(frame, documentedWindow);
  // What the first request of the burst took comes back between these two moments.
  const echo: Axis = documentedWindow
    ? exactly(windowMs)
    : { from: silentUntilMs - beganMs, to: backMs - beganMs, steps: 12 };
  const kind = documentedWindow ? 'documented' : 'free';
  const boundary: Axis = { from: silentUntilMs, to: backMs, steps: PHASE_STEPS[kind] };
  // A counter gives back little by little from its boundary on, so where nothing was silent that may lie in the burst.
  const earlier: Axis = silent ? boundary : { from: beganMs, to: backMs, steps: WIDE_PHASE_STEPS[kind] };
  const windows = valuesOf(frame).map(
    (value): Family => ({
      algorithm: 'fixed-window',
      value,
      axes: [length, boundary],
      make: ([ms = 0, at = 0]) => fixedWindow(value, ms, at),
    }),
  );
  // An estimate that must leave a whole request free gives back the first only so long after the boundary.
  const freeMs = (value: number, room: number) => (room * (documentedWindow ? 1 : WINDOW_SHARES.to) * windowMs) / value;
  const counters = countersOf(frame, documentedWindow, (value, room) => longer(earlier, freeMs(value, room)));
  return [
    { algorithm: 'sliding-log', value: admitted, axes: [echo], make: ([ms = 0]) => slidingLog(admitted, ms) },
    { algorithm: 'fixed-window', value: admitted, axes: [echo], make: ([ms = 0]) => anchoredWindow(admitted, ms) },
    ...windows,
    ...counters,
    ...[0, 1].map((more): Family => {
      // What was admitted is what it held and the whole tokens that came in meanwhile.
      const sizeBy = (ms: number) => Math.floor(admitted / (1 + (endedMs - beganMs) / ms)) + more;
      return {
        algorithm: 'token-bucket',
        value: sizeBy(windowMs),
        axes: [length],
        make: ([ms = 1]) => tokenBucket(sizeBy(ms), sizeBy(ms) / ms),
      };
    }),
  ];
}

/** What was admitted is more than the limit where a boundary fell into the burst. */
const valuesOf = ({ admitted, limit }: Frame): readonly number[] => [...new Set([admitted, limit])];

function countersOf(frame: Frame, documentedWindow: boolean, boundary: (value: number, room: 0 | 1) => Axis): Family[] {
  // Of a large limit the one request more or less does not matter where the window is looked for.
  const rooms = documentedWindow || frame.limit <= SMALL_LIMIT ? ([0, 1] as const) : ([1] as const);
  return valuesOf(frame).flatMap((value) =>
    rooms.map(
      (room): Family => ({
        algorithm: 'sliding-counter',
        value,
        axes: [windowAxis(frame, documentedWindow), boundary(value, room)],
        make: ([ms = 0, at = 0]) => slidingCounter(value, ms, at, room),
      }),
    ),
  );
}

/** In how many steps of the clock logs are usually kept. */
const STEPS_OF_LOGS = [5, 6, 10, 12, 20, 60];

function steppedLogs({ limit, windowMs, beganMs }: Frame): Family[] {
  return STEPS_OF_LOGS.map((steps) => ({
    algorithm: 'sliding-log',
    value: limit,
    axes: [exactly(windowMs), { from: beganMs, to: beganMs + windowMs / steps, steps: 8 }],
    make: ([ms = 0, at = 0]) => steppedLog(limit, ms, steps, at),
  }));
}

/** An axis that begins so much sooner, looked at as closely as far as that is affordable. */
function longer({ from, to, steps }: Axis, by: number): Axis {
  const wanted = Math.ceil((steps * (to - from + by)) / Math.max(1, to - from));
  return { from: from - by, to, steps: Math.min(wanted, Math.max(steps, STEPS_MOST)) };
}

const exactly = (value: number): Axis => ({ from: value, to: value, steps: 1 });

function windowAxis({ windowMs }: Frame, documentedWindow: boolean): Axis {
  const { from, to, steps } = WINDOW_SHARES;
  return documentedWindow ? exactly(windowMs) : { from: from * windowMs, to: to * windowMs, steps };
}

type Tolerances = Readonly<Record<Part, number>>;

/** Less than one request. */
const EXACT = 0.5;
const POLLS_OFF = 0.03;
const PACE_OFF = 0.015;
/** Small limits are exact; of large ones a burst may be off by two, for a boundary that falls between two requests. */
const BURST_OFF_MOST = 2.5;
const BURST_OFF_SHARE = 50;

/** How far a right model may be off because the moments of arrival are not known exactly. */
function tolerances({ part, slackMs, blurred }: Observation, { limit, windowMs }: Frame): Tolerances {
  const count = (name: Part) => part.reduce((sum, one) => sum + (one === name ? 1 : 0), 0);
  const inSlack = (2 * limit * slackMs) / windowMs;
  const inPace = Math.max(inSlack, blurred.pace - 1);
  const inBurst = Math.min(BURST_OFF_MOST, EXACT + limit / BURST_OFF_SHARE);
  return {
    first: inBurst + inSlack,
    recovery: EXACT + POLLS_OFF * count('recovery') + blurred.polls,
    pace: EXACT + PACE_OFF * count('pace') + inPace,
    again: inBurst + inPace,
    echo: inBurst + inPace,
  };
}

function best(family: Family, observation: Observation, tolerance: Tolerances): Fit {
  const lookAt = (point: readonly number[]): Look => ({
    point,
    distance: distance(deviation(observation, family.make(point)), tolerance),
  });
  const strides = family.axes.map(({ from, to, steps }) => (to - from) / steps / 2);
  const first = refined(seedsOf(family.axes, lookAt), strides, lookAt, looksForWindow(family.axes));
  const aliases = aliasesOf(family.axes, first.reduce(nearer)).map(lookAt);
  const seeds = [
    ...first,
    ...refined(
      aliases,
      strides.map((stride) => stride / 4),
      lookAt,
      true,
    ),
  ];
  const nearest = seeds.reduce(nearer);
  const windows = [nearest, ...seeds.filter(isNear)].map(windowOf);
  return {
    algorithm: family.algorithm,
    value: family.value,
    windowMs: windowOf(nearest),
    windows: { lower: Math.min(...windows), upper: Math.max(...windows) },
    distance: nearest.distance,
  };
}

/** @param all whether every one is of interest, and not only the nearest */
function refined(
  seeds: readonly Look[],
  strides: readonly number[],
  lookAt: (point: readonly number[]) => Look,
  all: boolean,
): readonly Look[] {
  let [looks, steps] = [seeds, strides];
  const goesOn = () => (all ? looks.some(worthwhile) : worthwhile(looks.reduce(nearer)));
  for (let round = 0; round < REFINEMENTS && goesOn(); round += 1) {
    looks = looks.map((seed) =>
      worthwhile(seed) ? [seed, ...neighbours(seed.point, steps).map(lookAt)].reduce(nearer) : seed,
    );
    steps = steps.map((stride) => stride / 1.6);
  }
  return looks;
}

/** So many windows may lie between the first boundary that was seen and the last. */
const WINDOWS_BETWEEN = [1, 2, 3, 4, 5, 6];

/**
 * Where a few boundaries are all that was seen, they lie as far apart with windows that go into that span another whole
 * number of times.
 */
function aliasesOf(
  [length, boundary]: readonly Axis[],
  { point: [windowMs = 0, atMs = 0], distance: far }: Look,
): number[][] {
  if (!length || !boundary || length.steps === 1 || far > 1) return [];
  const shares = WINDOWS_BETWEEN.flatMap((some) => WINDOWS_BETWEEN.map((others) => some / others));
  return [...new Set(shares)]
    .map((share) => share * windowMs)
    .filter((ms) => ms !== windowMs && ms >= length.from && ms <= length.to)
    .map((ms) => [ms, atMs]);
}

interface Look {
  readonly point: readonly number[];
  readonly distance: number;
}

const nearer = (one: Look, other: Look): Look => (other.distance < one.distance ? other : one);
const windowOf = ({ point: [windowMs = 0] }: Look): number => windowMs;

/** Nearest of the grid; where windows are looked for, each one's best: some far from one another explain the same. */
function seedsOf(axes: readonly Axis[], lookAt: (point: readonly number[]) => Look): readonly Look[] {
  const looks = grid(axes).map(lookAt);
  const byWindow = new Map<number, Look>();
  if (looksForWindow(axes))
    for (const look of looks) {
      const before = byWindow.get(windowOf(look));
      byWindow.set(windowOf(look), before ? nearer(before, look) : look);
    }
  const seeds = looksForWindow(axes) ? [...byWindow.values()] : looks;
  return seeds.sort((a, b) => a.distance - b.distance).slice(0, SEEDS);
}

const looksForWindow = ([length]: readonly Axis[]): boolean => length !== undefined && length.steps > 1;

const worthwhile = ({ distance: far }: Look): boolean => far > NEAR_ENOUGH && far < HOPELESS;

/** The largest deviation in units of its tolerance decides; the others only choose between equals. */
function distance(differing: Readonly<Record<Part, number>>, tolerance: Tolerances): number {
  const shares = parts.map((name) => differing[name] / tolerance[name]);
  return Math.max(...shares) + 0.01 * shares.reduce((sum, share) => sum + share, 0);
}

function grid(axes: readonly Axis[]): number[][] {
  return axes.reduce<number[][]>(
    (points, { from, to, steps }) =>
      points.flatMap((point) =>
        Array.from({ length: steps }, (_, step) => [...point, from + ((to - from) * (step + 0.5)) / steps]),
      ),
    [[]],
  );
}

function neighbours(point: readonly number[], strides: readonly number[]): number[][] {
  return strides.flatMap((stride, axis) =>
    stride === 0
      ? []
      : [-1, 1].map((sign) => point.map((value, index) => (index === axis ? value + sign * stride : value))),
  );
}
