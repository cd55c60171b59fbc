/** Ledger of any probe -> facts: the one place that knows which analysis belongs to which kind of probe. */
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import {
  analyseConcurrency,
  analyseInferencePayload,
  analysePayload,
  analyseQueue,
  analyseRate,
  analyseRefusedJobs,
  analyseUnlimited,
} from '../analysis/index.ts';
import { analyseScope } from '../analysis/scope.ts';
import { analyseStreamTiming } from '../analysis/stream-timing.ts';
import { leastRequests } from '../plan/counts.ts';
import type { Probe } from '../probe.ts';
import { withPaced } from './paced.ts';
import { withPlannedPace } from './planned-pace.ts';

/** Throws what the analysis throws. */
export function analyse(probe: Probe, ledger: Ledger): LoadFacts {
  return withPaced(probe, ledger, withPlannedPace(probe, analysed(probe, ledger)));
}

function analysed({ parameters }: Probe, ledger: Ledger): LoadFacts {
  const planned = leastRequests(parameters);
  switch (parameters.kind) {
    case 'rate':
      return analyseRate(parameters, ledger, planned);
    case 'unlimited':
      return analyseUnlimited(parameters, ledger, planned);
    case 'concurrency':
      return analyseConcurrency(parameters, ledger, planned);
    case 'payload':
      return analysePayload(parameters, ledger, planned);
    case 'refused-job':
      return analyseRefusedJobs(parameters, ledger, planned);
    case 'inference-payload':
      return analyseInferencePayload(parameters, ledger, planned);
    case 'stream-timing':
      return analyseStreamTiming(parameters, ledger, planned);
    case 'scope':
      return analyseScope(parameters, ledger, planned);
    case 'queue':
      return analyseQueue(parameters, ledger, planned);
  }
}
