/**
 * This window's count and the share of the last one's that a window ending now still covers: an estimate of the
 * sliding log that keeps two numbers. It takes the last window's requests for evenly spread.
 */
import { ADMITTED, type RateLimiter } from './rate-limiter.ts';

/** `phaseMs`: where the windows begin, after a multiple of their length. */
export function slidingCounter(limit: number, windowMs: number, phaseMs = 0): RateLimiter {
  let current = Number.NEGATIVE_INFINITY;
  let count = 0;
  let before = 0;
  return {
    take(nowMs) {
      const position = (nowMs - phaseMs) / windowMs;
      const window = Math.floor(position);
      if (window !== current) {
        before = window === current + 1 ? count : 0;
        count = 0;
        current = window;
      }
      const left = 1 - (position - window);
      if (before * left + count + 1 <= limit) {
        count += 1;
        return ADMITTED;
      }
      // Within this window the estimate falls only as the last window's share does; else the next window decides.
      const room = limit - 1 - count;
      const wait = before > 0 && room >= 0 ? (left - room / before) * windowMs : left * windowMs;
      return { admitted: false, retryAfterMs: Math.max(0, wait) };
    },
  };
}
