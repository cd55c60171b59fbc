/**
 * At most `limit` requests in any window, exactly: the times of the last `limit` admitted requests in a ring. A request
 * is admitted when the one that was admitted `limit` requests ago is a whole window old.
 */
import { ADMITTED, type RateLimiter } from './rate-limiter.ts';

export function slidingLog(limit: number, windowMs: number): RateLimiter {
  const ring = new Float64Array(Math.max(1, limit)).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  return {
    take(nowMs) {
      if (limit <= 0) return { admitted: false, retryAfterMs: windowMs };
      const oldest = ring[next] ?? Number.NEGATIVE_INFINITY;
      // Compared as a difference: adding the window to a large time stamp would round.
      const age = nowMs - oldest;
      if (age < windowMs) return { admitted: false, retryAfterMs: windowMs - age };
      ring[next] = nowMs;
      next = (next + 1) % ring.length;
      return ADMITTED;
    },
  };
}
