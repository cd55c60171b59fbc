/**
 * Concurrency probes: requests held open by their last byte for every limit, and whole
 * requests to the operations that wait by themselves, for targets that count a request only once its body is there.
 */
import { type ConcurrencyLimit, firstOf, type Limit, type LimitTable } from '../../../schemas/limits.ts';
import { perAddressId } from '../../../schemas/load-checks.ts';
import {
  awaitsJobs,
  type BudgetId,
  isSubmitting,
  type Operation,
  type OperationId,
} from '../../../schemas/operations.ts';
import type { EndpointConfig } from '../../../schemas/target.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { CONTROL_REQUESTS } from '../../execute/control.ts';
import { bySpeed, jobsApartMs, type Speed, workersAtLeast } from '../../plan/assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import { borderOf, workersForQueue } from '../../plan/endpoints.ts';
import { closedByWorkload, needs, needsWorkers, type Reason } from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe, Spending } from '../../plan/types.ts';
import type { ConcurrencyParameters, Resource } from '../../probe.ts';
import {
  CONTROL_ROUNDS,
  ELSEWHERE_REQUESTS,
  FREED_REQUESTS,
  heldAtMost,
  heldUsually,
  SCOUT_REQUESTS,
  timingsAtMost,
} from './held/amounts.ts';

const EXTRA_LEAST = 3;
const EXTRA_SHARE = 0.05;
const HELD_MS = 1000;
const HELD_MS_FOR = { usual: { base: 2000, each: 4 }, near: { base: 1700, each: 1.5 } };
/** So many connections at once take the whole machine for a moment. */
const LOUD_FROM = 100;

export function heldCandidate(limit: ConcurrencyLimit, context: PlanContext): Candidate {
  const perAddress = context.target.otherAddress !== undefined;
  const checkIds = checkIdsOf(limit).filter((id) => perAddress || id !== perAddressId(limit));
  const endpoint = context.endpoints[0];
  // What goes further than the waves is dropped, and never becomes a job.
  const jobsAtOnce = limit.value + extraOf(limit) + FREED_REQUESTS;
  const closed =
    (limit.operations.some(isSubmitting) && closedByWorkload(context.target, 'quick')) ||
    (limit.operations.some(isSubmitting) && endpoint && queueInTheWay(jobsAtOnce, endpoint, context)) ||
    undefined;
  if (closed) return { checkIds, missing: closed };
  const rate = context.table.find('requests', limit.budget)?.value ?? Number.POSITIVE_INFINITY;
  if (limit.value + extraOf(limit) + 2 > rate) {
    return { checkIds, missing: needs(`a rate limit above ${limit.value + extraOf(limit) + 2} requests`) };
  }
  const slow = endpoint && jobsTakeLong(jobsAtOnce, limit, endpoint, context.speed);
  // Submissions without an input are requests as well, where the target refuses them for that.
  const isRefused = limit.operations.every((id) => context.speed.refusalMs?.[id] !== undefined);
  const withoutInput = slow && isRefused ? { withoutInput: slow } : {};
  return { checkIds, probe: heldProbe(limit, endpoint?.instId ?? '', checkIds, { ...context, ...withoutInput }) };
}

/** The last answer is awaited for a minute, and the estimate is on the fast side. */
const JOBS_MOST_MS = 45_000;

/** Why requests that each wait for a job of their own would not be answered in time; undefined where they would be. */
export function jobsTakeLong(
  jobs: number,
  { operations }: ConcurrencyLimit,
  endpoint: EndpointConfig,
  speed: Speed,
): string | undefined {
  const tookMs = operations.some(awaitsJobs) ? jobs * jobsApartMs(workersAtLeast(endpoint, speed), speed) : 0;
  return tookMs > JOBS_MOST_MS && Number.isFinite(tookMs)
    ? grouped`its workers need about ${Math.round(tookMs / 1000)} s for ${jobs} jobs`
    : undefined;
}

/**
 * So many requests above the limit. Where the rate limit is not much larger, as few as can still show that it is not
 * one alone that is refused.
 */
export function extraOf({ value }: Pick<ConcurrencyLimit, 'value'>): number {
  return Math.max(Math.min(EXTRA_LEAST, value), Math.ceil(value * EXTRA_SHARE));
}

/** Held requests, scouts and those from another address apart. */
export function heldRequests(limit: ConcurrencyLimit, table: LimitTable): number {
  const rate = table.find('requests', limit.budget)?.value ?? Number.POSITIVE_INFINITY;
  const most = heldAtMost(limit.value, extraOf(limit), rate);
  // The target may respond to a GET without waiting for its body; the probe then goes on with whole requests.
  const takesNone = operationsOf(limit).some((id) => table.operation(id).methods.every((one) => one === 'GET'));
  return takesNone ? Math.min(rate, most + limit.value + extraOf(limit)) : most;
}

/** What else refuses requests of this budget, for those that send them. */
export function rateLimitOf({ budget }: ConcurrencyLimit, table: LimitTable): Pick<ConcurrencyParameters, 'rateLimit'> {
  const rate = table.find('requests', budget);
  return rate ? { rateLimit: rate.value } : {};
}

/** All of them become jobs at once when they are released, which the queue must be able to take. */
export function queueInTheWay(jobs: number, endpoint: EndpointConfig, context: PlanContext): Reason | undefined {
  if (workersAtLeast(endpoint, context.speed) > 0 && borderOf(endpoint, context) >= jobs) return undefined;
  return needsWorkers(
    Math.max(1, workersForQueue(jobs, context.table)),
    `${jobs} jobs at once would reach the queue's own limit`,
  );
}

/** Interface A is sent POST: an operation that takes no body may respond before it was sent one. */
function operationsOf(limit: ConcurrencyLimit): readonly OperationId[] {
  return limit.operations.filter((id) => id !== 'models');
}

function heldProbe(
  limit: ConcurrencyLimit,
  instId: string,
  checkIds: readonly string[],
  { target, table, speed, withoutInput }: PlanContext,
): PlannedProbe {
  const held = bySpeed(speed, HELD_MS_FOR);
  const operations = operationsOf(limit);
  const otherAddress = limit.per === 'address' ? target.otherAddress : undefined;
  const scouts = operations.some((id) => hasBothMethods(table.operation(id))) ? SCOUT_REQUESTS : 0;
  const own = heldRequests(limit, table) + scouts + (otherAddress === undefined ? 0 : ELSEWHERE_REQUESTS);
  const parameters: ConcurrencyParameters = {
    kind: 'concurrency',
    limitId: limit.id,
    instId,
    operations,
    technique: 'held-body',
    limit: limit.value,
    extra: extraOf(limit),
    holdMs: HELD_MS,
    ...rateLimitOf(limit, table),
    most: own,
    ...(otherAddress === undefined ? {} : { otherAddress }),
    ...(withoutInput === undefined ? {} : { withoutInput }),
  };
  const besides = CONTROL_ROUNDS * CONTROL_REQUESTS + timingsAtMost(own);
  const requests = own + besides;
  const waves = limit.value + parameters.extra;
  return {
    id: limit.id,
    title: grouped`Concurrency of ${operations.join(', ')}: ${limit.value} at once`,
    checkIds,
    parameters,
    retry: { ...parameters, isRetry: true },
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs: Math.ceil(held.base + held.each * waves),
    floorMs: 0,
    exclusive: [`budget:${limit.budget}`],
    shared: heldShares(limit, instId, table),
    spends: heldSpends(limit, own, besides, table),
    usually: heldSpends(limit, Math.min(own, heldUsually(limit.value, extraOf(limit))), besides, table),
    ...(limit.value < LOUD_FROM ? {} : { machine: 'loud' }),
    startsIdle: false,
    sender: 'held',
  };
}

const hasBothMethods = ({ methods }: Operation): boolean => methods.includes('GET') && methods.includes('POST');

function heldShares(limit: ConcurrencyLimit, instId: string, table: LimitTable): Resource[] {
  if (limit.operations.some(isSubmitting)) return [`queue:${instId}`, `workers:${instId}`];
  return usesModels(limit, table) ? ['budget:inference'] : [];
}

/** Of a budget, by the control requests of a probe of it: those of interface B spend none. */
export const controlsSpend = (budget: BudgetId, controls = CONTROL_REQUESTS): number =>
  budget === 'inference' ? controls : 0;

/**
 * Whether it lists models in addition to requests that spend its own rate limit: the controls of an added limit on
 * interface A.
 */
export function usesModels(limit: Limit, table: LimitTable): boolean {
  return limit.budget !== 'inference' && firstOf(limit, table).interface === 'inference';
}

function heldSpends(limit: ConcurrencyLimit, own: number, besides: number, table: LimitTable): Spending {
  const models = usesModels(limit, table) ? { inference: besides } : {};
  return { [limit.budget]: own + controlsSpend(limit.budget, besides), ...models };
}
