/** The probe of `health`, which has no stated limit: a steady load at twice the highest rate that any other may have. */

import { highestRate } from '../../../schemas/limits.ts';
import { HEALTH_UNLIMITED } from '../../../schemas/load-checks.ts';
import { slots } from '../../k6/lib/schedule.ts';
import { BYTES_PER_REQUEST, type PlanContext } from '../../plan/context.ts';
import { noEndpoint } from '../../plan/reasons.ts';
import type { Candidate } from '../../plan/types.ts';
import type { UnlimitedParameters } from '../../probe.ts';
import { PROCESS_MS } from '../rate/plan.ts';

const TIMES_HIGHEST = 2;
/** A whole window must fit in, so the load goes on a little longer. */
const DURATION_WINDOWS = 1.05;
const VUS_LEAST = 10;
const VUS_MOST = 200;
/** Connections for answers that take longer than usual. */
const VUS_SLACK = 4;

export function unlimitedCandidate({ endpoints, speed, table }: PlanContext): Candidate {
  const checkIds = [HEALTH_UNLIMITED];
  const endpoint = endpoints[0];
  const highest = highestRate(table);
  if (!endpoint || !highest) return { checkIds, missing: noEndpoint };
  const periodMs = highest.windowMs / highest.value / TIMES_HIGHEST;
  const vus = Math.ceil((speed.roundTripMs / periodMs) * VUS_SLACK);
  const parameters: UnlimitedParameters = {
    kind: 'unlimited',
    instId: endpoint.instId,
    operation: 'health',
    vus: Math.min(VUS_MOST, Math.max(VUS_LEAST, vus)),
    periodMs,
    durationMs: highest.windowMs * DURATION_WINDOWS,
    windowMs: highest.windowMs,
  };
  const requests = unlimitedSlots(parameters);
  return {
    checkIds,
    probe: {
      id: 'health.unlimited',
      title: `health at ${TIMES_HIGHEST} times the highest rate limit`,
      checkIds,
      parameters,
      requests,
      bytes: requests * BYTES_PER_REQUEST,
      estimateMs: parameters.durationMs + PROCESS_MS,
      floorMs: parameters.windowMs,
      exclusive: [],
      shared: [],
      spends: {},
      startsIdle: false,
      machine: 'loud',
      sender: 'k6',
    },
  };
}

export const unlimitedSlots = ({ periodMs, durationMs }: UnlimitedParameters): number =>
  slots({ fromMs: 0, periodMs, untilMs: durationMs });
