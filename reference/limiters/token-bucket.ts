/**
 * Token bucket: `limit` tokens, full at first, refilled evenly with `limit` per window; each request takes one, and is
 * refused when there is no whole token. Kept as the generic cell rate algorithm does: not as a level that is topped up
 * and rounds each time, but as the theoretical arrival time, the moment the bucket is full again. That moment is the
 * time it was last full, plus an emission interval (a window's `limit`th part) for every request since; the requests
 * are counted and the interval is never computed, so nothing adds up however long the bucket stays busy.
 *
 * Bound: a stretch of time `t` holds at most `limit + limit * t / window` admitted requests, the bucket and its refill;
 * a window that begins anywhere, its end excluded, at most `2 * limit - 1`. Guarantee: a client that sends at most
 * `limit + limit * t / window` requests in any stretch `t` is never refused; so one that never sends more than `limit`
 * in any window is never refused.
 */
import { ADMITTED, type RateLimiter, timesIn } from './rate-limiter.ts';

export function tokenBucket(limit: number, windowMs: number): RateLimiter {
  let full = Number.NEGATIVE_INFINITY;
  let taken = 0;
  /** Requests that the time since the bucket was full has paid for, times the window: a product, never a quotient. */
  const refilled = (nowMs: number): number => (nowMs - full) * limit;
  const isFull = (nowMs: number): boolean => taken === 0 || refilled(nowMs) >= taken * windowMs;
  function remaining(nowMs: number): number {
    if (isFull(nowMs)) return Math.max(0, limit);
    return Math.max(0, timesIn(refilled(nowMs) + (limit - taken) * windowMs, windowMs));
  }
  /** Milliseconds until there are this many tokens; not above 0 when they are there. */
  const until = (tokens: number, nowMs: number): number =>
    ((taken + tokens - limit) * windowMs - refilled(nowMs)) / limit;
  return {
    take(nowMs) {
      if (limit <= 0) return { admitted: false, retryAfterMs: windowMs };
      if (isFull(nowMs)) {
        full = nowMs;
        taken = 0;
      }
      const retryAfterMs = until(1, nowMs);
      if (retryAfterMs > 0) return { admitted: false, retryAfterMs };
      taken += 1;
      return ADMITTED;
    },
    quota: {
      limit,
      windowMs,
      remaining,
      untilMoreMs(nowMs) {
        const left = remaining(nowMs);
        return left < limit ? until(left + 1, nowMs) : 0;
      },
    },
  };
}
