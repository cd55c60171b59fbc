/**
 * At most `limit` requests between two ticks of the clock that are a window apart. Across a tick, up to twice as many
 * can pass within less than a window.
 */
import { ADMITTED, type RateLimiter } from './rate-limiter.ts';

/** `phaseMs`: where the windows begin, after a multiple of their length. */
export function fixedWindow(limit: number, windowMs: number, phaseMs = 0): RateLimiter {
  let current = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    take(nowMs) {
      const window = Math.floor((nowMs - phaseMs) / windowMs);
      if (window !== current) {
        current = window;
        count = 0;
      }
      if (count >= limit) return { admitted: false, retryAfterMs: (window + 1) * windowMs + phaseMs - nowMs };
      count += 1;
      return ADMITTED;
    },
  };
}
