/**
 * Which endpoint a rate probe runs on, or why none will do: a burst of jobs must not be able to reach the queue's
 * border, and synchronous jobs must end fast enough to be a burst at all.
 */
import { firstOf, type RateLimit } from '../../../schemas/limits.ts';
import { awaitsJobs, leavesJobs } from '../../../schemas/operations.ts';
import { BURST_MOST_OF_WINDOW } from '../../../schemas/rate-facts.ts';
import type { EndpointConfig } from '../../../schemas/target.ts';
import { IDLE_CONNECTION_MS, UNEVEN } from '../../k6/lib/schedule.ts';
import { burstMs, jobsApartMs, type Speed, workersAtLeast, workMs } from '../../plan/assumptions.ts';
import type { PlanContext } from '../../plan/context.ts';
import { borderOf, workersForQueue } from '../../plan/endpoints.ts';
import {
  needs,
  needsDedicated,
  needsWorkers,
  needsWorkersKnown,
  noEndpoint,
  type Reason,
  tooSlow,
} from '../../plan/reasons.ts';
import { pacePeriodMs, reconnects } from './timeline.ts';

// How a burst is sent, and how long it takes by the measurements of the connection check.

const VUS_MOST = 50;
/** Requests of a burst that one connection sends one after the other. */
const IN_A_ROW = { usual: 10, unstated: 2 };
/** Of TCP and TLS, at most. */
const CONNECT_ROUND_TRIPS = 3;
/** A burst is to be over long before any of it leaves the window. */
const BURST_AIM = { mostMs: 1000, ofWindow: 0.25 };

/**
 * Connections of a burst: as few as make it short, where that is short enough no more than are busy in the pace, and
 * never more than half of what the operation may have in flight, so that its concurrency limit cannot be what refuses.
 * More than are busy have to be made anew for each request, which a far target makes longer than it is with fewer.
 * An operation without such a limit may take long, which is not measured.
 */
export function rateVus(limit: RateLimit, { speed, table }: PlanContext): number {
  const atOnce = table.find('concurrent-requests', limit.budget)?.value;
  const most = Math.floor((atOnce ?? 2 * VUS_MOST) / 2);
  const longestMs = longestBurstMs(limit);
  const oneByOneMs = oneByOneMsOf(limit, speed);
  const inARow = atOnce === undefined ? IN_A_ROW.unstated : IN_A_ROW.usual;
  const wanted = Math.max(burstVus(limit, speed), Math.min(VUS_MOST, Math.ceil(limit.value / inARow)));
  const busy = Math.floor(IDLE_CONNECTION_MS / pacePeriodMs(limit.value, limit.windowMs) - UNEVEN);
  const anewMs = (oneByOneMs + limit.value * connectMs(speed)) / most;
  const keeps = atOnce !== undefined && oneByOneMs <= busy * Math.max(longestMs, anewMs);
  return Math.max(1, Math.min(most, keeps ? Math.min(wanted, busy) : wanted));
}

/** The fewest connections that make it a burst. */
export function burstVus(limit: RateLimit, speed: Speed): number {
  return Math.max(1, Math.ceil(oneByOneMsOf(limit, speed) / Math.min(BURST_AIM.mostMs, longestBurstMs(limit))));
}

const longestBurstMs = ({ windowMs }: RateLimit): number => windowMs * BURST_AIM.ofWindow;
const oneByOneMsOf = (limit: RateLimit, speed: Speed): number => limit.value * (requestMsOf(limit, speed) ?? 0);

const connectMs = ({ roundTripMs }: Speed): number => CONNECT_ROUND_TRIPS * roundTripMs;

/** How long the operation takes that a burst is sent to; null where no job would ever finish. */
function requestMsOf({ operations }: RateLimit, { quickJobMs, requestMs, roundTripMs }: Speed): number | null {
  const [first = ''] = operations;
  return operations.some(awaitsJobs) ? quickJobMs : (requestMs?.[first] ?? roundTripMs);
}

/** How long exactly the limit at once takes, ms, by calibration; infinite where no job would ever finish. */
export function expectedBurstMs(limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): number {
  const { speed } = context;
  const apartMs = limit.operations.some(awaitsJobs) ? jobsApartMs(workersAtLeast(endpoint, speed), speed) : 0;
  return Math.max(sendingMs(limit, context), limit.value * apartMs);
}

/** The same where any number of workers is there. */
function sendingMs(limit: RateLimit, context: PlanContext): number {
  const vus = rateVus(limit, context);
  const requestMs = requestMsOf(limit, context.speed) ?? Number.POSITIVE_INFINITY;
  const anew = reconnects({ limit: limit.value, windowMs: limit.windowMs, vus });
  return burstMs(limit.value, vus, requestMs + (anew ? connectMs(context.speed) : 0));
}

type Choice = { readonly endpoint: EndpointConfig } | { readonly missing: Reason };

/** Beyond the limit by so much, as a share of it: what an enforcing target admits at most in a burst. */
const BURST_SLACK = 0.1;

export function endpointForRate(limit: RateLimit, context: PlanContext): Choice {
  const first = firstOf(limit, context.table);
  if (leavesJobs(first.id)) return forRun(limit, context);
  if (awaitsJobs(first.id)) return forRunsync(limit, context);
  if (first.purges) return forPurge(context);
  if (first.interface === 'inference') return { endpoint: NO_ENDPOINT };
  return context.endpoints[0] ? { endpoint: context.endpoints[0] } : { missing: noEndpoint };
}

/** For operations that are not on an endpoint: they have no other users. */
const NO_ENDPOINT: EndpointConfig = { instId: '', workersMax: null, dedicated: true };

const dedicatedOnes = ({ endpoints }: PlanContext) => endpoints.filter((one) => one.dedicated);

/** Jobs that a burst of `run` may leave waiting at once. */
export const burstJobs = (limit: RateLimit): number => Math.ceil(limit.value * (1 + BURST_SLACK));

function forRun(limit: RateLimit, context: PlanContext): Choice {
  const jobs = burstJobs(limit);
  const because = `a burst of ${limit.value} run would fill the queue of other users`;
  const dedicated = dedicatedOnes(context);
  if (dedicated.length === 0) return { missing: needsDedicated(because) };
  if (context.speed.quickJobMs === null) return { missing: noQuickJobs(context) };
  const roomy = dedicated.find((one) => one.workersMax !== null && takesBurst(limit, one, context));
  if (roomy) return { endpoint: roomy };
  if (dedicated.every((one) => one.workersMax === null)) {
    return { missing: needsWorkersKnown(`a burst of ${limit.value} run may reach the queue's own limit`) };
  }
  return {
    missing: needsWorkers(
      workersForQueue(jobs, context.table),
      `${jobs} jobs at once would reach the queue's own limit first`,
    ),
  };
}

/** Whether the queue takes the burst, and what is beyond it: after the pace, or at once where there is none. */
function takesBurst(limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): boolean {
  const isDrained = context.speed.measured && paceWindowsOn(0, limit, endpoint, context) !== null;
  return (isDrained ? limit.value : burstJobs(limit)) <= borderOf(endpoint, context);
}

/** Whether jobs of it stay in the queue. */
export const leavesBehind = ({ operations }: RateLimit, { withoutInput }: PlanContext): boolean =>
  withoutInput === undefined && operations.some(leavesJobs);

/**
 * The wanted windows of a steady pace, or null where nothing may follow on a burst: workers that are slower than the
 * limit fill the queue in the end, and a refusal would then be the queue's. Only `run` leaves its jobs behind.
 */
export function paceWindowsOn(
  wanted: number,
  limit: RateLimit,
  endpoint: EndpointConfig,
  context: PlanContext,
): number | null {
  if (!leavesBehind(limit, context)) return wanted;
  const apartMs = jobsApartMs(workersAtLeast(endpoint, context.speed), context.speed);
  const left = (jobs: number): number => Math.max(0, jobs - limit.windowMs / apartMs);
  const atSecondBurst = left(limit.value) + limit.value;
  const atPaceEnd = left(atSecondBurst) + (wanted + 1) * left(limit.value) + burstJobs(limit) - limit.value;
  return Math.max(atSecondBurst, atPaceEnd) <= borderOf(endpoint, context) ? wanted : null;
}

function forRunsync(limit: RateLimit, context: PlanContext): Choice {
  const dedicated = dedicatedOnes(context);
  const because = `a burst of ${limit.value} runsync would occupy the workers of other users`;
  if (dedicated.length === 0) return { missing: needsDedicated(because) };
  const vus = rateVus(limit, context);
  const [endpoint] = dedicated.filter((one) => borderOf(one, context) >= vus);
  if (!endpoint || workersAtLeast(endpoint, context.speed) === 0) return { missing: noQuickJobs(context) };
  const expectedMs = expectedBurstMs(limit, endpoint, context);
  if (!Number.isFinite(expectedMs)) return { missing: noQuickJobs(context) };
  if (expectedMs <= mostBurstMs(limit)) return { endpoint };
  if (endpoint.workersMax === null) return { missing: needsWorkersKnown('whether its workers keep up depends on it') };
  return { missing: tooSlowForRunsync(limit, endpoint, expectedMs, context) };
}

/**
 * One that is expected to take longer is not tried. The expectation comes from the latency of single jobs and is rough;
 * one that turns out slower is found inconclusive by what was seen.
 */
const mostBurstMs = (limit: RateLimit): number => limit.windowMs * BURST_MOST_OF_WINDOW;

function noQuickJobs({ speed }: PlanContext): Reason {
  return speed.quickJobMs === null
    ? tooSlow(
        'no job of the quick workload completed in the wiring check',
        'run it again once its workers have started, or deploy a quick handler on it',
      )
    : needsWorkers(1, 'without workers no runsync is answered');
}

function tooSlowForRunsync(
  limit: RateLimit,
  endpoint: EndpointConfig,
  expectedMs: number,
  context: PlanContext,
): Reason {
  const { quickJobMs } = context.speed;
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const reason =
    `${limit.value} runsync would take about ${seconds(expectedMs)} s (quick job ${Math.round(quickJobMs ?? 0)} ms, ` +
    `WorkersMax ${endpoint.workersMax}, at most half of the concurrency limit at once), which is no burst within a ` +
    `window of ${seconds(limit.windowMs)} s`;
  const workers = Math.ceil((limit.value * workMs(context.speed)) / mostBurstMs(limit));
  return tooSlow(
    reason,
    sendingMs(limit, context) > mostBurstMs(limit)
      ? 'deploy a quicker handler, or run from nearer to the target'
      : `needs WorkersMax >= ${workers}`,
  );
}

/**
 * A purge removes queued jobs. Quick jobs of a rate probe are not affected (only their acceptance counts), but a
 * synchronous one may then get another response, so the purge takes the endpoint with the fewest workers: the rate
 * probes run on the one with the most.
 */
function forPurge(context: PlanContext): Choice {
  const dedicated = dedicatedOnes(context);
  const smallest = [...dedicated].sort(
    (a, b) => workersAtLeast(a, context.speed) - workersAtLeast(b, context.speed),
  )[0];
  if (smallest) return { endpoint: smallest };
  return {
    missing: context.endpoints[0] ? needsDedicated('purging removes queued jobs of other users') : needs('an endpoint'),
  };
}
