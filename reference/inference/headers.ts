/**
 * Header fields that clients of interface A read in addition to the body: the time of the request, and what is left of
 * the limits.
 */
import type { Gate } from '../limiters/gate.ts';
import type { RateLimitFields } from '../limiters/rate-limit-fields.ts';

/** Adds the fields of an answer that took so long to begin, milliseconds. */
export function addConvention(headers: Record<string, string>, processingMs: number): void {
  headers['openai-processing-ms'] = String(Math.round(processingMs));
  headers['openai-version'] = '2020-10-01';
}

/**
 * What is left of the one limit of interface A, requests at once: null where there is none. The time until more are
 * free is the one that a refusal names too, as a Go duration; when something is free there is nothing to wait for.
 */
export function slotFields(gate: Gate, limit: number, retryAfterSeconds: number): RateLimitFields | null {
  if (!Number.isFinite(limit)) return null;
  const reported = String(limit);
  const wait = `${retryAfterSeconds}s`;
  return (headers) => {
    const free = Math.max(0, limit - gate.taken);
    headers['x-ratelimit-limit-requests'] = reported;
    headers['x-ratelimit-remaining-requests'] = String(free);
    headers['x-ratelimit-reset-requests'] = free > 0 ? '0s' : wait;
  };
}
