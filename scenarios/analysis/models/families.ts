/**
 * The kinds of limiters that are looked for behind a limit, each as a space of at most two dimensions: the length of
 * its window, and where a boundary lies, ms.
 */
import type { Algorithm } from '../../../schemas/facts.ts';
import {
  anchoredWindow,
  fixedWindow,
  type Model,
  slidingCounter,
  slidingLog,
  steppedLog,
  tokenBucket,
} from './limiters.ts';
import type { Axis } from './search.ts';

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
  /** Whether no poll after exhaustion was admitted; then both of these moments are the last one's. */
  readonly nothingBack: boolean;
  /** How far two moments may be nearer to one another, or farther apart, than they seem, ms. */
  readonly unsureMs: number;
  /** Last refused poll and first admitted one at the very end, ms; null where nothing was refused or came back there. */
  readonly returned: { readonly fromMs: number; readonly toMs: number } | null;
}

/** A kind of limiter, and where to look for it. */
export interface Family {
  readonly algorithm: Named;
  /** Requests; what it admits at once. */
  readonly value: number;
  readonly axes: readonly Axis[];
  /** Points to begin with that lie close together, where what was seen leads to such. */
  readonly seeds?: readonly (readonly number[])[];
  make(point: readonly number[]): Model;
}

const WINDOW_SHARES = { from: 0.4, to: 2.2, steps: 48 };
/** With the window known a boundary is all there is to look for; else the two are refined together. */
const PHASE_STEPS = { documented: 5, free: 2 };
export const WIDE_PHASE_STEPS = { documented: 15, free: 6 };
const SMALL_LIMIT = 20;
/** Of an axis that had to be made longer. */
const STEPS_MOST = 48;

/** @param documentedWindow only with exactly that length, or with others */
export function families(frame: Frame, documentedWindow: boolean): Family[] {
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
  const seeds = documentedWindow ? [] : seedsBetween(frame, length);
  const windows = valuesOf(frame).map(
    (value): Family => ({
      algorithm: 'fixed-window',
      value,
      axes: [length, boundary],
      ...(seeds.length > 0 ? { seeds } : {}),
      make: ([ms = 0, at = 0]) => fixedWindow(value, ms, at),
    }),
  );
  // An estimate that must leave a whole request free gives back the first only so long after the boundary.
  const freeMs = (value: number, room: number) => (room * (documentedWindow ? 1 : WINDOW_SHARES.to) * windowMs) / value;
  const counters = countersOf(frame, documentedWindow, (value, room) => longer(earlier, freeMs(value, room)));
  const echoing: readonly Family[] = [
    { algorithm: 'sliding-log', value: admitted, axes: [echo], make: ([ms = 0]) => slidingLog(admitted, ms) },
    { algorithm: 'fixed-window', value: admitted, axes: [echo], make: ([ms = 0]) => anchoredWindow(admitted, ms) },
  ];
  return [
    ...(mayEcho(frame, echo) ? echoing : []),
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

/**
 * Whether what the first request took may have come back after such a window. However slow the target is, and so however
 * much in doubt the order of requests, this can't be otherwise.
 */
function mayEcho({ beganMs, silentUntilMs, backMs, unsureMs }: Frame, { from, to }: Axis): boolean {
  return to >= silentUntilMs - beganMs - unsureMs && from <= backMs - beganMs + unsureMs;
}

/** How closely each of the two boundaries is looked for, as a share of the window, and in how many steps at most. */
const BETWEEN_WINDOWS = 1 / 240;
const BETWEEN_STEPS = 15;

/**
 * Windows and boundaries by the two moments that are known best: a boundary came when the burst was given back, and
 * another at the very end; between them lies a whole number of windows.
 */
function seedsBetween({ silentUntilMs, backMs, returned, windowMs }: Frame, { from, to }: Axis): number[][] {
  if (!returned) return [];
  const spanMs = returned.toMs - silentUntilMs;
  const counts = Array.from({ length: Math.ceil(spanMs / from) }, (_, index) => index + 1);
  const moments = (fromMs: number, untilMs: number) => {
    const steps = Math.min(BETWEEN_STEPS, Math.ceil((untilMs - fromMs) / (BETWEEN_WINDOWS * windowMs)));
    return Array.from({ length: steps }, (_, step) => fromMs + ((step + 0.5) / steps) * (untilMs - fromMs));
  };
  return moments(silentUntilMs, backMs).flatMap((atMs) =>
    moments(returned.fromMs, returned.toMs).flatMap((lastMs) =>
      counts.flatMap((count) => {
        const ms = (lastMs - atMs) / count;
        return ms >= from && ms <= to ? [[ms, atMs]] : [];
      }),
    ),
  );
}

/** What was admitted is more than the limit where a boundary fell into the burst, and then perhaps twice the value. */
const valuesOf = ({ admitted, limit }: Frame): readonly number[] => [
  ...new Set([admitted, limit, ...(admitted > limit ? [Math.ceil(admitted / 2)] : [])]),
];

export function countersOf(
  frame: Frame,
  documentedWindow: boolean,
  boundary: (value: number, room: 0 | 1) => Axis,
): Family[] {
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

/** Of the limit and the documented window. */
export function steppedLogs({ limit, windowMs, beganMs }: Frame): Family[] {
  return STEPS_OF_LOGS.map((steps) => ({
    algorithm: 'sliding-log',
    value: limit,
    axes: [exactly(windowMs), { from: beganMs, to: beganMs + windowMs / steps, steps: 8 }],
    make: ([ms = 0, at = 0]) => steppedLog(limit, ms, steps, at),
  }));
}

/** An axis that begins so much sooner, looked at as closely as far as that is affordable. */
function longer({ from, to, steps }: Axis, by: number): Axis {
  // Where nothing came back there is a single moment.
  const wanted = Math.max(1, Math.ceil((steps * (to - from + by)) / Math.max(1, to - from)));
  return { from: from - by, to, steps: Math.min(wanted, Math.max(steps, STEPS_MOST)) };
}

const exactly = (value: number): Axis => ({ from: value, to: value, steps: 1 });

function windowAxis({ windowMs }: Frame, documentedWindow: boolean): Axis {
  const { from, to, steps } = WINDOW_SHARES;
  return documentedWindow ? exactly(windowMs) : { from: from * windowMs, to: to * windowMs, steps };
}
