/** When tokens of a completion, and results of a job, arrive. */
import { CHAT_STREAM_TIMING, RESULT_STREAM_TIMING } from '../../../schemas/load-checks.ts';
import type { StreamTimingParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { analyseStreamTiming } from './measure.ts';
import { chatTimingCandidate, resultTimingCandidate } from './plan.ts';
import { sendStreams } from './send/index.ts';

export const streamTiming: Kind<StreamTimingParameters> = {
  questions: () => [
    {
      of: 'inference',
      bursts: true,
      checkIds: [CHAT_STREAM_TIMING],
      plan: (context) => [chatTimingCandidate(context)],
    },
    {
      of: 'jobs',
      bursts: true,
      checkIds: [RESULT_STREAM_TIMING],
      plan: (context) => [resultTimingCandidate(context)],
    },
  ],
  least: ({ streams }) => streams,
  send: (parameters, { sending, env }) => sendStreams(parameters, sending, env),
  analyse: analyseStreamTiming,
};
