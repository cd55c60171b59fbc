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

/** Number of requests of a steady load: one at `fromMs`, one each period, none at or after `untilMs`. */
export function slots({ fromMs, periodMs, untilMs }: Span): number {
  return untilMs > fromMs ? Math.ceil((untilMs - fromMs) / periodMs) : 0;
}

export function slotAt(span: Span, index: number): number {
  return span.fromMs + index * span.periodMs;
}

/**
 * A request this late is left out: sending all overdue ones at once would put a burst where a pace was promised.
 * A few late ones stay, since the analysis counts each window by when the requests were really sent.
 */
export function tooLateMs(span: Span, windowMs: number): number {
  return Math.max(span.periodMs, windowMs / 20);
}

/** Above this distance between two requests a server may have closed the idle connection, ms. */
export const IDLE_CONNECTION_MS = 2000;
