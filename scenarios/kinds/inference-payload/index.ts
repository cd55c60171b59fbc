/** How large a body interface A takes, which is not documented. */
import type { InferencePayloadFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import { INFERENCE_PAYLOAD } from '../../../schemas/load-checks.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { bySpeed } from '../../plan/assumptions.ts';
import { BYTES_PER_REQUEST, type PlanContext } from '../../plan/context.ts';
import type { Candidate } from '../../plan/types.ts';
import type { InferencePayloadParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { attemptOf, sizedEntries } from '../payload/measure.ts';
import { mostCoarse, sendInferencePayload } from '../payload/send/inference.ts';

/** Ledger of the probe for the largest body of interface A -> facts. */
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

// The probe for the largest body of interface A, which is not documented: few requests, and no tokens to speak of.

const KIBIBYTE = 1024;
const FLOOR_BYTES = 1000;
const START_BYTES = 64 * KIBIBYTE;
const CAP_BYTES = 4 * KIBIBYTE * KIBIBYTE;
const HALVINGS = 3;
/** A short chat and a body of at most some megabytes, ms. */
const PER_BODY_MS = { usual: 200, near: 40 };

export function inferencePayloadCandidate({ speed }: Pick<PlanContext, 'speed'>): Candidate {
  const checkIds = [INFERENCE_PAYLOAD];
  const parameters: InferencePayloadParameters = {
    kind: 'inference-payload',
    instId: '',
    operation: 'chat',
    floorBytes: FLOOR_BYTES,
    startBytes: START_BYTES,
    capBytes: CAP_BYTES,
    halvings: HALVINGS,
  };
  const requests = mostCoarse(parameters);
  return {
    checkIds,
    probe: {
      id: 'inference.payload',
      title: 'Largest request body of chat',
      checkIds,
      parameters,
      requests,
      bytes: requests * (CAP_BYTES + BYTES_PER_REQUEST),
      estimateMs: requests * bySpeed(speed, PER_BODY_MS),
      floorMs: 0,
      exclusive: ['bandwidth'],
      shared: ['budget:inference'],
      spends: {},
      startsIdle: false,
      sender: 'held',
    },
  };
}

export const inferencePayload: Kind<InferencePayloadParameters> = {
  questions: () => [
    {
      of: 'inference',
      bursts: false,
      checkIds: [INFERENCE_PAYLOAD],
      plan: (context) => [inferencePayloadCandidate(context)],
    },
  ],
  least: () => 1,
  send: (parameters, { sending, env }) => sendInferencePayload(parameters, sending, env),
  analyse: analyseInferencePayload,
};
