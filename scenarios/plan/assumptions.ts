/**
 * What the planner reckons with about the target's speed: measured by the wiring check, or assumed fast where nothing
 * was measured (`proofload plan` sends nothing). Every rule that turns a speed into a decision is here.
 */
import { leavesJobs, operations } from '../../schemas/operations.ts';
import type { Calibration, EndpointConfig } from '../../schemas/target.ts';

export interface Speed {
  readonly measured: boolean;
  readonly roundTripMs: number;
  /** null: the quick workload did not complete. */
  readonly quickJobMs: number | null;
  /** Of operations that were measured. */
  readonly requestMs?: Readonly<Record<string, number>> | undefined;
  /** Of submissions without an input, by operation; of those that refuse them. */
  readonly refusalMs?: Readonly<Record<string, number>> | undefined;
}

const ASSUMED: Speed = { measured: false, roundTripMs: 2, quickJobMs: 3 };
/**
 * Generator and target together handle one request no faster than this, however many connections there are. It is
 * what two processes on two busy cores do; a burst that is over sooner only means a pause before the next step.
 */
const LEAST_MS_PER_REQUEST = 0.5;

/** Bytes of large bodies that get through in a millisecond, over a usual line and to a target close by. */
const BYTES_PER_MS = { usual: 20_000, near: 150_000 };
const NEAR_MS = 5;

/** Known to be close by, where everything that is not a wait of ours takes a fraction of what it takes elsewhere. */
const isNear = ({ measured, roundTripMs }: Speed): boolean => measured && roundTripMs < NEAR_MS;

export const bySpeed = <T>(speed: Speed, { usual, near }: { readonly usual: T; readonly near: T }): T =>
  isNear(speed) ? near : usual;

export const bytesPerMs = (speed: Speed): number => bySpeed(speed, BYTES_PER_MS);

export function speedOf(calibration: Calibration | null): Speed {
  if (!calibration) return ASSUMED;
  const { roundTripMs, quickJobMs, requestMs, refusalMs } = calibration;
  return { measured: true, roundTripMs, quickJobMs, requestMs, refusalMs };
}

/**
 * Workers that an endpoint certainly has: as configured, else one where the connection check saw a job complete (or has
 * not run yet), else none.
 */
export function workersAtLeast(endpoint: EndpointConfig, speed: Speed): number {
  return endpoint.workersMax ?? (speed.quickJobMs === null ? 0 : 1);
}

/** How long `count` requests take over `connections`, ms, when the target needs `requestMs` for each. */
export function burstMs(count: number, connections: number, requestMs: number): number {
  return count * Math.max(requestMs / connections, LEAST_MS_PER_REQUEST);
}

const submitsOnly = operations.find(({ id }) => leavesJobs(id))?.id ?? '';

/** How long a job keeps its worker, ms: what a runsync takes longer than a submission alone. */
export const workMs = ({ quickJobMs, requestMs, roundTripMs }: Speed): number =>
  Math.max(0, (quickJobMs ?? 0) - (requestMs?.[submitsOnly] ?? roundTripMs));

/**
 * Time between two quick jobs that an endpoint finishes, ms. The estimate is on the fast side, so that the plan leaves out
 * only what is hopeless.
 */
export function jobsApartMs(workers: number, speed: Speed): number {
  if (speed.quickJobMs === null || workers === 0) return Number.POSITIVE_INFINITY;
  return workMs(speed) / workers;
}
