/** When and by whom a load is sent, as arithmetic: shares of a burst and slots of a steady pace. */

/** How many of `total` requests VU number `index` (from 0) of `vus` sends: equal shares, the rest to the first ones. */
export function shareOf(total: number, vus: number, index: number): number {
  return Math.floor(total / vus) + (index < total % vus ? 1 : 0);
}

/** A load without a burst begins so long after the common start of several, so that all of them are there, ms. */
export const TOGETHER_AT_MS = 3000;

export interface Span {
  readonly fromMs: number;
  readonly periodMs: number;
  readonly untilMs: number;
  /**
   * Of an uneven pace: it repeats after so many slots, so that so many periods hold so many of them wherever they begin.
   * A bucket that gives back whole requests alone, and loses the rest each time, keeps up with a steady pace only.
   */
  readonly cycle?: number;
}

/** Slots of an uneven pace come in groups, each slot a part of a period sooner than the one before; then one is late. */
const GROUP = 5;
/** How much sooner than in a steady pace, or how much longer than a period behind the one before, in periods. */
export const UNEVEN = (GROUP - 1) / GROUP;

/** Number of requests of a load: one at `fromMs`, one each period or a little sooner, none at or after `untilMs`. */
export function slots(span: Span): number {
  let count = Math.max(0, Math.ceil((span.untilMs - span.fromMs) / span.periodMs));
  while (count > 0 && slotAt(span, count) < span.untilMs) count += 1;
  return count;
}

export const slotsIn = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + slots(span), 0);

export function slotAt({ fromMs, periodMs, cycle }: Span, index: number): number {
  const group = Math.min(GROUP, cycle ?? 1);
  const sooner = ((index % (cycle ?? 1)) % group) / group;
  return fromMs + (index - sooner) * periodMs;
}

/** When each of its requests is sent, in order. */
export const slotTimes = (span: Span): number[] =>
  Array.from({ length: slots(span) }, (_, index) => slotAt(span, index));

/** When single requests are sent: at the single moments, and each period where none of those is near. */
export function pollTimes({
  spans,
  edgesMs,
}: {
  readonly spans: readonly Span[];
  readonly edgesMs: readonly number[];
}) {
  const grid = spans.flatMap((span) =>
    slotTimes(span).filter((atMs) => edgesMs.every((edgeMs) => Math.abs(atMs - edgeMs) > span.periodMs / 2)),
  );
  return [...grid, ...edgesMs].sort((a, b) => a - b);
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

/**
 * So long a connection may lie idle, ms: some servers close it after a second, and a request that meets a connection just
 * being closed is lost. The connections of a burst are opened so long before it.
 */
export const IDLE_CONNECTION_MS = 700;

const WATCH_EVERY_MS = 500;

/** When the queue is polled: from shortly before the first burst on, since older jobs may be waiting. */
export function watchSpan({ burstAtMs, untilMs }: { readonly burstAtMs: number; readonly untilMs: number }): Span {
  return { fromMs: burstAtMs - WATCH_EVERY_MS, periodMs: WATCH_EVERY_MS, untilMs };
}
