/**
 * What a client learns about its rate limit: the RateLimit fields of the IETF's httpapi working group, in the syntax
 * that draft-ietf-httpapi-ratelimit-headers has had since its version 08 (structured fields, RFC 9651).
 */
import type { Quota } from './rate-limiter.ts';

/** Adds the fields of an answer given at this moment to its headers; names in lower case. */
export type RateLimitFields = (headers: Record<string, string>, nowMs: number) => void;

const POLICY = '"requests"';

/** A window that is no whole number of seconds is left out: the syntax has no way to write it. */
function policyOf({ limit, windowMs }: Quota): string {
  const seconds = windowMs / 1000;
  return Number.isInteger(seconds) ? `${POLICY};q=${limit};w=${seconds}` : `${POLICY};q=${limit}`;
}

/**
 * `r`: requests that would be admitted now. `t`: for how many seconds no more than that, rounded up; 0 when nothing is
 * missing. Where nothing remains it names the same moment as `Retry-After`, as the draft wants.
 */
export function rateLimitFields(quota: Quota): RateLimitFields {
  const policy = policyOf(quota);
  return (headers, nowMs) => {
    headers['ratelimit-policy'] = policy;
    const remaining = quota.remaining(nowMs);
    headers.ratelimit = `${POLICY};r=${remaining};t=${Math.ceil(quota.untilMoreMs(nowMs) / 1000)}`;
  };
}
