/** Whether a body that is refused for its size becomes a job all the same. */
import type { RefusedJobParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { sendRefusedJobs } from '../payload/send/refused-jobs.ts';
import { analyseRefusedJobs } from './measure.ts';
import { refusedJobCandidates, refusedJobCheckIds } from './plan.ts';

export const refusedJob: Kind<RefusedJobParameters> = {
  questions: (table) => [
    { of: 'jobs', bursts: false, checkIds: refusedJobCheckIds(table), plan: refusedJobCandidates },
  ],
  least: () => 1,
  send: (parameters, { sending, env }) => sendRefusedJobs(parameters, sending, env),
  analyse: analyseRefusedJobs,
};
