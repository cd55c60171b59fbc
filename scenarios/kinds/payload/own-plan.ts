/**
 * Payload probes of operations that the configuration has added. Their bodies are the configuration's, and so is what
 * becomes of one: neither a workload nor a worker is needed, and no job is looked at.
 */
import type { LimitTable, PayloadLimit } from '../../../schemas/limits.ts';
import type { HttpMethod } from '../../../schemas/operations.ts';
import type { OwnOperation } from '../../../schemas/own.ts';
import { plural } from '../../../schemas/thousands.ts';
import { bytesPerMs } from '../../plan/assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import { needs, noEndpoint } from '../../plan/reasons.ts';
import type { Candidate } from '../../plan/types.ts';
import type { PayloadParameters } from '../../probe.ts';
import { mostRequestsOfPayload } from './send/sizes.ts';

const CAP_READINGS = 2;
/** For the estimate alone: so many bodies are enough where the border is where it should be, each taking so long. */
const USUAL_BODIES = 8;
const BODY_MS = 50;
/** Bodies use this share of a rate limit at most. */
const SHARE_OF_RATE = 0.8;

export function ownPayloadCandidate(limit: PayloadLimit, context: PlanContext): Candidate {
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
    looks: false,
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
      estimateMs: USUAL_BODIES * eachMs,
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
