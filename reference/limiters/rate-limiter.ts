/**
 * What the rate limiters have in common. They differ in what "per window" means: probes find out.
 *
 * Times are milliseconds of a clock that never goes backwards; limits are whole numbers. Every comparison is made on
 * differences and products that are exact for whole milliseconds and for the fractions that a present-day time stamp can
 * hold (1/4096 ms). Where a moment cannot be written as such a number, as a third of a window can't, it is off by less
 * than the distance of two neighbouring time stamps, and that never adds up.
 */

export type Admission = { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };

/** What is left of a limit. Reading it counts nothing. */
export interface Quota {
  /** Requests per window. */
  readonly limit: number;
  readonly windowMs: number;
  /** How many requests at this very moment would still be admitted. */
  remaining(nowMs: number): number;
  /** Milliseconds until more remain, if no request comes before; 0 when nothing is missing. */
  untilMoreMs(nowMs: number): number;
}

export interface RateLimiter {
  /** Counts one request at this moment, or says how long until one would be admitted. A refused one is not counted. */
  take(nowMs: number): Admission;
  /** Absent where nothing is limited. */
  readonly quota?: Quota;
}

export const ADMITTED: Admission = { admitted: true };

export const unlimited: RateLimiter = { take: () => ADMITTED };

/** How often `part` fits into `whole`; by the remainder, because a quotient of two exact numbers may round up. */
export function timesIn(whole: number, part: number): number {
  return (whole - (whole % part)) / part;
}

/** Milliseconds since the last tick of windows that begin `phaseMs` after every multiple of their length. */
export function sinceTick(nowMs: number, windowMs: number, phaseMs: number): number {
  const rest = (nowMs - phaseMs) % windowMs;
  return rest < 0 ? rest + windowMs : rest;
}

/** Which of those windows that tick began; a whole number, so that two moments of one window agree on it. */
export function windowIndex(nowMs: number, sinceTickMs: number, windowMs: number, phaseMs: number): number {
  return Math.round((nowMs - phaseMs - sinceTickMs) / windowMs);
}
