/** Whose requests a limit counts together: of other endpoints, keys, addresses. */
import { scopeCheckId } from '../../../schemas/load-checks.ts';
import type { ScopeParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { analyseScope } from './measure.ts';
import { scopeCandidate, scopedRows } from './plan.ts';
import { sendScope } from './send/index.ts';

export const scope: Kind<ScopeParameters> = {
  questions: (table) =>
    scopedRows(table).map((limit) => ({
      of: 'jobs',
      bursts: true,
      checkIds: [scopeCheckId(limit.id)],
      plan: (context) => [scopeCandidate(limit, context)],
    })),
  least: () => 1,
  send: (parameters, { sending, env }) =>
    sendScope(parameters, sending, { ...env, otherKey: env.credentials.otherKey }),
  analyse: analyseScope,
};
