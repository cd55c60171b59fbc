/** Sizes of bodies: the documented ones first, then bisection to where the limit really is. */
import { firstOf } from '../../../schemas/limits.ts';
import { isDocumentedOperation } from '../../../schemas/own.ts';
import { checkIdsOf } from '../../plan/context.ts';
import type { PayloadParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { analysePayload } from './measure.ts';
import { payloadCandidate } from './plan.ts';
import { sendNodePhase } from './send/node-phase.ts';
import { sendOwnPayload } from './send/own.ts';

export const payload: Kind<PayloadParameters> = {
  questions: (table) =>
    table.of('content-bytes').map((limit) => ({
      of: firstOf(limit, table).interface,
      bursts: false,
      checkIds: checkIdsOf(limit),
      plan: (context) => [payloadCandidate(limit, context)],
    })),
  least: () => 1,
  send: async (parameters, { sending, env, script }) =>
    isDocumentedOperation(parameters.operation)
      ? sendNodePhase(parameters, sending, env, await script())
      : sendOwnPayload(parameters, sending, env),
  analyse: analysePayload,
};
