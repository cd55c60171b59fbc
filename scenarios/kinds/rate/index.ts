/** Rate limits: a client that never is over the limit, then one that is, and which limiters may be behind the answers. */
import { firstOf } from '../../../schemas/limits.ts';
import { IDLE_CONNECTION_MS } from '../../k6/lib/schedule.ts';
import { checkIdsOf } from '../../plan/context.ts';
import type { RateParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { analyseRate } from './measure/index.ts';
import { leastRequests, rateCandidates } from './plan.ts';

export const rate: Kind<RateParameters> = {
  questions: (table) =>
    table.of('requests').map((limit) => ({
      of: firstOf(limit, table).interface,
      bursts: true,
      checkIds: checkIdsOf(limit),
      plan: (context) => rateCandidates(limit, context),
    })),
  least: leastRequests,
  send: (_parameters, { script }) => script(),
  byK6: () => true,
  // By then each connects.
  togetherFromMs: ({ burstAtMs }) => burstAtMs - IDLE_CONNECTION_MS,
  analyse: analyseRate,
};
