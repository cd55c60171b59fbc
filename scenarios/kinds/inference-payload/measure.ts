/** Ledger of the probe for the largest body of interface A -> facts. */
import type { InferencePayloadFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import { generatorHealth } from '../../analysis/health.ts';
import type { InferencePayloadParameters } from '../../probe.ts';
import { attemptOf, sizedEntries } from '../payload/measure.ts';

export function analyseInferencePayload(
  { operation, capBytes }: InferencePayloadParameters,
  ledger: Ledger,
  planned: number,
): InferencePayloadFacts {
  return {
    kind: 'inference-payload',
    operation,
    capBytes,
    attempts: sizedEntries(ledger.entries).map(attemptOf),
    health: generatorHealth(ledger, planned),
  };
}
