/** Rate probes (design part 5, rate): one for each row, or the reason why this target cannot be asked. */
import type { LimitTable, RateLimit } from '../../schemas/limits.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { asksAboutJob } from '../../schemas/own.ts';
import type { EndpointConfig } from '../../schemas/target.ts';
import type { RateParameters, Resource } from '../probe.ts';
import { expectedBurstMs, rateVus } from './burst.ts';
import { asksModels, submits } from './concurrency.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from './context.ts';
import { mostInWindow, mostRequests, SETUP_JOBS } from './counts.ts';
import { endpointForRate, paceWindowsOn } from './rate-endpoint.ts';
import { closedByWorkload } from './reasons.ts';
import { lastSentMs, onceMore, rateTimes } from './timeline.ts';
import type { Candidate, PlannedProbe } from './types.ts';

/** Beyond twice the limit, since a fixed window across its boundary and a full bucket let that much through. */
const OVER_MARGIN = 0.05;
const OVER_MARGIN_LEAST = 5;
const REFUSALS_PER_VU = 2;
const REFUSALS_SINGLE_VU = 5;
const PACE_WINDOWS = { smoke: 2, gate: 2, nightly: 6 } as const;
/** Starting and ending a k6 process. */
export const PROCESS_MS = 1000;

export function rateCandidate(limit: RateLimit, context: PlanContext): Candidate {
  const checkIds = checkIdsOf(limit);
  const needsJobs = submits(limit.budget) || submitsFirst(limit, context.table);
  const lacking = needsJobs ? closedByWorkload(context.target, 'quick') : undefined;
  if (lacking) return { checkIds, missing: lacking };
  const chosen = endpointForRate(limit, context);
  if ('missing' in chosen) return { checkIds, missing: chosen.missing };
  return { checkIds, probe: rateProbe(limit, chosen.endpoint, checkIds, context) };
}

function rateProbe(
  limit: RateLimit,
  endpoint: EndpointConfig,
  checkIds: readonly string[],
  context: PlanContext,
): PlannedProbe {
  const parameters = rateParameters(limit, endpoint, context);
  const second = mostRequests(onceMore(parameters));
  const requests = mostRequests(parameters) + second;
  return {
    id: limit.id,
    title: `Rate limit of ${limit.operations.join(', ')}: ${limit.value} per ${limit.windowMs / 1000} s`,
    checkIds,
    parameters,
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs: Math.ceil(lastSentMs(parameters)) + PROCESS_MS,
    floorMs: rateFloorMs(parameters),
    exclusive: [`budget:${limit.budget}`],
    shared: sharedBy(limit, endpoint.instId, context.table),
    spends: {
      [limit.budget]: mostInWindow(parameters),
      ...(submitsFirst(limit, context.table) ? { run: SETUP_JOBS } : {}),
    },
    startsIdle: true,
    machine: 'steady',
    ...(submitsFirst(limit, context.table) ? { early: { resources: ['budget:run'], estimateMs: JOB_DONE_MS } } : {}),
    sender: 'k6',
  };
}

/** In whole windows: an idle one, those from the recovery to the pace, and the pace; bursts take what they take. */
function rateFloorMs({ windowMs, recovery, pace }: RateParameters): number {
  const recovers = Math.floor((pace.fromMs - recovery.fromMs) / windowMs);
  return (1 + recovers + Math.round((pace.untilMs - pace.fromMs) / windowMs)) * windowMs;
}

/** Quick jobs of its own are what these ask about. */
const submitsFirst = ({ operations }: RateLimit, table: LimitTable): boolean =>
  operations.some((id) => asksAboutJob(table.operation(id)));
/** When those are expected to be done. */
const JOB_DONE_MS = 1000;

/** Jobs of a burst stand in the queue and keep workers busy for moments, which only slow jobs and counts mind. */
function sharedBy(limit: RateLimit, instId: string, table: LimitTable): Resource[] {
  const { budget } = limit;
  if (submits(budget)) return [`queue:${instId}`, `workers:${instId}`];
  // status and cancel run one quick job first; a purge has to find nobody's jobs that are to stay
  if (submitsFirst(limit, table)) return [`workers:${instId}`];
  if (budget === 'purge-queue') return [`queue:${instId}`];
  return asksModels(limit, table) ? ['budget:inference'] : [];
}

function rateParameters(limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): RateParameters {
  const [operation = 'run', ...siblings]: readonly OperationId[] = limit.operations;
  const vus = rateVus(limit, context);
  const margin = Math.max(OVER_MARGIN_LEAST, Math.ceil(limit.value * OVER_MARGIN));
  const expectedMs = expectedBurstMs(limit, endpoint, context);
  return {
    kind: 'rate',
    limitId: limit.id,
    instId: endpoint.instId,
    operation,
    siblings,
    limit: limit.value,
    windowMs: limit.windowMs,
    vus,
    overCap: Math.ceil((limit.value + margin) / vus),
    overRefusals: vus === 1 ? REFUSALS_SINGLE_VU : REFUSALS_PER_VU,
    ...rateTimes({
      limit: limit.value,
      windowMs: limit.windowMs,
      burstMs: expectedMs,
      paceWindows: paceWindowsOn(PACE_WINDOWS[context.profile], limit, endpoint, context),
    }),
  };
}
