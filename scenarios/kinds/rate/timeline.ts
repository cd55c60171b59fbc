/**
 * When a rate probe sends what, as arithmetic on the limit and its window. First a client that never has more than the
 * limit in any window: the limit at once, the limit at once as soon as it certainly may, more than the limit without a
 * pause but slowly, and a last pace. Then one that sends more in the same window, and goes on until all must be free
 * again.
 */
import { isSmall } from '../../../schemas/limits.ts';
import { isDocumentedOperation } from '../../../schemas/own.ts';
import { IDLE_CONNECTION_MS, type Span, slotsIn, UNEVEN } from '../../k6/lib/schedule.ts';
import type { RateParameters } from '../../probe.ts';

export type RateTimes = Pick<
  RateParameters,
  'burstAtMs' | 'secondBurstAtMs' | 'paces' | 'overflowAtMs' | 'refillsAtMs' | 'polls' | 'untilMs'
>;

export interface RateShape {
  readonly limit: number;
  readonly windowMs: number;
  /** How long the burst takes, as estimated. */
  readonly burstMs: number;
  /** How many windows the first pace goes on for; null where only a burst is to be sent. */
  readonly paceWindows: number | null;
}

/** On top of an idle window: process start, clocks that differ, and a target that closes its windows a little late. */
export const IDLE_MARGIN_MS = 500;

/** From the expected last answer of a burst to when all of it has surely left the window: clocks and a late start. */
const SURELY_MS = 150;

/**
 * The last pace ends within the window of its first request, so that nothing of it is free again when more is sent: how
 * much is admitted then is known to the unit, however long a response takes.
 */
const LAST_PACE_WINDOWS = 0.88;
/**
 * Between the paces nothing is sent, so that all is free again and a fixed window may begin with the last one. And a
 * limiter that keeps a multiple of the limit in as many windows shows at once when more is sent: up to four windows
 * back there are only the two paces. With 1.1 windows, twelve in six windows would look like a bucket of two.
 */
const IDLE_WINDOWS = 1.3;
/** Below the limit's own pace, so that a bucket stays full, and a longer pace has no more than the limit in any window. */
const PACE_MARGIN = 0.02;
/**
 * What a stall held back may have arrived all at once, and a bucket that is paced just below its refill makes up for that
 * only slowly: in so long it is full again.
 */
const OVERFLOW_AFTER_WINDOWS = 0.03;
/**
 * Nothing is sent for so long once, so that a limiter that forgets a silent client shows it (Traefik: two seconds).
 */
const SILENT_WINDOWS = 0.27;
/** Behind the return of the first paced request. */
const POLLS_AFTER_RETURN_WINDOWS = 0.05;
/**
 * Until two boundaries have come, or the second is late; a block that begins when the first one is over, a little late, is
 * over by then as well.
 */
const GOES_ON_WINDOWS = 2.5;
/** After the silence: refilled requests are taken at several moments, to see how they are refilled. */
const REFILLS_WINDOWS = [0, 0.21, 0.47, 0.71, 0.93, 1.12, 1.37, 1.58];
/** Fewer than are refilled in a window of a usual limit: refused requests that are counted would take their place. */
const POLLS_PER_WINDOW = 60;
const SMALL_POLLS_PER_WINDOW = 200;
const POLL_LEAST_MS = 20;
/** Around the moment at which the first paced request leaves the window. */
const EDGES_WINDOWS = [-0.01, -0.005, -0.0025, 0.0025, 0.005, 0.01];

export const pacePeriodMs = (limit: number, windowMs: number): number => (windowMs * (1 + PACE_MARGIN)) / limit;

export const pollPeriodMs = (limit: number, windowMs: number): number =>
  Math.max(POLL_LEAST_MS, windowMs / (isSmall({ value: limit }) ? SMALL_POLLS_PER_WINDOW : POLLS_PER_WINDOW));

/** A target so slow that it never catches up with its bucket is not chased further. */
const REFILLED_WINDOWS = 1;

/**
 * What a bucket gets while more is sent, of which the target is sent as much on top: one that answers a burst slowly,
 * beside those of other limits, would not be exhausted otherwise.
 */
export const refilled = ({ limit, windowMs }: Pick<RateParameters, 'limit' | 'windowMs'>, elapsedMs: number): number =>
  (limit * Math.min(REFILLED_WINDOWS * windowMs, elapsedMs)) / windowMs;

export const refilledMost = (parameters: Pick<RateParameters, 'limit' | 'windowMs'>): number =>
  Math.ceil(refilled(parameters, Number.POSITIVE_INFINITY));

/** To each operation that shares the limit, with each of its methods. */
export const SIBLING_REQUESTS = 10;

/**
 * Whether some of its connections would lie idle for so long that a server may close one just as it is used again: each
 * request has a connection of its own then.
 */
export const reconnects = ({ limit, windowMs, vus }: Pick<RateParameters, 'limit' | 'windowMs' | 'vus'>): boolean =>
  Math.max((vus + UNEVEN) * pacePeriodMs(limit, windowMs), pollPeriodMs(limit, windowMs)) > IDLE_CONNECTION_MS;

/**
 * Whether each connection is opened by a request that spends nothing. Only the documentation names such requests: for
 * an operation of one's own, a limit on everything would count them, and then refuse a client that stays within the
 * limit.
 */
export const warmsUp = (parameters: Pick<RateParameters, 'operation' | 'limit' | 'windowMs' | 'vus'>): boolean =>
  isDocumentedOperation(parameters.operation) && !reconnects(parameters);

/** Until its burst a probe only opens connections. So long that the others can start before it, with bursts of their own, ms. */
const PREPARE_MS = 4500;

/** @param burstAtMs default: as soon as it can; that nothing was sent in the window before is the schedule's part */
export function rateTimes(shape: RateShape, burstAtMs = PREPARE_MS): RateTimes {
  const { limit, windowMs, burstMs, paceWindows } = shape;
  const periodMs = pacePeriodMs(limit, windowMs);
  const paceOf = (fromMs: number, windows: number): Span => ({
    fromMs,
    periodMs,
    untilMs: fromMs + windows * windowMs,
    cycle: limit,
  });
  const freeAfterMs = Math.ceil(windowMs + burstMs + SURELY_MS);
  if (paceWindows === null) {
    // Some connections take longer than others: requests sent before they are done would count against them.
    const overflowAtMs = burstAtMs + Math.ceil(2 * burstMs + SURELY_MS);
    return { burstAtMs, paces: [], overflowAtMs, ...goesOn(shape, overflowAtMs, burstAtMs + windowMs) };
  }
  // Each connection sends its share a window after its own last answer, and no sooner than this.
  const secondBurstAtMs = burstAtMs + Math.ceil(windowMs + SURELY_MS);
  const first = paceOf(secondBurstAtMs + freeAfterMs, paceWindows);
  const last = paceOf(Math.ceil(first.untilMs + IDLE_WINDOWS * windowMs), LAST_PACE_WINDOWS);
  const overflowAtMs = Math.ceil(last.untilMs + OVERFLOW_AFTER_WINDOWS * windowMs);
  const paces = [first, last];
  return { burstAtMs, secondBurstAtMs, paces, overflowAtMs, ...goesOn(shape, overflowAtMs, last.fromMs + windowMs) };
}

/** The same with all that is sent at some moment so much later. */
export function laterBy<P extends RateTimes>(parameters: P, ms: number): P {
  const span = (one: Span): Span => ({ ...one, fromMs: one.fromMs + ms, untilMs: one.untilMs + ms });
  const { burstAtMs, secondBurstAtMs, paces, overflowAtMs, refillsAtMs, polls, untilMs } = parameters;
  return {
    ...parameters,
    burstAtMs: burstAtMs + ms,
    ...(secondBurstAtMs === undefined ? {} : { secondBurstAtMs: secondBurstAtMs + ms }),
    paces: paces.map(span),
    overflowAtMs: overflowAtMs + ms,
    refillsAtMs: refillsAtMs.map((atMs) => atMs + ms),
    polls: { spans: polls.spans.map(span), edgesMs: polls.edgesMs.map((atMs) => atMs + ms) },
    untilMs: untilMs + ms,
  };
}

/** @param returnMs when what was admitted last begins to leave the window */
function goesOn({ limit, windowMs, burstMs }: RateShape, overflowAtMs: number, returnMs: number) {
  const pollMs = pollPeriodMs(limit, windowMs);
  const span = (fromMs: number, untilMs: number): Span => ({ fromMs, periodMs: pollMs, untilMs });
  const silentFromMs = Math.ceil(returnMs + POLLS_AFTER_RETURN_WINDOWS * windowMs);
  const firstRefillMs = Math.ceil(silentFromMs + SILENT_WINDOWS * windowMs);
  const lastRefillMs = Math.ceil(
    Math.max(overflowAtMs + GOES_ON_WINDOWS * windowMs, firstRefillMs + windowMs + burstMs + SURELY_MS),
  );
  const before = REFILLS_WINDOWS.map((share) => Math.ceil(firstRefillMs + share * windowMs));
  const refillsAtMs = [...before.filter((atMs) => atMs < lastRefillMs), lastRefillMs];
  return {
    refillsAtMs,
    polls: {
      spans: [
        span(Math.ceil(overflowAtMs + Math.max(burstMs / 2, pollMs)), silentFromMs),
        span(Math.ceil(firstRefillMs + Math.max(burstMs / 2, pollMs)), lastRefillMs),
      ],
      edgesMs: EDGES_WINDOWS.map((share) => Math.round(returnMs + share * windowMs)),
    },
    untilMs: Math.ceil(lastRefillMs + burstMs),
  };
}

/** The least time that all this takes, however quick the target is: an idle window and those between the bursts, ms. */
export function rateFloorMs({ limit, windowMs }: RateParameters, paceWindows: number | null): number {
  const ideal = rateTimes({ limit, windowMs, burstMs: 0, paceWindows }, windowMs);
  return Math.round(ideal.untilMs);
}

/** How many requests the last pace has, all of which still count when more is sent. */
export const lastPaced = ({ paces }: Pick<RateParameters, 'paces'>): number => slotsIn(paces.slice(-1));

/**
 * When a probe sends as much at once as it can and certainly much, ms from its start; later refills are mostly small. A
 * burst is planned to take half of what it may.
 */
export function bursts({ burstAtMs, secondBurstAtMs, overflowAtMs, refillsAtMs, untilMs }: RateParameters) {
  const lastsMs = Math.max(LEAST_BURST_MS, (untilMs - (refillsAtMs.at(-1) ?? untilMs)) / 2);
  const begins = [burstAtMs, ...(secondBurstAtMs === undefined ? [] : [secondBurstAtMs]), overflowAtMs];
  return begins.map((fromMs) => ({ fromMs, untilMs: fromMs + lastsMs }));
}

const LEAST_BURST_MS = 100;
