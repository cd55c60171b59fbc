/** Payload probes (design part 5, payload): the documented sizes first, then bisection to where the border really is. */
import type { PayloadLimit } from '../../schemas/limits.ts';
import type { PayloadParameters } from '../probe.ts';
import { workersAtLeast } from './assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from './context.ts';
import { PROCESS_MS } from './rate.ts';
import { closedByWorkload, needsWorkers, noEndpoint } from './reasons.ts';
import type { Candidate, PlannedProbe } from './types.ts';

const FLOOR_BYTES = 1000;
const CAP_READINGS = 2;
/** For the estimate: bodies are made, sent, taken in and thrown away at this speed, bytes per ms ... */
const BYTES_PER_MS = 20_000;
/** ... and so many large ones are enough where the border is at a documented size. */
const USUAL_BODIES = 4;

export function payloadCandidate(limit: PayloadLimit, context: PlanContext): Candidate {
  const checkIds = checkIdsOf(limit);
  const endpoint = context.endpoints[0];
  if (!endpoint) return { checkIds, missing: noEndpoint };
  const lacking = closedByWorkload(context.target, 'quick');
  if (lacking) return { checkIds, missing: lacking };
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
  const requests = mostBodies(parameters);
  return {
    id: limit.id,
    title: `Payload of ${operation}: ${limit.value.toLocaleString('en-US')} bytes`,
    checkIds,
    parameters,
    requests,
    bytes: requests * (parameters.capBytes + BYTES_PER_REQUEST),
    estimateMs: PROCESS_MS + Math.ceil((USUAL_BODIES * parameters.refuseBytes) / BYTES_PER_MS),
    floorMs: 0,
    exclusive: ['bandwidth'],
    shared: [`budget:${operation}`, `queue:${instId}`, `workers:${instId}`],
    spends: { [operation]: requests },
    startsIdle: false,
    sender: 'k6',
  };
}

/** Both documented sizes and their neighbours, the ends of the range, and its bisection down to the byte. */
export function mostBodies({ capBytes, floorBytes }: PayloadParameters): number {
  return 6 + Math.ceil(Math.log2(capBytes - floorBytes));
}
