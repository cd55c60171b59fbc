/** Rate probes: one for each row, or the reason why this target cannot be tested. */
import { firstOf, type LimitTable, type RateLimit } from '../../../schemas/limits.ts';
import { isSubmitting, leavesJobs, type OperationId } from '../../../schemas/operations.ts';
import type { EndpointConfig } from '../../../schemas/target.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { pollTimes, slots, slotsIn, watchSpan } from '../../k6/lib/schedule.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import { borderOf } from '../../plan/endpoints.ts';
import { closedByWorkload, type Reason, tooSlow } from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe } from '../../plan/types.ts';
import type { RateParameters, Resource } from '../../probe.ts';
import { usesModels } from '../concurrency/plan.ts';
import {
  burstJobs,
  burstVus,
  endpointForRate,
  expectedBurstMs,
  leavesBehind,
  paceWindowsOn,
  rateVus,
} from './endpoint.ts';
import { lastPaced, rateFloorMs, rateTimes, refilledMost, SIBLING_REQUESTS, warmsUp } from './timeline.ts';

const METHODS_MOST = 2;
const WARM_UPS = 5;
/**
 * A slot that comes far too late is left out by the sender, since two at once would be a burst. So few of them still
 * make a steady load; more mean that the generator was starved.
 */
const SLOTS_KEPT = 0.95;

/** Of the client within the limit. */
const inBursts = ({ limit, secondBurstAtMs }: RateParameters): number =>
  (secondBurstAtMs === undefined ? 1 : 2) * limit;

export function mostRequests(parameters: RateParameters): number {
  const { operation, vus, beyondVus, overflowCap, refillsAtMs, refillCap, siblings, paces, polls } = parameters;
  const watched = leavesJobs(operation) ? slots(watchSpan(parameters)) : 0;
  const preparation = (warmsUp(parameters) ? WARM_UPS * vus : 0) + watched;
  const others = siblings.length * METHODS_MOST * SIBLING_REQUESTS;
  const beyond = beyondVus * (overflowCap + refillsAtMs.length * refillCap) + refilledMost(parameters);
  return preparation + inBursts(parameters) + beyond + others + pollTimes(polls).length + slotsIn(paces);
}

/** Of one rate budget within one window, at most. */
export function mostInWindow(parameters: RateParameters): number {
  const { limit, beyondVus, overflowCap, refillCap, polls } = parameters;
  return limit + beyondVus * (overflowCap + refillCap) + refilledMost(parameters) + pollTimes(polls).length;
}

export const kept = (count: number): number => Math.floor(count * SLOTS_KEPT);

/**
 * What even a target that refuses early gets from a probe that ran to its end. Single requests are no part of it: each
 * waits for the answer before it, and where answers take long there are few.
 */
export function leastRequests(parameters: RateParameters): number {
  const { beyondVus, overflowCap, overflowRefusals, refillsAtMs, paces } = parameters;
  const beyond = beyondVus * (Math.min(overflowCap, overflowRefusals) + refillsAtMs.length);
  return inBursts(parameters) + beyond + kept(slotsIn(paces));
}

/**
 * With the pace before it, beyond twice the limit: a fixed window across its boundary and a full bucket admit that
 * many. What is refilled meanwhile comes on top (`refilledMost`).
 */
const OVER_SHARE = 2.1;
const OVER_MARGIN_LEAST = 5;
/** What is refilled later is the limit at most, and a little while it is sent. */
const ECHO_SHARE = 1.1;
const REFUSALS_PER_VU = 2;
const REFUSALS_SINGLE_VU = 5;
/**
 * Of the first pace. Even in the gate it sends more than the limit: a window that each request starts anew never ends
 * for a client that is never silent (INCR and EXPIRE on Redis, with each request), and a bucket that loses four requests
 * of five to an uneven pace is empty after a window and a quarter.
 */
export const PACE_WINDOWS = { smoke: 1.5, gate: 1.5, nightly: 5 } as const;
/** Starting and ending a k6 process. */
export const PROCESS_MS = 1000;

export function rateCandidates(limit: RateLimit, context: PlanContext): Candidate[] {
  const checkIds = checkIdsOf(limit);
  const lacking = limit.operations.some(isSubmitting) ? closedByWorkload(context.target, 'quick') : undefined;
  if (lacking) return [{ checkIds, missing: lacking }];
  const chosen = endpointForRate(limit, context);
  const why = 'missing' in chosen ? chosen.missing : tooSlowToGoOn(limit, chosen.endpoint, context);
  const instead = why && candidatesWithoutInput(limit, why, context);
  if (instead) return instead;
  if ('missing' in chosen) return [{ checkIds, missing: chosen.missing }];
  return [{ checkIds, probe: rateProbe(limit, chosen.endpoint, checkIds, context) }];
}

/** Why nothing could follow on a burst of jobs; undefined where they are done in time. */
const tooSlowToGoOn = (limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): Reason | undefined =>
  paceWindows(limit, endpoint, context) === null
    ? tooSlow(grouped`its workers don't get through ${limit.value} jobs in time`, 'deploy a quicker handler')
    : undefined;

/**
 * Jobs that the workers don't get through, or that the queue has no room for, need not be made to see what a limiter
 * counts: submissions without an input are requests as well, where the target refuses them for that. Only whether each is
 * served they don't show. Undefined where it does not.
 */
function candidatesWithoutInput(limit: RateLimit, missing: Reason, context: PlanContext): Candidate[] | undefined {
  const { speed, endpoints } = context;
  const refusalMs = speed.refusalMs?.[limit.operations[0] ?? ''];
  const [endpoint] = endpoints.filter((one) => one.dedicated);
  if (refusalMs === undefined || endpoint === undefined) return undefined;
  const why = 'needs' in missing ? `jobs need ${missing.needs}` : 'reason' in missing ? missing.reason : '';
  const quick = {
    ...context,
    withoutInput: why,
    speed: { ...speed, quickJobMs: refusalMs, requestMs: speed.refusalMs },
  };
  const all = checkIdsOf(limit);
  const served = all.filter((id) => id.endsWith('.served'));
  const checkIds = all.filter((id) => !served.includes(id));
  return [
    { checkIds, probe: rateProbe(limit, endpoint, checkIds, quick) },
    { checkIds: served, missing },
  ];
}

function rateProbe(
  limit: RateLimit,
  endpoint: EndpointConfig,
  checkIds: readonly string[],
  context: PlanContext,
): PlannedProbe {
  const parameters = rateParameters(limit, endpoint, context);
  const leavesQueue = leavesJobs(parameters.operation) && parameters.secondBurstAtMs === undefined;
  // And the purge that takes its jobs back.
  const requests = mostRequests(parameters) + (leavesQueue ? 1 : 0);
  return {
    id: limit.id,
    title: grouped`Rate limit of ${limit.operations.join(', ')}: ${limit.value} per ${limit.windowMs / 1000} s${context.withoutInput === undefined ? '' : ', without an input'}`,
    checkIds,
    parameters,
    retry: withFewer(parameters, burstVus(limit, context.speed)),
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs: parameters.untilMs + PROCESS_MS,
    floorMs: rateFloorMs(parameters, paceWindows(limit, endpoint, context)),
    exclusive: [`budget:${limit.budget}`],
    shared: sharedBy(limit, endpoint.instId, context.table),
    spends: { [limit.budget]: mostInWindow(parameters) },
    startsIdle: true,
    leavesQueue,
    machine: 'steady',
    sender: 'k6',
  };
}

/**
 * The same sent beyond the limit by as few connections as make it a burst: each answer comes sooner where the target works
 * at few at a time, so it is known better when a request arrived, and with it how much a bucket holds.
 */
function withFewer(parameters: RateParameters, fewest: number): RateParameters {
  const { vus, overflowCap, overflowRefusals, refillCap } = parameters;
  const beyondVus = Math.min(vus, fewest);
  const each = (count: number): number => Math.floor((vus * count) / beyondVus);
  return {
    ...parameters,
    beyondVus,
    overflowCap: each(overflowCap),
    overflowRefusals: each(overflowRefusals),
    refillCap: each(refillCap),
  };
}

const paceWindows = (limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): number | null =>
  paceWindowsOn(PACE_WINDOWS[context.profile], limit, endpoint, context);

/**
 * Jobs of a burst stand in the queue and keep workers busy for moments, which matters only for slow jobs and counts.
 */
function sharedBy(limit: RateLimit, instId: string, table: LimitTable): Resource[] {
  const { submits, purges } = firstOf(limit, table);
  if (submits) return [`queue:${instId}`, `workers:${instId}`];
  // A purge would remove the queued jobs of other probes.
  if (purges) return [`queue:${instId}`];
  return usesModels(limit, table) ? ['budget:inference'] : [];
}

/** Jobs that the queue still takes after a burst which the workers don't get through. Only `run` leaves its jobs behind. */
const roomBehindBurst = (limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): number =>
  leavesBehind(limit, context) ? borderOf(endpoint, context) - burstJobs(limit) : Infinity;

function rateParameters(limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): RateParameters {
  const [operation = 'run', ...siblings]: readonly OperationId[] = limit.operations;
  const vus = rateVus(limit, context);
  const burstMs = expectedBurstMs(limit, endpoint, context);
  const times = rateTimes({
    limit: limit.value,
    windowMs: limit.windowMs,
    burstMs,
    paceWindows: paceWindows(limit, endpoint, context),
  });
  const capOf = (requests: number): number => Math.ceil((requests + OVER_MARGIN_LEAST) / vus);
  const room = times.secondBurstAtMs === undefined ? roomBehindBurst(limit, endpoint, context) : Infinity;
  const left = room - pollTimes(times.polls).length;
  const refills = Math.min(times.refillsAtMs.length, Math.max(0, Math.floor(left / vus)));
  const parameters = {
    kind: 'rate',
    limitId: limit.id,
    instId: endpoint.instId,
    operation,
    siblings,
    absent: context.absent ?? [],
    limit: limit.value,
    windowMs: limit.windowMs,
    withoutInput: context.withoutInput,
    vus,
    beyondVus: vus,
    ...times,
    overflowCap: 0,
    overflowRefusals: vus === 1 ? REFUSALS_SINGLE_VU : REFUSALS_PER_VU,
    refillsAtMs: refills === 0 ? [] : times.refillsAtMs.slice(-refills),
    refillCap: Math.min(capOf(ECHO_SHARE * limit.value), Math.floor(left / (vus * Math.max(1, refills)))),
  } as const;
  // Without a pace the burst is what counts already.
  const counted = times.secondBurstAtMs === undefined ? limit.value : lastPaced(parameters);
  return { ...parameters, overflowCap: capOf(OVER_SHARE * limit.value - counted) };
}
