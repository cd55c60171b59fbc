/**
 * What a client is told about its rate limit: the RateLimit fields of the IETF's httpapi working group, in the syntax
 * that draft-ietf-httpapi-ratelimit-headers has had since its version 08 (structured fields, RFC 9651).
 */
import type { Reply } from '../reply.ts';
import type { Quota } from './rate-limiter.ts';

/** The fields of an answer given at this moment; names in lower case. */
export type RateLimitFields = (nowMs: number) => Readonly<Record<string, string>>;

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
  return (nowMs) => ({
    'ratelimit-policy': policy,
    ratelimit: `${POLICY};r=${quota.remaining(nowMs)};t=${Math.ceil(quota.untilMoreMs(nowMs) / 1000)}`,
  });
}

/** The answer with the fields as they are at this moment; as it is where there are none. */
export function withFields(reply: Reply, fields: RateLimitFields | null, nowMs: number): Reply {
  return fields === null ? reply : { ...reply, headers: { ...reply.headers, ...fields(nowMs) } };
}
