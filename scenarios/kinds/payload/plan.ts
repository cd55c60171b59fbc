/** Payload probes (design part 5, payload): the documented sizes first, then bisection to where the border really is. */
import { isAdded, type PayloadLimit, submittingOf } from '../../../schemas/limits.ts';
import { awaitsJobs } from '../../../schemas/operations.ts';
import { plural } from '../../../schemas/thousands.ts';
import { takes } from '../../../schemas/workloads.ts';
import { bytesPerMs, workersAtLeast } from '../../plan/assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import { closedByWorkload, needsWorkers, noEndpoint } from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe } from '../../plan/types.ts';
import type { PayloadParameters } from '../../probe.ts';
import { PROCESS_MS } from '../rate/plan.ts';
import { ownPayloadCandidate } from './own-plan.ts';
import { mostRequestsOfPayload } from './send/sizes.ts';

const FLOOR_BYTES = 1000;
const CAP_READINGS = 2;
/** For the estimate: so many large ones, of both encodings, are enough where the border is at a documented size. */
const USUAL_BODIES = 7;
/** The check of refused bodies that become jobs is answered by a probe of its own. */
export const REFUSED_JOB = 'refused-job';

export function payloadCandidate(limit: PayloadLimit, context: PlanContext): Candidate {
  if (isAdded(limit)) return ownPayloadCandidate(limit, context);
  const checkIds = checkIdsOf(limit).filter((id) => !id.endsWith(`.${REFUSED_JOB}`));
  const endpoint = context.endpoints[0];
  if (!endpoint) return { checkIds, missing: noEndpoint };
  const lacking = closedByWorkload(context.target, 'quick');
  if (lacking) return { checkIds, missing: lacking };
  const workers = workersAtLeast(endpoint, context.speed);
  if (awaitsJobs(submittingOf(limit)) && workers === 0) {
    return { checkIds, missing: needsWorkers(1, 'without workers no runsync is answered') };
  }
  const { workloads } = context.target;
  const sees = { readable: takes(workloads, 'quick', 'echo'), looks: workers > 0 };
  return { checkIds, probe: payloadProbe(limit, endpoint.instId, checkIds, { ...sees, speed: context.speed }) };
}

function payloadProbe(
  limit: PayloadLimit,
  instId: string,
  checkIds: readonly string[],
  { speed, ...sees }: Pick<PayloadParameters, 'readable' | 'looks'> & Pick<PlanContext, 'speed'>,
): PlannedProbe {
  const operation = submittingOf(limit);
  const parameters: PayloadParameters = {
    kind: 'payload',
    limitId: limit.id,
    instId,
    operation,
    acceptBytes: limit.value,
    refuseBytes: limit.upperReading + 1,
    floorBytes: Math.min(FLOOR_BYTES, limit.value),
    capBytes: CAP_READINGS * limit.upperReading,
    ...sees,
  };
  const { bodies, looks } = mostRequestsOfPayload(parameters);
  return {
    id: limit.id,
    title: `Payload of ${operation}: ${plural(limit.value, 'byte')}`,
    checkIds,
    parameters,
    requests: bodies + looks,
    bytes: bodies * parameters.capBytes + (bodies + looks) * BYTES_PER_REQUEST,
    estimateMs: PROCESS_MS + Math.ceil((USUAL_BODIES * parameters.refuseBytes) / bytesPerMs(speed)),
    floorMs: 0,
    exclusive: ['bandwidth'],
    shared: [
      `budget:${operation}`,
      ...(looks > 0 ? ['budget:status' as const] : []),
      `queue:${instId}`,
      `workers:${instId}`,
    ],
    spends: { [operation]: bodies, ...(looks > 0 ? { status: looks } : {}) },
    startsIdle: false,
    sender: 'k6',
  };
}
