/** Ledger of a payload probe -> facts (design part 5, payload). */
import type { PayloadFacts, PayloadOutcome } from '../../schemas/facts.ts';
import { decodeLedger, type LedgerEntry } from '../../schemas/ledger.ts';
import { isSuccess } from '../../schemas/status.ts';
import type { PayloadParameters } from '../probe.ts';
import { generatorHealth } from './health.ts';

const CLEAN_REFUSALS: readonly number[] = [400, 413];

export function analysePayload(parameters: PayloadParameters, text: string, planned: number): PayloadFacts {
  const ledger = decodeLedger(text);
  return {
    kind: 'payload',
    limitId: parameters.limitId,
    instId: parameters.instId,
    acceptBytes: parameters.acceptBytes,
    refuseBytes: parameters.refuseBytes,
    attempts: ledger.entries
      .filter((entry) => entry.phase === 'try')
      .map((entry) => ({
        bytes: Number(entry.note),
        outcome: payloadOutcome(entry),
        status: entry.status,
        error: entry.error,
      })),
    health: generatorHealth(ledger, planned),
  };
}

/** No answer while a body was being sent is a `reset`; a timeout or an unrelated status is neither. */
function payloadOutcome(entry: LedgerEntry): PayloadOutcome {
  if (isSuccess(entry.status)) return 'accepted';
  if (CLEAN_REFUSALS.includes(entry.status)) return 'refused';
  if (entry.status === 0 && isReset(entry.error)) return 'reset';
  return 'other';
}

/** k6 error codes for a broken pipe, a reset and HTTP/2 stream errors, and what Node and Go call the same. */
function isReset(error: string): boolean {
  return /^(1201|1220|16\d\d)\b|ECONNRESET|EPIPE|reset|broken pipe|EOF/i.test(error);
}
