/** Payload probes (design part 5, payload): the documented sizes first, then bisection to where the border really is. */
import type { PayloadLimit } from '../../schemas/limits.ts';
import type { PayloadParameters } from '../probe.ts';
import { workersAtLeast } from './assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from './context.ts';
import { needsWorkers, noEndpoint } from './reasons.ts';
import type { Candidate, PlannedProbe } from './types.ts';

const FLOOR_BYTES = 1000;
const CAP_READINGS = 2;
/** For the estimate: bodies are made, sent, taken in and thrown away at this speed, bytes per ms. */
const BYTES_PER_MS = 50_000;
/** Tries that tell a size refusal from an accident, and looks at jobs that must not exist. */
const OTHER_REQUESTS = 20;

export function payloadCandidate(limit: PayloadLimit, context: PlanContext): Candidate {
  const checkIds = checkIdsOf(limit.id);
  const endpoint = context.endpoints[0];
  if (!endpoint) return { checkIds, missing: noEndpoint };
  if (limit.budget === 'runsync' && workersAtLeast(endpoint, context.speed) === 0) {
    return { checkIds, missing: needsWorkers(1, 'without workers no runsync is answered') };
  }
  return { checkIds, probe: payloadProbe(limit, endpoint.instId, checkIds) };
}

function payloadProbe(limit: PayloadLimit, instId: string, checkIds: readonly string[]): PlannedProbe {
  const operation = limit.budget === 'runsync' ? 'runsync' : 'run';
  const parameters: PayloadParameters = {
    kind: 'payload',
    limitId: limit.id,
    instId,
    operation,
    acceptBytes: limit.value,
    refuseBytes: limit.upperReading + 1,
    floorBytes: FLOOR_BYTES,
    capBytes: CAP_READINGS * limit.upperReading,
  };
  const bodies = mostBodies(parameters);
  const requests = bodies + OTHER_REQUESTS;
  const between = Math.ceil(Math.log2(parameters.refuseBytes - parameters.acceptBytes));
  return {
    id: limit.id,
    title: `Payload of ${operation}: ${limit.value.toLocaleString('en-US')} bytes`,
    checkIds,
    parameters,
    requests,
    bytes: bodies * parameters.capBytes + requests * BYTES_PER_REQUEST,
    estimateMs: 2000 + Math.ceil(((2 + between) * parameters.refuseBytes) / BYTES_PER_MS),
    floorMs: 0,
    exclusive: ['bandwidth'],
    shared: [`budget:${operation}`, 'budget:status', `queue:${instId}`, `workers:${instId}`],
    spends: { [operation]: requests, status: OTHER_REQUESTS },
    startsIdle: false,
    sender: 'k6',
  };
}

/** Both documented sizes, the ends of the range, and its bisection down to the byte. */
export function mostBodies({ capBytes, floorBytes }: PayloadParameters): number {
  return 4 + Math.ceil(Math.log2(capBytes - floorBytes));
}
