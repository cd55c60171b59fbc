/**
 * Sliding log: a request is admitted when fewer than `limit` requests were admitted in the window that ends with it,
 * its oldest moment excluded. Kept as the times of the last `limit` admitted requests in a ring: the one that was
 * admitted `limit` requests ago has to be a whole window old.
 *
 * Bound: no window, wherever it begins, holds more than `limit` admitted requests.
 * Guarantee: whoever never sends more than `limit` requests in any window is never refused.
 */
import { ADMITTED, type RateLimiter } from './rate-limiter.ts';

export function slidingLog(limit: number, windowMs: number): RateLimiter {
  const size = Math.max(1, limit);
  const ring = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  // Compared as a difference: adding the window to a large time stamp would round.
  const age = (steps: number, nowMs: number): number =>
    nowMs - (ring[(next + steps) % size] ?? Number.NEGATIVE_INFINITY);
  // From the oldest on the ring is sorted, so the border between gone and counted is found by halving.
  function remaining(nowMs: number): number {
    let gone = 0;
    let counted = Math.max(0, limit);
    while (gone < counted) {
      const middle = (gone + counted) >>> 1;
      if (age(middle, nowMs) >= windowMs) gone = middle + 1;
      else counted = middle;
    }
    return gone;
  }
  return {
    take(nowMs) {
      if (limit <= 0) return { admitted: false, retryAfterMs: windowMs };
      const oldest = age(0, nowMs);
      if (oldest < windowMs) return { admitted: false, retryAfterMs: windowMs - oldest };
      ring[next] = nowMs;
      next = (next + 1) % size;
      return ADMITTED;
    },
    quota: {
      limit,
      windowMs,
      remaining,
      untilMoreMs(nowMs) {
        const left = remaining(nowMs);
        return left < limit ? windowMs - age(left, nowMs) : 0;
      },
    },
  };
}
