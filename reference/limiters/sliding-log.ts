/**
 * Sliding log: a request is admitted when fewer than `limit` requests were admitted in the window that ends with it,
 * its oldest moment excluded. Kept as the times of the last `limit` admitted requests in a ring: the one that was
 * admitted `limit` requests ago has to be a whole window old.
 *
 * Bound: no window, wherever it begins, holds more than `limit` admitted requests. Guarantee: a client that never sends
 * more than `limit` requests in any window is never refused.
 */
import { ADMITTED, type RateLimiter } from './rate-limiter.ts';

export function slidingLog(limit: number, windowMs: number): RateLimiter {
  const size = Math.max(1, limit);
  const ring = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  // How many of the newest were still in the window at the last call. Time only goes on, so each leaves once.
  let counted = 0;
  // Compared as a difference: adding the window to a large time stamp would round.
  const age = (steps: number, nowMs: number): number =>
    nowMs - (ring[(next + steps) % size] ?? Number.NEGATIVE_INFINITY);
  function remaining(nowMs: number): number {
    while (counted > 0 && age(size - counted, nowMs) >= windowMs) counted -= 1;
    return Math.max(0, limit) - counted;
  }
  return {
    take(nowMs) {
      if (limit <= 0) return { admitted: false, retryAfterMs: windowMs };
      const oldest = age(0, nowMs);
      if (oldest < windowMs) return { admitted: false, retryAfterMs: windowMs - oldest };
      ring[next] = nowMs;
      next = (next + 1) % size;
      counted = Math.min(size, counted + 1);
      return ADMITTED;
    },
    quota: {
      limit,
      windowMs,
      remaining,
      untilMoreMs(nowMs) {
        const left = remaining(nowMs);
        return left < limit ? windowMs - age(size - counted, nowMs) : 0;
      },
    },
  };
}
