/**
 * The four ways to limit a rate, as the smallest programs that behave so. They are played over what a probe sent, to
 * see which of them would have answered as the target did. Times are ms and never go backwards.
 */

/** Whether a request that arrives at this moment is admitted. Has a memory: one for each play. */
export type Model = (atMs: number) => boolean;

/** Exactly the last `value` admissions are remembered; the oldest has to be a window old. */
export function slidingLog(value: number, windowMs: number): Model {
  const admitted = new Float64Array(Math.max(1, value)).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  return (atMs) => {
    if (value < 1 || atMs - (admitted[oldest] ?? 0) < windowMs) return false;
    admitted[oldest] = atMs;
    oldest = (oldest + 1) % admitted.length;
    return true;
  };
}

/**
 * A log that remembers how many were admitted in each step of the clock only, and forgets a step as a whole.
 * @param steps of which the window consists; the one that has begun counts as one of them
 */
export function steppedLog(value: number, windowMs: number, steps: number, boundaryMs: number): Model {
  const stepMs = windowMs / steps;
  const counts = new Float64Array(steps);
  let [current, sum] = [Number.NEGATIVE_INFINITY, 0];
  return (atMs) => {
    const step = Math.floor((atMs - boundaryMs) / stepMs);
    for (let next = Math.max(current + 1, step - steps + 1); next <= step; next += 1) {
      const place = ((next % steps) + steps) % steps;
      sum -= counts[place] ?? 0;
      counts[place] = 0;
    }
    current = Math.max(current, step);
    if (sum >= value) return false;
    const place = ((step % steps) + steps) % steps;
    counts[place] = (counts[place] ?? 0) + 1;
    sum += 1;
    return true;
  };
}

/** Windows lie one after the other, with a boundary at `boundaryMs`. */
export function fixedWindow(value: number, windowMs: number, boundaryMs: number): Model {
  let endsMs = Number.NEGATIVE_INFINITY;
  let left = 0;
  return (atMs) => {
    if (atMs >= endsMs) {
      endsMs = boundaryMs + (Math.floor((atMs - boundaryMs) / windowMs) + 1) * windowMs;
      left = value;
    }
    left -= 1;
    return left >= 0;
  };
}

/** A window begins with the first request that comes after the last one ended. */
export function anchoredWindow(value: number, windowMs: number): Model {
  let endsMs = Number.NEGATIVE_INFINITY;
  let left = 0;
  return (atMs) => {
    if (atMs >= endsMs) {
      endsMs = atMs + windowMs;
      left = value;
    }
    left -= 1;
    return left >= 0;
  };
}

/**
 * Two fixed windows, the older one weighted by how much of it a window ending now would still cover.
 * @param room what the estimate must leave free: 1, a whole request, or 0, anything at all; both are usual
 */
export function slidingCounter(value: number, windowMs: number, boundaryMs: number, room: 0 | 1): Model {
  let beginsMs = Number.NEGATIVE_INFINITY;
  let [older, newer] = [0, 0];
  return (atMs) => {
    const begin = boundaryMs + Math.floor((atMs - boundaryMs) / windowMs) * windowMs;
    if (begin !== beginsMs) {
      const next = begin - beginsMs < 1.5 * windowMs;
      [older, newer, beginsMs] = [next ? newer : 0, 0, begin];
    }
    const covered = older * (1 - (atMs - begin) / windowMs);
    const estimate = covered + newer;
    if (room === 1 ? estimate > value - 1 : estimate >= value) return false;
    newer += 1;
    return true;
  };
}

/** Of a token, when many fractions of one have come in. */
const ROUNDING = 1e-9;

/** Full at first; `refillPerMs` tokens come back each ms, up to `size`. */
export function tokenBucket(size: number, refillPerMs: number): Model {
  let tokens = size;
  let lastMs = Number.NaN;
  return (atMs) => {
    if (atMs > lastMs) tokens = Math.min(size, tokens + (atMs - lastMs) * refillPerMs);
    lastMs = atMs;
    if (tokens < 1 - ROUNDING) return false;
    tokens -= 1;
    return true;
  };
}
