/**
 * Fixed window: a request is admitted when fewer than `limit` requests were admitted since the last tick of the clock;
 * ticks are a window apart.
 *
 * Bound: `limit` between two ticks; `2 * limit` in a window that begins anywhere, because one tick falls into it.
 * Guarantee: a client that never sends more than `limit` requests between two ticks, and so one that never does in any
 * window, is never refused.
 */
import { ADMITTED, type RateLimiter, sinceTick, windowIndex } from './rate-limiter.ts';

/** `phaseMs`: where the windows begin, after a multiple of their length. */
export function fixedWindow(limit: number, windowMs: number, phaseMs = 0): RateLimiter {
  let current = Number.NEGATIVE_INFINITY;
  let count = 0;
  /** Milliseconds until the next tick; a window that is over is forgotten. */
  function left(nowMs: number): number {
    const since = sinceTick(nowMs, windowMs, phaseMs);
    const index = windowIndex(nowMs, since, windowMs, phaseMs);
    if (index !== current) {
      current = index;
      count = 0;
    }
    return windowMs - since;
  }
  return {
    take(nowMs) {
      const retryAfterMs = left(nowMs);
      if (count >= limit) return { admitted: false, retryAfterMs };
      count += 1;
      return ADMITTED;
    },
    quota: {
      limit,
      windowMs,
      remaining(nowMs) {
        left(nowMs);
        return Math.max(0, limit - count);
      },
      untilMoreMs(nowMs) {
        const rest = left(nowMs);
        return count > 0 ? rest : 0;
      },
    },
  };
}
