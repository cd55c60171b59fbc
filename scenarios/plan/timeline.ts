/**
 * When a rate probe sends what, as arithmetic on the limit and its window: idle, the limit at once, beyond it, slow
 * polls until everything has left the window, a pace that no window can object to, and what that has left over.
 */
import { type Span, slotAt, slots } from '../k6/lib/schedule.ts';
import type { RateParameters } from '../probe.ts';

type Times = Pick<RateParameters, 'burstAtMs' | 'overAtMs' | 'recovery' | 'pace' | 'again'>;

export interface RateShape {
  readonly limit: number;
  readonly windowMs: number;
  /** How long the burst takes, as far as can be told beforehand. */
  readonly burstMs: number;
  /** How many windows the steady pace goes on for. */
  readonly paceWindows: number;
}

/** On top of the window: process start, clocks that differ, and a target that closes its windows a little late. */
export const IDLE_MARGIN_MS = 500;

/**
 * Of a second burst: a sliding counter still weighs what came in the window before the last, which a first burst leaves
 * to be seen, as it seldom matters and would keep all probes waiting.
 */
export const SECOND_IDLE_WINDOWS = 2;

const GAP_LEAST_MS = 500;
/** Several times the expected burst, so that `over` surely starts when the burst is done ... */
const GAP_BURSTS = 3;
/** ... but within the same window. Where a slow burst is not done by then, each VU goes on when it is. */
const GAP_MOST_OF_WINDOW = 1 / 3;
const SLOW_GAP_BURSTS = 1.2;
const SLOW_GAP_MOST_OF_WINDOW = 1 / 2;
/** Refusals come quickly; where nothing is refused at all, the first polls meet the rest of `over`, to no harm. */
const OVER_LEAST_MS = 500;
/** Of a short window no more than this: what comes back too soon is seen only by polls that were refused before. */
const OVER_MOST_OF_WINDOW = 1 / 10;
const OVER_BURSTS = 0.5;
const POLLS_PER_WINDOW = 40;
const POLL_SLACK = 1.1;
const RECOVERY_WINDOWS = 1.1;

/**
 * The margin of the pace. At exactly L per window, jitter alone puts L + 1 into some window and a strict limiter
 * rightly refuses one. L + 1 requests span L periods, so with 1 % on top they span the window and 100 ms more (at a
 * window of 10 s), which is the jitter that a window can take. A small limit is asked about by few requests, of which
 * each one has to be right, so there it is 3 %: still so little that a window a twentieth too long is full before.
 */
const PACE_MARGIN = 0.01;
const SMALL_LIMIT = 20;
const SMALL_LIMIT_MARGIN = 0.03;
/** Of a limit of so few requests each one has to be right, and a single probe takes most of a window. */
export const isSmall = ({ value }: { readonly value: number }): boolean => value <= SMALL_LIMIT;
/** Of short windows a share is less than what jitter takes on any network. */
const SMALL_LIMIT_LEAST_MS = 120;

export function pacePeriodMs(limit: number, windowMs: number): number {
  const small = Math.max(SMALL_LIMIT_MARGIN * windowMs, SMALL_LIMIT_LEAST_MS);
  return (windowMs + (limit <= SMALL_LIMIT ? small : PACE_MARGIN * windowMs)) / limit;
}

/** With so few requests per window their answers tell little, so each moment at which one comes back has to. */
export const TINY_LIMIT = 4;

/** A poll spends what it asks about, so polls alone stay below the limit too, but for a small one: those come often. */
export function pollPeriodMs(limit: number, windowMs: number): number {
  const often = windowMs / POLLS_PER_WINDOW;
  return limit <= SMALL_LIMIT ? often : Math.max(often, (windowMs / limit) * POLL_SLACK);
}

/**
 * Polls end more than a window after `over`, and the pace follows a period later: from then on every window holds
 * polls and pace alone, and two flows that are each below the limit stay below it where they meet. Polls of a small
 * limit are above it, so there the pace follows a window later.
 */
export function rateTimes(shape: RateShape, burstAtMs = shape.windowMs + IDLE_MARGIN_MS): Times {
  const { limit, windowMs } = shape;
  const overAtMs = Math.ceil(burstAtMs + gapMs(shape));
  const overLeastMs = Math.min(OVER_LEAST_MS, OVER_MOST_OF_WINDOW * windowMs);
  const recoveryFromMs = overAtMs + Math.ceil(Math.max(overLeastMs, OVER_BURSTS * shape.burstMs));
  const recoveryUntilMs = recoveryFromMs + RECOVERY_WINDOWS * windowMs;
  const periodMs = pacePeriodMs(limit, windowMs);
  const paceFromMs = Math.ceil(recoveryUntilMs + (limit <= SMALL_LIMIT ? windowMs : periodMs));
  const pace = { fromMs: paceFromMs, periodMs, untilMs: paceFromMs + shape.paceWindows * windowMs };
  return {
    burstAtMs,
    overAtMs,
    recovery: {
      fromMs: recoveryFromMs,
      periodMs: pollPeriodMs(limit, windowMs),
      untilMs: recoveryUntilMs,
      edgesMs: edgesOf(limit, windowMs).map((edgeMs) => Math.round(burstAtMs + windowMs + edgeMs)),
    },
    pace,
    again: shape.paceWindows > 0 ? againAfter(pace, shape) : undefined,
  };
}

/** From here on a few more polls weigh nothing. */
const AMPLE_LIMIT = 50;
const CLOSE_WINDOWS = 0.0025;
const BEFORE_WINDOWS = 0.02;
const AFTER_WINDOWS = 0.005;
const AFTER_LEAST_MS = 10;

/**
 * When to look around the moment at which the burst is a window old, ms from it. What comes back right then is a log's
 * echo or a window that the burst began; what has come back before is neither.
 */
function edgesOf(limit: number, windowMs: number): number[] {
  const after = Math.max(AFTER_LEAST_MS, AFTER_WINDOWS * windowMs);
  if (limit < AMPLE_LIMIT) return [-BEFORE_WINDOWS * windowMs, after];
  return [...[-4, -3, -2, -1].map((step) => step * CLOSE_WINDOWS * windowMs), after, 2 * after];
}

/** Behind the last request of the pace, which may be late ... */
const AGAIN_AFTER_MS = 300;
/** ... and then this share of a window, in which a known part of the pace comes back, and a boundary may pass. */
const ECHO_AFTER_WINDOWS = 0.15;

function againAfter(pace: RateParameters['pace'], shape: RateShape): RateParameters['again'] {
  const { limit, windowMs } = shape;
  const atMs = Math.ceil(slotAt(pace, slots(pace) - 1) + Math.min(AGAIN_AFTER_MS, windowMs / 20));
  const soon = atMs + Math.max(ECHO_AFTER_WINDOWS * windowMs, gapMs(shape));
  const echoAtMs = Math.ceil(limit <= TINY_LIMIT ? windowAfterLastButOne(pace, windowMs) : soon);
  const fromMs = limit <= TINY_LIMIT ? atMs + pollPeriodMs(limit, windowMs) : echoAtMs + gapMs(shape) / 2;
  return { atMs, echoAtMs, returns: returnsFrom(fromMs, shape) };
}

/** Of windows that lie one after the other a boundary comes within one; the last poll has to be behind it. */
const RETURN_WINDOWS = 1.05;

/**
 * What comes back once all is spent: whatever counts request by request gives one back soon, and windows give back
 * nothing until the next one begins. What they had left over before tells when the last one began, and the two moments
 * how long they are; boundaries of shorter windows may else lie where those of the right length do. Of a tiny limit the
 * pace leaves nothing over, so there they begin at once.
 */
function returnsFrom(fromMs: number, { limit, windowMs }: RateShape): Span {
  return { fromMs, periodMs: pollPeriodMs(limit, windowMs), untilMs: fromMs + RETURN_WINDOWS * windowMs };
}

/**
 * Of a tiny limit nothing else tells a log from windows that begin with a request: when the last request but one is a
 * window old, the log gives back that one alone, and a window that it began is over. Polls meet that moment.
 */
function windowAfterLastButOne(pace: RateParameters['pace'], windowMs: number): number {
  return slotAt(pace, slots(pace) - 2) + windowMs + windowMs / POLLS_PER_WINDOW;
}

/**
 * When the last request of the probe is sent, if its bursts take as long as they should and what comes back then comes
 * at once, ms. Windows that lie one after the other may take one more.
 */
export function lastSentMs({ pace, again, overAtMs, burstAtMs }: RateParameters): number {
  return again ? again.echoAtMs + (overAtMs - burstAtMs) / 2 : pace.untilMs;
}

function gapMs({ burstMs, windowMs }: RateShape): number {
  const wanted = Math.max(GAP_LEAST_MS, GAP_BURSTS * burstMs);
  const usual = Math.min(wanted, windowMs * GAP_MOST_OF_WINDOW);
  return Math.max(usual, Math.min(SLOW_GAP_BURSTS * burstMs, windowMs * SLOW_GAP_MOST_OF_WINDOW));
}

/** The same probe, everything later (or, with a negative number, earlier). */
export function shiftedBy(parameters: RateParameters, ms: number): RateParameters {
  const { again, recovery } = parameters;
  const span = (one: RateParameters['pace']) => ({ ...one, fromMs: one.fromMs + ms, untilMs: one.untilMs + ms });
  return {
    ...parameters,
    burstAtMs: parameters.burstAtMs + ms,
    overAtMs: parameters.overAtMs + ms,
    recovery: { ...span(recovery), edgesMs: recovery.edgesMs.map((one) => one + ms) },
    pace: span(parameters.pace),
    again: again && {
      atMs: again.atMs + ms,
      echoAtMs: again.echoAtMs + ms,
      returns: again.returns && span(again.returns),
    },
  };
}

/** What is sent a second time: the whole probe, or its burst. */
export const secondTime = (parameters: RateParameters, whole: boolean): RateParameters =>
  whole ? onceMore(parameters) : burstOnly(parameters);

/** The same probe for a second time: who shares the budget is known from the first. */
export const onceMore = (parameters: RateParameters): RateParameters => ({
  ...parameters,
  siblings: [],
  idleWindows: SECOND_IDLE_WINDOWS,
});

/** Idle window, burst and `over` only: all that a second burst at another phase of the window has to show. */
export function burstOnly(parameters: RateParameters): RateParameters {
  const none = { fromMs: 0, periodMs: parameters.windowMs, untilMs: 0 };
  return { ...onceMore(parameters), recovery: { ...none, edgesMs: [] }, pace: none, again: undefined };
}
