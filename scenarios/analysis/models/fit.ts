/**
 * Finds the parameters with which a kind of limiter comes nearest to what was seen. Every answer of a probe takes part:
 * what came through at once, when it came back, what a steady pace left over. A kind that comes near enough may be
 * behind the limit; one that does not with any parameters is not.
 */
import type { Bounds, RateFacts } from '../../../schemas/rate-facts.ts';
import {
  countersOf,
  type Family,
  type Frame,
  families,
  type Named,
  steppedLogs,
  WIDE_PHASE_STEPS,
} from './families.ts';
import { deviation, type Observation, type Part, parts } from './observation.ts';
import { type Axis, type Look, nearer, nearestOf, windowOf } from './search.ts';

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

/** With a window to choose something is found that is near to much; what is the right one is nearer than that. */
const CLOSE = 0.4;

/**
 * Known so closely, as a share of the window, moments tell one window from another; where a request took longer, some
 * window could always be found that explains a little more.
 */
const SHARP_WINDOWS = 0.05;
export const isSharp = ({ longestMs }: Observation, { windowMs }: Frame): boolean =>
  longestMs <= SHARP_WINDOWS * windowMs;

/**
 * For each kind of limiter its best fit with exactly the documented window. Where none with the documented value too is
 * near, other windows are tried besides.
 */
export function fits(observation: Observation, frame: Frame): readonly Fit[] {
  const tolerance = tolerances(observation, frame);
  const tried = (documented: boolean) => families(frame, documented).map((one) => best(one, observation, tolerance));
  const documented = tried(true);
  const asPromised = documented.some((one) => isNear(one) && one.value === frame.limit);
  if (asPromised || !isSharp(observation, frame)) return documented;
  return [...documented, ...tried(false).filter(({ distance: far }) => far <= CLOSE)];
}

/**
 * The windows with which fixed ones are near, ms, where what was seen may leave that open: of few requests, or where it
 * was not seen when more came back at the very end. null where nothing is open.
 */
export function openWindows(observation: Observation, frame: Frame): Bounds | null {
  const isKnown = isSharp(observation, frame) && frame.returned !== null;
  if (isKnown && !observation.few) return null;
  const tolerance = tolerances(observation, frame);
  const fixed = families(frame, false).filter(({ algorithm }) => algorithm === 'fixed-window');
  const near = fixed.map((one) => best(one, observation, tolerance)).filter(isNear);
  return near.length === 0 ? null : around(near);
}

/** Two times the same limiter is found with windows this share apart at most. */
const SAME_WINDOW = 0.01;
const WITHIN_STEPS = 12;

/**
 * The windows, ms, with which kinds that were found another time are near this time as well, as far as they lie within
 * those found then; null where none does.
 */
export function windowsAgain(
  observation: Observation,
  frame: Frame,
  { couldBe, fittedWindows }: Pick<RateFacts, 'couldBe' | 'fittedWindows'>,
): Bounds | null {
  if (!fittedWindows) return null;
  const tolerance = tolerances(observation, frame);
  const { lower, upper } = fittedWindows;
  const within: Axis = { from: lower * (1 - SAME_WINDOW), to: upper * (1 + SAME_WINDOW), steps: WITHIN_STEPS };
  const near = families(frame, false)
    .filter(({ algorithm }) => couldBe.includes(algorithm))
    .map(({ seeds: _, ...family }) =>
      best({ ...family, axes: [within, ...family.axes.slice(1)] }, observation, tolerance),
    )
    .filter(isNear);
  return near.length === 0 ? null : around(near);
}

/** All windows of these. */
export const around = (all: readonly Fit[]): Bounds => ({
  lower: Math.min(...all.map(({ windows }) => windows.lower)),
  upper: Math.max(...all.map(({ windows }) => windows.upper)),
});

/** Whether a counter with the documented window may have had a boundary while the burst was admitted. */
export function mayHaveMetBoundary(observation: Observation, frame: Frame): boolean {
  const { beganMs, endedMs } = frame;
  const { slackMs } = observation;
  const inBurst: Axis = { from: beganMs - slackMs, to: endedMs + slackMs, steps: WIDE_PHASE_STEPS.documented };
  const tolerance = tolerances(observation, frame);
  return countersOf(frame, true, () => inBurst).some((one) => isNear(best(one, observation, tolerance)));
}

/** Whether a counter of the limit with the documented window is near, wherever its windows begin. */
export function isCounter(observation: Observation, frame: Frame): boolean {
  const { limit, windowMs, beganMs } = frame;
  const tolerance = tolerances(observation, frame);
  const anywhere: Axis = { from: beganMs - windowMs, to: beganMs, steps: ANYWHERE_STEPS };
  return countersOf(frame, true, () => anywhere)
    .filter(({ value }) => value === limit)
    .some((one) => isNear(best(one, observation, tolerance)));
}

const ANYWHERE_STEPS = 60;

/** Whether a log of the limit that is kept in steps of the clock is near. */
export function mayBeStepped(observation: Observation, frame: Frame): boolean {
  const tolerance = tolerances(observation, frame);
  return steppedLogs(frame).some((one) => isNear(best(one, observation, tolerance)));
}

/** Whether what is left is explained by uncertain moments. */
export const isNear = ({ distance }: Pick<Fit, 'distance'>): boolean => distance <= 1;

type Tolerances = Readonly<Record<Part, number>>;

/** Less than one request. */
const EXACT = 0.5;
const POLLS_OFF = 0.03;
/** The last poll may have come right before what it asks for, or right behind it. */
const RETURN_OFF = 1.5;
/** Each one that is admitted, in polls. */
const FEW_OFF = 1;
const PACE_OFF = 0.015;
/** Small limits are exact; of large ones a burst may be off by two, for a boundary that falls between two requests. */
const BURST_OFF_MOST = 2.5;
const BURST_OFF_SHARE = 50;

/** How far a right model may be off because the moments of arrival are not known exactly. */
function tolerances({ partAt, slackMs, blurred, few }: Observation, { limit, windowMs }: Frame): Tolerances {
  const count = (name: Part): number => {
    const place = parts.indexOf(name);
    return partAt.reduce((sum, one) => sum + (one === place ? 1 : 0), 0);
  };
  const inSlack = (2 * limit * slackMs) / windowMs;
  const inPace = Math.max(inSlack, blurred.pace - 1);
  const inBurst = Math.min(BURST_OFF_MOST, EXACT + limit / BURST_OFF_SHARE);
  return {
    first: inBurst + inSlack,
    recovery: (few ? FEW_OFF * limit : EXACT + POLLS_OFF * count('recovery')) + blurred.polls,
    pace: EXACT + PACE_OFF * count('pace') + inPace,
    again: inBurst + inPace,
    echo: inBurst + inPace,
    return: RETURN_OFF + POLLS_OFF * count('return') + blurred.polls,
  };
}

function best(family: Family, observation: Observation, tolerance: Tolerances): Fit {
  const lookAt = (point: readonly number[]): Look => ({
    point,
    distance: distance(
      deviation(observation, () => family.make(point)),
      tolerance,
    ),
  });
  const seeds = nearestOf(family, lookAt);
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

/** The largest deviation in units of its tolerance decides; the others only choose between equals. */
function distance(differing: Readonly<Record<Part, number>>, tolerance: Tolerances): number {
  const shares = parts.map((name) => differing[name] / tolerance[name]);
  return Math.max(...shares) + 0.01 * shares.reduce((sum, share) => sum + share, 0);
}
