/** An operation without a stated limit: a load beyond any other limit, of which nothing may be refused. */
import { HEALTH_UNLIMITED } from '../../../schemas/load-checks.ts';
import { TOGETHER_AT_MS } from '../../k6/lib/schedule.ts';
import type { UnlimitedParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { kept } from '../rate/counts.ts';
import { analyseUnlimited } from './measure.ts';
import { unlimitedCandidate, unlimitedSlots } from './plan.ts';

export const unlimited: Kind<UnlimitedParameters> = {
  questions: () => [
    {
      of: 'jobs',
      bursts: true,
      checkIds: [HEALTH_UNLIMITED],
      plan: (context) => [unlimitedCandidate(context)],
    },
  ],
  least: (parameters) => kept(unlimitedSlots(parameters)),
  send: (_parameters, { script }) => script(),
  byK6: () => true,
  togetherFromMs: () => TOGETHER_AT_MS,
  analyse: analyseUnlimited,
};
