/** How large a body interface A takes, which is not documented. */
import { INFERENCE_PAYLOAD } from '../../../schemas/load-checks.ts';
import type { InferencePayloadParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { sendInferencePayload } from '../payload/send/inference.ts';
import { analyseInferencePayload } from './measure.ts';
import { inferencePayloadCandidate } from './plan.ts';

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
