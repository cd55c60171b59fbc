/**
 * Which limiter is behind a rate limit, by playing the known kinds over everything the probe sent. Only what fits is
 * named, and only where nothing else fits as well; a kind with another window than documented is looked for where none
 * with the documented one fits.
 */
import type { Bounds, RateFacts } from '../../../schemas/facts.ts';
import type { Frame, Named } from './families.ts';
import {
  around,
  type Fit,
  fits,
  isCounter,
  isNear,
  isSharp,
  mayBeStepped,
  mayHaveMetBoundary,
  openWindows,
  windowsAgain,
} from './fit.ts';
import { CLOCK_MS, type Observation, type Part, parts } from './observation.ts';

export interface Explanation
  extends Pick<RateFacts, 'algorithm' | 'couldBe' | 'fittedWindows' | 'likeDocumented' | 'maybeInSteps'> {
  /** If it is a counter: whether the burst surely met no boundary of its windows. */
  readonly burstClear: boolean;
}

const UNLIKE: Explanation = {
  algorithm: 'unknown',
  couldBe: [],
  fittedWindows: null,
  likeDocumented: false,
  maybeInSteps: false,
  burstClear: false,
};

/** Of two kinds that are both near enough, one is named only when it is so much nearer, and the other not near. */
const CLEARLY_NEARER = 0.3;
const HARDLY_NEAR = 0.5;
const SAME_WINDOW = 0.03;

export function explain(observation: Observation | null, limit: number, windowMs: number, before?: Found): Explanation {
  const frame = observation && frameOf(observation, limit, windowMs);
  if (!observation || !frame) return { ...UNLIKE, likeDocumented: null };
  if (frame.nothingBack)
    return isCounter(observation, frame) ? asCounter(windowMs) : { ...UNLIKE, likeDocumented: null };
  const candidates = plausible(nearOnes(fits(observation, frame), frame));
  const kinds = [...new Set(candidates.map((one) => one.algorithm))];
  const [nearest] = candidates;
  if (!nearest) {
    // Steps explain so much that a blurred look at them is believed only where it rules out what was found before.
    const isOpen = before !== undefined && isLeftOpen(observation, frame, before);
    return { ...UNLIKE, maybeInSteps: !isOpen && mayBeStepped(observation, frame) };
  }
  const burstClear = kinds.includes('sliding-counter') && !mayHaveMetBoundary(observation, frame);
  const mayBeRefilled = candidates.some((one) => isRefilled(one, frame));
  const named = kinds.length === 1 || (!mayBeRefilled && isClear(candidates, nearest));
  const meant = named ? candidates.filter(({ algorithm }) => algorithm === nearest.algorithm) : candidates;
  const likeDocumented = meant.some((one) => one.windowMs === windowMs);
  const mayBeFixed = meant.some(({ algorithm }) => algorithm === 'fixed-window');
  const open = likeDocumented && mayBeFixed ? openWindows(observation, frame) : null;
  const again = likeDocumented && before ? unlikeAgain(observation, frame, before) : null;
  return {
    algorithm: named ? nearest.algorithm : 'unknown',
    couldBe: named ? [nearest.algorithm] : kinds,
    fittedWindows: together(together(around(meant), open), again),
    likeDocumented,
    maybeInSteps: !likeDocumented && mayBeStepped(observation, frame),
    burstClear,
  };
}

/**
 * A counter of a tiny limit gives nothing back until half of what came in its last window has lost its weight, which may
 * take one and a half windows. So little is seen then that no other kind is looked for.
 */
const asCounter = (windowMs: number): Explanation => ({
  algorithm: 'sliding-counter',
  couldBe: ['sliding-counter'],
  fittedWindows: { lower: windowMs, upper: windowMs },
  likeDocumented: true,
  maybeInSteps: false,
  burstClear: false,
});

/** What the same limit was like another time. */
export type Found = Pick<RateFacts, 'couldBe' | 'fittedWindows' | 'likeDocumented'>;

const unlikeAgain = (observation: Observation, frame: Frame, found: Found): Bounds | null =>
  found.likeDocumented === false ? windowsAgain(observation, frame, found) : null;

/** Whether this time is too blurred to rule out another window than documented that was found another time. */
const isLeftOpen = (observation: Observation, frame: Frame, found: Found): boolean =>
  !isSharp(observation, frame) && unlikeAgain(observation, frame, found) !== null;

/** The same of an observation by itself; false where there was nothing to compare. */
export function leavesOpen(observation: Observation | null, limit: number, windowMs: number, found: Found): boolean {
  const frame = observation && frameOf(observation, limit, windowMs);
  return observation !== null && frame !== null && !frame.nothingBack && isLeftOpen(observation, frame, found);
}

function together(one: Bounds, other: Bounds | null): Bounds {
  if (!other) return one;
  return { lower: Math.min(one.lower, other.lower), upper: Math.max(one.upper, other.upper) };
}

/** Of two that are both at the edge of what is near, the one just beyond it is as likely. */
const AS_LIKELY = 0.5;

/**
 * What a bucket of the limit admits beyond it while it is refilled looks like a larger limit of another kind. The moment
 * of each token depends on all before it, so such a bucket is left out only where it is this far off.
 */
const SURELY_NO_BUCKET = 1.5;

/** Nearest first; none where not even one is near. */
function nearOnes(all: readonly Fit[], frame: Frame): readonly Fit[] {
  const [nearest, ...others] = [...all].sort(byDistance);
  if (!nearest || !isNear(nearest)) return [];
  const isLikely = (one: Fit) =>
    one.distance <= Math.max(nearest.distance + AS_LIKELY, isRefilled(one, frame) ? SURELY_NO_BUCKET : 1);
  return [nearest, ...others.filter(isLikely)];
}

/** Whether it is a bucket of the limit, where more came through than that. */
const isRefilled = ({ algorithm, value, windowMs }: Fit, { limit, windowMs: documentedMs, admitted }: Frame): boolean =>
  algorithm === 'token-bucket' && value === limit && windowMs === documentedMs && admitted > limit;

/**
 * A counter whose boundary happens to lie a window after the burst behaves like a log. Polls around that moment make it
 * so short that it is the log wherever both fit with the same value and window. Where the burst met that boundary, a
 * counter admits more than its value, and then a smaller one behaves like a larger log.
 */
function plausible(candidates: readonly Fit[]): readonly Fit[] {
  const log = candidates.find(({ algorithm }) => algorithm === 'sliding-log');
  if (!log) return candidates;
  const alike = ({ algorithm, value, windowMs }: Fit) =>
    algorithm === 'sliding-counter' &&
    value >= log.value &&
    Math.abs(windowMs - log.windowMs) < SAME_WINDOW * log.windowMs;
  return candidates.filter((one) => !alike(one));
}

const byDistance = (a: Fit, b: Fit): number => a.distance - b.distance;

function isClear(candidates: readonly Fit[], nearest: Fit): boolean {
  const isOther = (algorithm: Named) => algorithm !== nearest.algorithm;
  const next = candidates.find(({ algorithm }) => isOther(algorithm));
  if (next === undefined) return true;
  return next.distance >= HARDLY_NEAR && nearest.distance <= CLEARLY_NEARER * next.distance;
}

/** null where nothing was refused, or something came back before the burst was over. */
function frameOf({ atMs, admitted, partAt, longestMs }: Observation, limit: number, windowMs: number): Frame | null {
  const rowsOf = (wanted: Part): Row[] => {
    const rows: Row[] = [];
    const place = parts.indexOf(wanted);
    partAt.forEach((one, index) => {
      if (one === place) rows.push({ atMs: atMs[index] ?? 0, admitted: admitted[index] === 1 });
    });
    return rows;
  };
  const first = rowsOf('first');
  const refused = first.filter((one) => !one.admitted);
  const polls = rowsOf('recovery');
  const back = polls.findIndex((one) => one.admitted);
  const [begin, end] = [first[0], first.filter((one) => one.admitted).at(-1)];
  const nothingBack = back === -1;
  const [before, returned] = nothingBack ? [polls.at(-1), polls.at(-1)] : [polls[back - 1], polls[back]];
  if (!begin || !end || refused.length === 0 || polls.length === 0) return null;
  if ((first.at(-1)?.atMs ?? 0) - begin.atMs >= windowMs) return null;
  return {
    limit,
    windowMs,
    admitted: first.length - refused.length,
    beganMs: begin.atMs,
    endedMs: end.atMs,
    silentUntilMs: before?.atMs ?? refused.at(-1)?.atMs ?? end.atMs,
    backMs: returned?.atMs ?? end.atMs,
    silent: back > 0,
    nothingBack,
    unsureMs: longestMs + CLOCK_MS,
    returned: returnedOf(rowsOf('echo'), rowsOf('return')),
  };
}

interface Row {
  readonly atMs: number;
  readonly admitted: boolean;
}

/** Between which moments more came back at the very end. */
function returnedOf(echo: readonly Row[], polls: readonly Row[]): Frame['returned'] {
  const [last, first] = [polls.at(-1), polls.find(({ admitted }) => admitted)];
  const before = [...echo, ...polls].findLast(({ admitted, atMs }) => !admitted && atMs < (first?.atMs ?? 0));
  return last === first && first && before ? { fromMs: before.atMs, toMs: first.atMs } : null;
}
