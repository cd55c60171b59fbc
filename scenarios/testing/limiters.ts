/** Limiters that count otherwise than by a log, a window, a counter or a bucket on its own; see rate-simulation.ts. */
import type { Limiter } from './rate-simulation.ts';

/** A fixed window that begins with the first request after the last one. */
export function windowFromFirst(limit: number, windowMs: number): Limiter {
  let [endsMs, count] = [Number.NEGATIVE_INFINITY, 0];
  return (atMs) => {
    if (atMs >= endsMs) [endsMs, count] = [atMs + windowMs, 0];
    count += 1;
    return count <= limit;
  };
}

/** Windows that begin with a request, in which some are counted twice, as where the count is read late: in each window fewer. */
export function countingSomeTwice(value: number, windowMs: number): Limiter {
  let [endsMs, counted, windows] = [Number.NEGATIVE_INFINITY, 0, 0];
  return (atMs) => {
    if (atMs >= endsMs) [endsMs, counted, windows] = [atMs + windowMs, 0, windows + 1];
    // From the fifth on, where the offender is.
    counted += windows > 4 && counted > value / 2 && counted % (20 * windows) === 0 ? 2 : 1;
    return counted <= value;
  };
}

/** A window that each request starts anew, admitted or not: INCR and EXPIRE on Redis, both with each request. */
export function renewedWindow(limit: number, windowMs: number): Limiter {
  let [endsMs, count] = [Number.NEGATIVE_INFINITY, 0];
  return (atMs) => {
    count = atMs < endsMs ? count + 1 : 1;
    endsMs = atMs + windowMs;
    return count <= limit;
  };
}

/** A window that slides by so many parts: what was admitted in one of them becomes free all at once. */
export function inParts(limit: number, windowMs: number, parts: number, phaseMs: number): Limiter {
  const admitted = new Map<number, number>();
  return (atMs) => {
    const now = Math.floor((parts * (atMs - phaseMs)) / windowMs);
    const before = Array.from({ length: parts }, (_, ago) => admitted.get(now - ago) ?? 0);
    if (before.reduce((sum, count) => sum + count, 0) >= limit) return false;
    admitted.set(now, (before[0] ?? 0) + 1);
    return true;
  };
}

/** The same by a clock that shows whole steps alone. */
export const byClock =
  (stepMs: number, limiter: Limiter): Limiter =>
  (atMs) =>
    limiter(Math.floor(atMs / stepMs) * stepMs);

/** A log in which refused requests stand too. */
export function logOfAll(limit: number, windowMs: number): Limiter {
  const log: number[] = [];
  return (atMs) => {
    while (log.length > 0 && (log[0] ?? 0) <= atMs - windowMs) log.shift();
    log.push(atMs);
    return log.length <= limit;
  };
}

/** Refuses everything for so long after the first request too many, and starts from zero then. */
export function blocking(limit: number, windowMs: number, blockMs: number, renewed = false): Limiter {
  let [endsMs, count, blockedMs] = [Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY];
  return (atMs) => {
    if (atMs < blockedMs) {
      if (renewed) blockedMs = atMs + blockMs;
      return false;
    }
    if (atMs >= endsMs) [endsMs, count] = [atMs + windowMs, 0];
    count += 1;
    if (count <= limit) return true;
    [blockedMs, endsMs] = [atMs + blockMs, Number.NEGATIVE_INFINITY];
    return false;
  };
}

/** A bucket that gives back whole requests alone, and with each request forgets what is less. */
export function lossyBucket(limit: number, windowMs: number): Limiter {
  let [tokens, lastMs] = [limit, Number.NEGATIVE_INFINITY];
  return (atMs) => {
    tokens = Math.min(limit, tokens + Math.floor(((atMs - lastMs) * limit) / windowMs));
    lastMs = atMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** A bucket that is full again for a client that was silent for so long. */
export function forgetfulBucket(limit: number, windowMs: number, pauseMs: number): Limiter {
  let [tokens, lastMs] = [limit, Number.NEGATIVE_INFINITY];
  return (atMs) => {
    tokens = atMs - lastMs > pauseMs ? limit : Math.min(limit, tokens + ((atMs - lastMs) * limit) / windowMs);
    lastMs = atMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Processes that each count by themselves, met in turn. */
export function inTurn(limiters: readonly Limiter[]): Limiter {
  let next = 0;
  return (atMs) => {
    next = (next + 1) % limiters.length;
    return limiters[next]?.(atMs) ?? true;
  };
}

/** A log that finds only what was admitted so long ago: it reads its count first and writes it later. */
export function racingLog(limit: number, windowMs: number, laterMs: number): Limiter {
  const log: number[] = [];
  return (atMs) => {
    const isFree = log.filter((one) => one > atMs - windowMs && one <= atMs - laterMs).length < limit;
    if (isFree) log.push(atMs);
    return isFree;
  };
}
