/** What the three rate limiters have in common. They differ in what "per window" means: probes find out. */

export type Admission = { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };

export interface RateLimiter {
  /** Counts one request at this moment, or says how long until one would be admitted. A refused one is not counted. */
  take(nowMs: number): Admission;
}

export const ADMITTED: Admission = { admitted: true };

export const unlimited: RateLimiter = { take: () => ADMITTED };
