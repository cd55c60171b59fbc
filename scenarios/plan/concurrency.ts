/**
 * Concurrency probes (design part 5, concurrency): requests held open by their last byte for every limit, and whole
 * requests to the operations that wait by themselves, for targets that count a request only once its body is there.
 */
import type { ConcurrencyLimit, LimitTable } from '../../schemas/limits.ts';
import type { BudgetId, OperationId } from '../../schemas/operations.ts';
import type { EndpointConfig } from '../../schemas/target.ts';
import { CONTROL_REQUESTS } from '../execute/control.ts';
import type { ConcurrencyParameters, Resource } from '../probe.ts';
import { workersAtLeast } from './assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from './context.ts';
import { SETUP_MOST } from './counts.ts';
import { borderOf, workersForQueue } from './endpoints.ts';
import { closedByWorkload, needs, needsWorkers, type Reason } from './reasons.ts';
import type { Candidate, PlannedProbe, Spending } from './types.ts';

const EXTRA_LEAST = 3;
const EXTRA_SHARE = 0.05;
const HELD_MS = 1000;
const HELD_BASE_MS = 3000;
const HELD_PER_REQUEST_MS = 4;
/** One after a slot was freed, one that is aborted, and some tries of the slot that it held. */
const FREED_REQUESTS = 6;

export function heldCandidate(limit: ConcurrencyLimit, context: PlanContext): Candidate {
  const checkIds = checkIdsOf(limit);
  const jobs = limit.per === 'endpoint';
  const endpoint = context.endpoints[0];
  const requests = heldRequests(limit, context.table);
  const closed =
    (jobs && (submits(limit.budget) || prepares(limit.budget)) && closedByWorkload(context.target, 'quick')) ||
    (jobs && submits(limit.budget) && endpoint && queueInTheWay(requests, endpoint, context)) ||
    undefined;
  if (closed) return { checkIds, missing: closed };
  const rate = context.table.find('requests', limit.budget)?.value ?? Number.POSITIVE_INFINITY;
  if (limit.value + extraOf(limit) + 2 > rate) {
    return { checkIds, missing: needs(`a rate limit above ${limit.value + extraOf(limit) + 2} requests`) };
  }
  return { checkIds, probe: heldProbe(limit, endpoint?.instId ?? '', checkIds, context.table) };
}

/**
 * So many requests above the limit. Where the rate limit is not much larger, as few as can still show that it is not
 * one alone that is refused.
 */
export function extraOf({ value }: Pick<ConcurrencyLimit, 'value'>): number {
  return Math.max(Math.min(EXTRA_LEAST, value), Math.ceil(value * EXTRA_SHARE));
}

export function heldRequests(limit: ConcurrencyLimit, table: LimitTable): number {
  const rate = table.find('requests', limit.budget)?.value ?? Number.POSITIVE_INFINITY;
  return Math.min(rate, limit.value + extraOf(limit) + FREED_REQUESTS);
}

/** What else refuses requests of this budget, for those that send them. */
export function rateLimitOf({ budget }: ConcurrencyLimit, table: LimitTable): Pick<ConcurrencyParameters, 'rateLimit'> {
  const rate = table.find('requests', budget);
  return rate ? { rateLimit: rate.value } : {};
}

export const submits = (budget: BudgetId): boolean => budget === 'run' || budget === 'runsync';

/** Its operations are asked about one quick job. */
const prepares = (budget: BudgetId): boolean => budget === 'status' || budget === 'cancel';

/** All of them become jobs at once when they are released, which the queue must be able to take. */
export function queueInTheWay(jobs: number, endpoint: EndpointConfig, context: PlanContext): Reason | undefined {
  if (workersAtLeast(endpoint, context.speed) > 0 && borderOf(endpoint, context) >= jobs) return undefined;
  return needsWorkers(
    Math.max(1, workersForQueue(jobs, context.table)),
    `${jobs} jobs at once would reach the queue's own limit`,
  );
}

/** Interface A is asked by POST: an operation that takes no body may answer before it was sent one. */
function operationsOf(limit: ConcurrencyLimit): readonly OperationId[] {
  return limit.operations.filter((id) => id !== 'models');
}

function heldProbe(
  limit: ConcurrencyLimit,
  instId: string,
  checkIds: readonly string[],
  table: LimitTable,
): PlannedProbe {
  const parameters: ConcurrencyParameters = {
    kind: 'concurrency',
    limitId: limit.id,
    instId,
    operations: operationsOf(limit),
    technique: 'held-body',
    limit: limit.value,
    extra: extraOf(limit),
    holdMs: HELD_MS,
    ...rateLimitOf(limit, table),
  };
  const prepared = prepares(limit.budget);
  const own = heldRequests(limit, table);
  const requests = own + CONTROL_REQUESTS + (prepared ? SETUP_MOST : 0);
  return {
    id: limit.id,
    title: `Concurrency of ${parameters.operations.join(', ')}: ${limit.value} at once`,
    checkIds,
    parameters,
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs: HELD_BASE_MS + HELD_PER_REQUEST_MS * own,
    floorMs: 0,
    exclusive: [`budget:${limit.budget}`],
    shared: heldShares(limit.budget, instId),
    spends: heldSpends(limit.budget, own),
    startsIdle: false,
    sender: 'held',
  };
}

function heldShares(budget: BudgetId, instId: string): Resource[] {
  if (submits(budget)) return [`queue:${instId}`, `workers:${instId}`];
  return prepares(budget) ? ['budget:run', `workers:${instId}`] : [];
}

/** Of a budget, by the control requests of a probe of it: those of interface B spend none. */
export const controlsSpend = (budget: BudgetId): number => (budget === 'inference' ? CONTROL_REQUESTS : 0);

function heldSpends(budget: BudgetId, own: number): Spending {
  if (!prepares(budget)) return { [budget]: own + controlsSpend(budget) };
  return { [budget]: budget === 'status' ? own + SETUP_MOST : own, run: 1 };
}
