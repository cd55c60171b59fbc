/**
 * Finds the parameters with which a kind of limiter comes nearest to what was seen. Every answer of a probe takes part:
 * what came through at once, when it came back, what a steady pace left over. A kind that comes near enough may be
 * behind the limit; one that does not with any parameters is not.
 */
import type { Algorithm } from '../../../schemas/facts.ts';
import { anchoredWindow, fixedWindow, type Model, slidingCounter, slidingLog, tokenBucket } from './limiters.ts';
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
  /** How far from what was seen, in units of what uncertainty explains: up to 1 is near enough. */
  readonly distance: number;
}

const WINDOW_SHARES = { from: 0.4, to: 2.2, steps: 48 };
/** With the window known a boundary is all there is to look for; else the two are refined together. */
const PHASE_STEPS = { documented: 5, free: 2 };
const WIDE_PHASE_STEPS = { documented: 15, free: 6 };
/** Of an axis that had to be made longer. */
const STEPS_MOST = 48;
const REFINEMENTS = 9;
const SEEDS = 4;
/** So near that it can't matter how much nearer it would get, and so far off that no step of the grid accounts for it. */
const NEAR_ENOUGH = 0.05;
const HOPELESS = 25;

/** So far off is what a right model can't be, whatever is not known of the target. */
const FAR = 2.5;

/**
 * For each kind of limiter its best fit, first with exactly the documented window. Others are tried only where every
 * kind with that one is far off: some window can always be found that explains a little more.
 */
export function fits(observation: Observation, frame: Frame): readonly Fit[] {
  const tolerance = tolerances(observation, frame);
  const tried = (documented: boolean) => families(frame, documented).map((one) => best(one, observation, tolerance));
  const documented = tried(true);
  return documented.some(({ distance }) => distance < FAR) ? documented : tried(false);
}

/** Whether a counter with the documented window may have had a boundary while the burst was admitted. */
export function mayHaveMetBoundary(observation: Observation, frame: Frame): boolean {
  const { beganMs, endedMs } = frame;
  const { slackMs } = observation;
  const inBurst: Axis = { from: beganMs - slackMs, to: endedMs + slackMs, steps: WIDE_PHASE_STEPS.documented };
  const tolerance = tolerances(observation, frame);
  return countersOf(frame, true, () => inBurst).some((one) => isNear(best(one, observation, tolerance)));
}

/** Whether what is left is explained by uncertain moments. */
export const isNear = ({ distance }: Fit): boolean => distance <= 1;

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
  const windows = valuesOf(frame, documentedWindow).map(
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
    ...[0, 1].map(
      (more): Family => ({
        algorithm: 'token-bucket',
        value: admitted,
        axes: [length],
        // What was admitted is what it held and the whole tokens that came in meanwhile.
        make: ([ms = 1]) => {
          const size = Math.floor(admitted / (1 + (endedMs - beganMs) / ms)) + more;
          return tokenBucket(size, size / ms);
        },
      }),
    ),
  ];
}

/** What was admitted is more than the limit where a boundary fell into the burst. */
const valuesOf = ({ admitted, limit }: Frame, documentedWindow: boolean): readonly number[] =>
  documentedWindow ? [...new Set([admitted, limit])] : [admitted];

function countersOf(
  frame: Frame,
  documentedWindow: boolean,
  boundary: (value: number, room: 0 | 1) => Axis,
): Family[] {
  const rooms = documentedWindow ? ([0, 1] as const) : ([1] as const);
  return valuesOf(frame, documentedWindow).flatMap((value) =>
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
function tolerances({ part, slackMs }: Observation, { limit, windowMs }: Frame): Tolerances {
  const count = (name: Part) => part.reduce((sum, one) => sum + (one === name ? 1 : 0), 0);
  const inSlack = (2 * limit * slackMs) / windowMs;
  const inBurst = Math.min(BURST_OFF_MOST, EXACT + limit / BURST_OFF_SHARE) + inSlack;
  return {
    first: inBurst,
    recovery: EXACT + POLLS_OFF * count('recovery'),
    pace: EXACT + PACE_OFF * count('pace') + inSlack,
    again: inBurst,
    echo: inBurst,
  };
}

function best(family: Family, observation: Observation, tolerance: Tolerances): Fit {
  const distanceAt = (point: readonly number[]): number =>
    distance(deviation(observation, family.make(point)), tolerance);
  let seeds = grid(family.axes)
    .map((point) => ({ point, distance: distanceAt(point) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, SEEDS);
  let strides = family.axes.map(({ from, to, steps }) => (to - from) / steps / 2);
  for (let round = 0; round < REFINEMENTS && worthwhile(seeds[0]?.distance ?? 0); round += 1) {
    seeds = seeds.map((seed) =>
      [seed, ...neighbours(seed.point, strides).map((point) => ({ point, distance: distanceAt(point) }))].reduce(
        (one, other) => (other.distance < one.distance ? other : one),
      ),
    );
    strides = strides.map((stride) => stride / 1.6);
  }
  const [nearest] = seeds.sort((a, b) => a.distance - b.distance);
  const [windowMs = 0] = nearest?.point ?? [];
  return {
    algorithm: family.algorithm,
    value: family.value,
    windowMs,
    distance: nearest?.distance ?? Number.POSITIVE_INFINITY,
  };
}

const worthwhile = (distance: number): boolean => distance > NEAR_ENOUGH && distance < HOPELESS;

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
