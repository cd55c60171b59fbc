/**
 * Sliding counter: a request is admitted when, with it, this window's count and the share of the last window's count
 * that a window ending now still covers make at most `limit`. Windows lie between the ticks of the clock. It estimates
 * the sliding log with two numbers, taking the last window's requests for evenly spread.
 *
 * Bound: `limit` between two ticks; `2 * limit - 1` in a window that begins anywhere: a full burst right before a tick
 * is forgotten as evenly as if it had come early. Guarantee: with at most `before` requests sent in the last window,
 * `so far` in this one and a share `left` of this one still to come, `before * left + so far <= limit` is never
 * refused. So never refused are clients that send at most half of `limit` (rounded down) in any window; that leave at
 * least 1 / (`limit` - 1) of a window between two requests; that send nothing in one window and at most `limit` in the
 * next. Nothing more: half of `limit` and one may be refused when it comes at two ticks in a row, because requests that
 * came early still count after they are a window old.
 */
import { ADMITTED, type RateLimiter, sinceTick, timesIn, windowIndex } from './rate-limiter.ts';

/** `phaseMs`: where the windows begin, after a multiple of their length. */
export function slidingCounter(limit: number, windowMs: number, phaseMs = 0): RateLimiter {
  let current = Number.NEGATIVE_INFINITY;
  let count = 0;
  let before = 0;
  /** Milliseconds until the next tick; counts that no longer matter are forgotten. */
  function left(nowMs: number): number {
    const since = sinceTick(nowMs, windowMs, phaseMs);
    const index = windowIndex(nowMs, since, windowMs, phaseMs);
    if (index !== current) {
      before = index === current + 1 ? count : 0;
      count = 0;
      current = index;
    }
    return windowMs - since;
  }
  /** How many more are admitted `rest` before the next tick. */
  const fitting = (rest: number): number => Math.max(0, timesIn((limit - count) * windowMs - before * rest, windowMs));
  /** Milliseconds into a window at which the last one's count has faded to `room`. */
  const fades = (last: number, room: number): number => Math.max(0, windowMs - (room * windowMs) / last);
  /** Milliseconds until this many are admitted at once: in this window by the last one's share, or in the next. */
  function until(many: number, rest: number): number {
    const room = limit - count - many;
    if (room >= 0 && before > 0) return fades(before, room) - (windowMs - rest);
    return rest + (count > 0 ? fades(count, limit - many) : 0);
  }
  return {
    take(nowMs) {
      const rest = left(nowMs);
      // Both sides times the window, so that nothing is divided and nothing rounds.
      if (before * rest > (limit - 1 - count) * windowMs) return { admitted: false, retryAfterMs: until(1, rest) };
      count += 1;
      return ADMITTED;
    },
    quota: {
      limit,
      windowMs,
      remaining: (nowMs) => fitting(left(nowMs)),
      untilMoreMs(nowMs) {
        const rest = left(nowMs);
        const many = fitting(rest);
        return many < limit ? until(many + 1, rest) : 0;
      },
    },
  };
}
