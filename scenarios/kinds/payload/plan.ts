/** Payload probes: the documented sizes first, then bisection to where the border really is. */
import { isAdded, type LimitTable, type PayloadLimit, submittingOf } from '../../../schemas/limits.ts';
import { awaitsJobs, type HttpMethod } from '../../../schemas/operations.ts';
import type { OwnOperation } from '../../../schemas/own.ts';
import { plural } from '../../../schemas/thousands.ts';
import { takes } from '../../../schemas/workloads.ts';
import { bytesPerMs, workersAtLeast } from '../../plan/assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import { closedByWorkload, needs, needsWorkers, noEndpoint } from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe } from '../../plan/types.ts';
import type { PayloadParameters } from '../../probe.ts';
import { PROCESS_MS } from '../rate/plan.ts';
import { mostRequestsOfPayload } from './send/sizes.ts';

/** For the estimate alone: so many bodies are enough where the border is where it should be, each taking so long. */
const OWN_BODIES = 8;
const BODY_MS = 50;
/** Bodies use this share of a rate limit at most. */
const SHARE_OF_RATE = 0.8;

/**
 * Of an operation that the configuration has added. Its bodies come from the configuration, and their effect is
 * unknown: it needs neither a workload nor a worker, and no job is followed up.
 */
function ownPayloadCandidate(limit: PayloadLimit, context: PlanContext): Candidate {
  const checkIds = checkIdsOf(limit);
  const own = context.target.operations?.find(({ id }) => limit.operations.includes(id));
  const usual = own ? usualBody(own) : null;
  if (!own || usual === null)
    return { checkIds, missing: needs('a body that is a JSON object and a method that has one') };
  const endpoint = own.interface === 'inference' ? '' : context.endpoints[0]?.instId;
  if (endpoint === undefined) return { checkIds, missing: noEndpoint };
  const { apartMs, inWindow } = paceOf(limit, context.table);
  const parameters: PayloadParameters = {
    kind: 'payload',
    limitId: limit.id,
    instId: endpoint,
    operation: own.id,
    method: usual.method,
    apartMs,
    acceptBytes: limit.value,
    refuseBytes: limit.upperReading + 1,
    floorBytes: usual.bytes,
    capBytes: CAP_READINGS * limit.upperReading,
    readable: false,
    followsUp: false,
  };
  const { bodies } = mostRequestsOfPayload(parameters);
  const eachMs = Math.max(apartMs, BODY_MS + Math.ceil(parameters.refuseBytes / bytesPerMs(context.speed)));
  return {
    checkIds,
    probe: {
      id: limit.id,
      title: `Payload of ${own.id}: ${plural(limit.value, 'byte')}`,
      checkIds,
      parameters,
      requests: bodies,
      bytes: bodies * (parameters.capBytes + BYTES_PER_REQUEST),
      estimateMs: OWN_BODIES * eachMs,
      floorMs: 0,
      exclusive: ['bandwidth'],
      shared: [`budget:${limit.budget}`],
      spends: { [limit.budget]: Math.min(bodies, inWindow) },
      startsIdle: false,
      sender: 'held',
    },
  };
}

/** null where spaces can't make it longer: there is none, it is no object, or no method would send it. */
function usualBody({ methods, body }: OwnOperation): { readonly method: HttpMethod; readonly bytes: number } | null {
  const method = methods.find((one) => one !== 'GET');
  if (method === undefined || typeof body !== 'object' || body === null) return null;
  return { method, bytes: new TextEncoder().encode(JSON.stringify(body)).length };
}

/** How far bodies keep apart, and how many of them one window can hold then. */
function paceOf({ budget }: PayloadLimit, table: LimitTable): { readonly apartMs: number; readonly inWindow: number } {
  const rate = table.find('requests', budget);
  if (!rate) return { apartMs: 0, inWindow: Number.POSITIVE_INFINITY };
  const apartMs = Math.ceil(rate.windowMs / (rate.value * SHARE_OF_RATE));
  return { apartMs, inWindow: Math.ceil(rate.windowMs / apartMs) };
}

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
  const sees = { readable: takes(workloads, 'quick', 'echo'), followsUp: workers > 0 };
  return { checkIds, probe: payloadProbe(limit, endpoint.instId, checkIds, { ...sees, speed: context.speed }) };
}

function payloadProbe(
  limit: PayloadLimit,
  instId: string,
  checkIds: readonly string[],
  { speed, ...sees }: Pick<PayloadParameters, 'readable' | 'followsUp'> & Pick<PlanContext, 'speed'>,
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
  const { bodies, followUps } = mostRequestsOfPayload(parameters);
  return {
    id: limit.id,
    title: `Payload of ${operation}: ${plural(limit.value, 'byte')}`,
    checkIds,
    parameters,
    requests: bodies + followUps,
    bytes: bodies * parameters.capBytes + (bodies + followUps) * BYTES_PER_REQUEST,
    estimateMs: PROCESS_MS + Math.ceil((USUAL_BODIES * parameters.refuseBytes) / bytesPerMs(speed)),
    floorMs: 0,
    exclusive: ['bandwidth'],
    shared: [
      `budget:${operation}`,
      ...(followUps > 0 ? ['budget:status' as const] : []),
      `queue:${instId}`,
      `workers:${instId}`,
    ],
    spends: { [operation]: bodies, ...(followUps > 0 ? { status: followUps } : {}) },
    startsIdle: false,
    sender: 'k6',
  };
}
