/**
 * What a response to a large body means. Pure, and used by the k6 script, the Node sender and the analysis, so that a
 * search and the analysis always agree.
 */
import type { PayloadOutcome } from '../../../../schemas/facts.ts';
import { isSuccess } from '../../../../schemas/status.ts';
import type { Fate } from '../../../k6/lib/bisection.ts';

const CLEAN: readonly number[] = [400, 413];
/** These are about the caller, the rate or the pace of requests, or an unavailable service, and not about the body. */
const NOT_ABOUT_THE_BODY: readonly number[] = [401, 402, 407, 408, 425, 429, 503];

export function payloadOutcome({ status, error }: { readonly status: number; readonly error: string }): PayloadOutcome {
  if (isSuccess(status)) return 'accepted';
  if (CLEAN.includes(status)) return 'refused';
  if (NOT_ABOUT_THE_BODY.includes(status)) return 'other';
  if (status >= 500) return 'broken-off';
  if (status >= 400) return 'refused-otherwise';
  if (status !== 0) return 'other';
  if (isReset(error)) return 'broken-off';
  return error === 'timeout' ? 'unanswered' : 'other';
}

/** k6 error codes for a broken pipe, a reset and HTTP/2 stream errors, and what Node and Go call the same. */
function isReset(error: string): boolean {
  return /^(1201|1220|16\d\d)\b|ECONNRESET|EPIPE|reset|broken pipe|closed|EOF/i.test(error);
}

const FATES: Readonly<Record<PayloadOutcome, Fate>> = {
  accepted: 'accepted',
  refused: 'refused',
  'refused-otherwise': 'refused',
  'broken-off': 'refused',
  unanswered: 'unknown',
  other: 'unknown',
};

/** Where a search for the border goes on from. */
export const fateOf = (outcome: PayloadOutcome): Fate => FATES[outcome];
