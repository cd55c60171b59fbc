/** A bucket of `limit` tokens, full at first, refilled evenly with `limit` per window; each request takes one. */
import { ADMITTED, type RateLimiter } from './rate-limiter.ts';

export function tokenBucket(limit: number, windowMs: number): RateLimiter {
  const perMs = limit / windowMs;
  let tokens = limit;
  let filledAt = Number.NaN;
  return {
    take(nowMs) {
      if (!Number.isNaN(filledAt)) tokens = Math.min(limit, tokens + (nowMs - filledAt) * perMs);
      filledAt = nowMs;
      if (tokens < 1) return { admitted: false, retryAfterMs: perMs > 0 ? (1 - tokens) / perMs : windowMs };
      tokens -= 1;
      return ADMITTED;
    },
  };
}
