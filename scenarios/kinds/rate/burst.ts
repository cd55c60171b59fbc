/** How a burst is sent, and how long it takes as far as the wiring check can tell. */
import type { RateLimit } from '../../../schemas/limits.ts';
import { awaitsJobs } from '../../../schemas/operations.ts';
import type { EndpointConfig } from '../../../schemas/target.ts';
import { burstMs, jobsApartMs, type Speed, workersAtLeast } from '../../plan/assumptions.ts';
import type { PlanContext } from '../../plan/context.ts';

const VUS_MOST = 50;
/** Requests of a burst that one connection sends one after the other. */
const IN_A_ROW = { usual: 10, unstated: 2 };
/** A burst is to be over long before any of it leaves the window. */
const BURST_AIM = { mostMs: 1000, ofWindow: 0.25 };

/**
 * Connections of a burst: as few as make it short, and never more than half of what the operation may have in flight,
 * so that its concurrency limit cannot be what refuses. An operation without one may take long, which is not measured.
 */
export function rateVus(limit: RateLimit, { speed, table }: PlanContext): number {
  const atOnce = table.find('concurrent-requests', limit.budget)?.value;
  const aimMs = Math.min(BURST_AIM.mostMs, limit.windowMs * BURST_AIM.ofWindow);
  const needed = Math.ceil((limit.value * (requestMsOf(limit, speed) ?? 0)) / aimMs);
  const inARow = atOnce === undefined ? IN_A_ROW.unstated : IN_A_ROW.usual;
  const usual = Math.min(VUS_MOST, Math.ceil(limit.value / inARow));
  return Math.max(1, Math.min(Math.floor((atOnce ?? 2 * VUS_MOST) / 2), Math.max(usual, needed)));
}

/** How long the operation takes that a burst is sent to; null where no job would ever finish. */
function requestMsOf({ operations }: RateLimit, { quickJobMs, requestMs, roundTripMs }: Speed): number | null {
  const [first = ''] = operations;
  return operations.some(awaitsJobs) ? quickJobMs : (requestMs?.[first] ?? roundTripMs);
}

/** How long exactly the limit at once takes, ms, by calibration; infinite where no job would ever finish. */
export function expectedBurstMs(limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): number {
  const { speed } = context;
  const apartMs = limit.operations.some(awaitsJobs) ? jobsApartMs(workersAtLeast(endpoint, speed), speed) : 0;
  const requestMs = requestMsOf(limit, speed) ?? Number.POSITIVE_INFINITY;
  return burstMs(limit.value, rateVus(limit, context), requestMs, apartMs);
}
