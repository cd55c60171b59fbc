/** How a burst is sent, and how long it takes as far as the wiring check can tell. */
import type { RateLimit } from '../../../schemas/limits.ts';
import { awaitsJobs } from '../../../schemas/operations.ts';
import type { EndpointConfig } from '../../../schemas/target.ts';
import { burstMs, jobsApartMs, workersAtLeast } from '../../plan/assumptions.ts';
import type { PlanContext } from '../../plan/context.ts';

const VUS_MOST = 50;
const VUS_SHARE_OF_LIMIT = 10;
const BURST_AIM_MS = 1000;

/**
 * Connections of a burst: as few as make it short, and never more than half of what the operation may have in flight,
 * so that its concurrency limit cannot be what refuses. An operation without one gets a single connection.
 */
export function rateVus(limit: RateLimit, { speed, table }: PlanContext): number {
  const most = Math.max(1, Math.floor((table.find('concurrent-requests', limit.budget)?.value ?? 1) / 2));
  const requestMs = limit.operations.some(awaitsJobs) ? (speed.quickJobMs ?? 0) : speed.roundTripMs;
  const usual = Math.min(VUS_MOST, Math.ceil(limit.value / VUS_SHARE_OF_LIMIT));
  return Math.min(most, Math.max(usual, Math.ceil((limit.value * requestMs) / BURST_AIM_MS)));
}

/** How long exactly the limit at once takes, ms, by calibration; infinite where no job would ever finish. */
export function expectedBurstMs(limit: RateLimit, endpoint: EndpointConfig, context: PlanContext): number {
  const { speed } = context;
  const vus = rateVus(limit, context);
  if (!limit.operations.some(awaitsJobs)) return burstMs(limit.value, vus, speed.roundTripMs);
  const workers = workersAtLeast(endpoint, speed);
  return burstMs(limit.value, vus, speed.quickJobMs ?? Number.POSITIVE_INFINITY, jobsApartMs(workers, speed));
}
