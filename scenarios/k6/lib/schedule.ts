/** When and by whom a load is sent, as arithmetic: shares of a burst and slots of a steady pace. */

/** How many of `total` requests VU number `index` (from 0) of `vus` sends: equal shares, the rest to the first ones. */
export function shareOf(total: number, vus: number, index: number): number {
  return Math.floor(total / vus) + (index < total % vus ? 1 : 0);
}

export interface Span {
  readonly fromMs: number;
  readonly periodMs: number;
  readonly untilMs: number;
}

/** So much of the margin of an idle window may a late start take, ms. */
const LATE_START_MS = 400;
/** ... and so far, as a share of the window, may what is placed in it be off. */
const OFF_SHARE = 0.05;

/**
 * By how much a schedule has to begin later than its sender did (negative: sooner, ms), so that its zero is where it is
 * wanted, or a whole number of windows from there: nobody knows beforehand how long a process takes to start.
 */
export function shiftTo(wantedMs: number, startedMs: number, windowMs: number): number {
  const shift = wantedMs - startedMs;
  const lacking = -LATE_START_MS - shift;
  if (lacking <= 0) return shift;
  return lacking < OFF_SHARE * windowMs ? -LATE_START_MS : shift + Math.ceil(lacking / windowMs) * windowMs;
}

/** Number of requests of a steady load: one at `fromMs`, one each period, none at or after `untilMs`. */
export function slots({ fromMs, periodMs, untilMs }: Span): number {
  return untilMs > fromMs ? Math.ceil((untilMs - fromMs) / periodMs) : 0;
}

export function slotAt(span: Span, index: number): number {
  return span.fromMs + index * span.periodMs;
}

/** When the polls of a recovery are sent: at the single moments, and each period where none of those is near. */
export function pollTimes(recovery: Span & { readonly edgesMs: readonly number[] }): number[] {
  const { edgesMs, periodMs } = recovery;
  const grid = Array.from({ length: slots(recovery) }, (_, index) => slotAt(recovery, index));
  const alone = grid.filter((atMs) => edgesMs.every((edgeMs) => Math.abs(atMs - edgeMs) > periodMs / 2));
  return [...alone, ...edgesMs].sort((a, b) => a - b);
}

const LEAST_LATENESS_MS = 20;
/** The rest of the room is for the way to the target. */
const SHARE_OF_ROOM = 0.8;

/**
 * How late a request of a pace may be, ms; a later one is left out. A pace below the limit leaves `limit` periods a
 * little longer than the window: with lateness beyond that room a window would hold more than the limit, and what was
 * sent as proof that nothing is refused would rightly be refused.
 */
export function latestMs(span: Span, limit: number, windowMs: number): number {
  return Math.max(LEAST_LATENESS_MS, SHARE_OF_ROOM * (limit * span.periodMs - windowMs));
}

/** Above this distance between two requests a server may have closed the idle connection, ms. */
export const IDLE_CONNECTION_MS = 2000;

const WATCH_EVERY_MS = 500;

/** When the queue is looked at: all through recovery and pace. */
export function watchSpan({ recovery, pace }: { readonly recovery: Span; readonly pace: Span }): Span {
  return { fromMs: recovery.fromMs, periodMs: WATCH_EVERY_MS, untilMs: pace.untilMs };
}
