/**
 * How many requests a rate probe sends: at most, which the plan announces, and at least, below which the analysis calls
 * the probe cut short.
 */
import { leavesJobs } from '../../../schemas/operations.ts';
import { pollTimes, slots, watchSpan } from '../../k6/lib/schedule.ts';
import type { RateParameters } from '../../probe.ts';

/** Of each method. */
const SIBLING_REQUESTS = 10;
const METHODS_MOST = 2;
const WARM_UPS = 5;
/**
 * A slot that comes far too late is left out by the sender, since two at once would be a burst. So few of them still
 * make a steady load; more mean that the generator was starved.
 */
const SLOTS_KEPT = 0.95;

export function mostRequests(parameters: RateParameters): number {
  const { operation, limit, vus, overCap, echoesAtMs, echoCap, siblings, againAtMs, pace, polls } = parameters;
  const looks = leavesJobs(operation) ? slots(watchSpan(parameters)) : 0;
  const preparation = WARM_UPS * vus + looks;
  const others = siblings.length * METHODS_MOST * SIBLING_REQUESTS;
  const bursts = (againAtMs === undefined ? 1 : 2) * limit + vus * (overCap + echoesAtMs.length * echoCap);
  return preparation + bursts + others + pollTimes(polls).length + slots(pace);
}

/** Of one rate budget within one window, at most. */
export function mostInWindow(parameters: RateParameters): number {
  const { limit, vus, overCap, echoCap, polls } = parameters;
  return limit + vus * (overCap + echoCap) + pollTimes(polls).length;
}

export const kept = (count: number): number => Math.floor(count * SLOTS_KEPT);

/**
 * What even a target that refuses early gets from a probe that ran to its end. Single requests are no part of it: each
 * waits for the answer before it, and where answers take long there are few.
 */
export function leastRequests(parameters: RateParameters): number {
  const { limit, vus, overCap, overRefusals, againAtMs, echoesAtMs, pace } = parameters;
  const bursts = (againAtMs === undefined ? 1 : 2) * limit;
  const beyond = vus * (Math.min(overCap, overRefusals) + echoesAtMs.length);
  return bursts + beyond + kept(slots(pace));
}
