/** Limits on requests at once: requests that are held open, and operations that wait by themselves. */
import { firstOf } from '../../../schemas/limits.ts';
import { checkIdsOf } from '../../plan/context.ts';
import type { ConcurrencyParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { sendHeld } from './held/index.ts';
import { longPollCandidates } from './long-poll.ts';
import { analyseConcurrency } from './measure.ts';
import { heldCandidate } from './plan.ts';

const isHeld = ({ technique }: ConcurrencyParameters): boolean => technique === 'held-body';

export const concurrency: Kind<ConcurrencyParameters> = {
  questions: (table) =>
    table.of('concurrent-requests').map((limit) => ({
      of: firstOf(limit, table).interface,
      bursts: true,
      checkIds: checkIdsOf(limit),
      plan: (context) => [heldCandidate(limit, context), ...longPollCandidates(limit, context)],
    })),
  least: ({ limit, extra }) => limit + extra,
  send: (parameters, { sending, env, script }) => (isHeld(parameters) ? sendHeld(parameters, sending, env) : script()),
  byK6: (parameters) => !isHeld(parameters),
  analyse: analyseConcurrency,
};
