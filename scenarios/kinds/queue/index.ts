/** The queue rule: an endpoint is filled until it refuses, and purged. */
import type { QueueParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { analyseQueue } from './measure.ts';
import { queueCandidates, queueCheckIds } from './plan.ts';

export const queue: Kind<QueueParameters> = {
  questions: (table) => [{ of: 'jobs', bursts: true, checkIds: queueCheckIds(table), plan: queueCandidates }],
  least: ({ workersMax }) => workersMax + 1,
  send: (_parameters, { script }) => script(),
  byK6: () => true,
  purges: true,
  analyse: analyseQueue,
};
