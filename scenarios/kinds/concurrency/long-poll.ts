/** The long-poll probes: as many whole requests at once as the limit allows, to operations that wait by themselves. */
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { type BudgetId, isSubmitting, mayHold, type OperationId } from '../../../schemas/operations.ts';
import type { EndpointConfig } from '../../../schemas/target.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { CONTROL_REQUESTS } from '../../execute/control.ts';
import { bySpeed, workersAtLeast } from '../../plan/assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import {
  closedByWorkload,
  needsDedicated,
  needsWorkers,
  needsWorkersKnown,
  type Reason,
  tooSlow,
} from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe, Spending } from '../../plan/types.ts';
import type { ConcurrencyParameters, Resource } from '../../probe.ts';
import { PROCESS_MS } from '../rate/plan.ts';
import { LONG_POLL_TRIES, WAITED_ON } from './held/amounts.ts';
import { controlsSpend, extraOf, jobsTakeLong, queueInTheWay, rateLimitOf } from './plan.ts';

/** It waits for no job, and takes as long as its tokens. */
export const LONG_ANSWER: OperationId = 'chat';

const HOLD_BASE_MS = 5000;
const HOLD_PER_REQUEST_MS = 3;
const HOLD_ROUND_TRIPS = 10;
/** Both waves and what shows that they arrived, and that slots become free; the slow jobs are cancelled then. */
const WAVES_MS = { usual: 5000, near: 4500 };
/** From when both waves met: for the control requests, however busy this machine is. */
const ABORT_AFTER_MS = 1000;
/** Of a slot that an abort freed, again once its job has ended, and of one that an answer did. */
const TRIES = 3 * LONG_POLL_TRIES;
/** Whether a quick operation of the same limit is refused when all slots are taken. */
const QUICK = 1;
/** A long response of interface A is awaited twice, since it can't be cut short; longer ones are no surprise. */
export const LONG_ANSWER_MS = 5200;
/** When the slow jobs are expected to run, and to be known to: only up to then other budgets are used. */
const SLOW_JOBS_RUN_MS = 1000;
/** Slow jobs that make the others wait: submitting each, and watching until all run. */
const MOST_POLLS = 12;
const PREPARATION_PER_WORKER = 3;
/** Together with the second wave, to an operation without a limit. */
const POLLS = 1;
/** Where the first long answer does not take long enough: one of more tokens, and one as a stream. */
const LONGER_ANSWERS = 2;

/** None for a limit whose operations do not wait. */
export function longPollCandidates(limit: ConcurrencyLimit, context: PlanContext): Candidate[] {
  const operations = limit.operations.filter((id) => id === LONG_ANSWER || mayHold(id));
  if (operations.length === 0) return [];
  const checkIds = longPollCheckIds(limit);
  const chosen = choose(limit, context);
  if ('missing' in chosen) return [{ checkIds, missing: chosen.missing }];
  return [{ checkIds, probe: longPollProbe(limit, chosen, operations, context) }];
}

/** Other addresses are measured by the held requests. */
const longPollCheckIds = (limit: ConcurrencyLimit): string[] =>
  checkIdsOf(limit).filter((id) => /\.(guarantee|enforced|freed|refusal)$/.test(id));

type Choice = { readonly instId: string; readonly workers: number } | { readonly missing: Reason };

function choose(limit: ConcurrencyLimit, context: PlanContext): Choice {
  if (limit.budget === 'inference') return { instId: '', workers: 0 };
  return limit.operations.some(isSubmitting) ? forRunsync(limit, context) : forStatus(context);
}

/** Every worker must be held by a slow job, so that no runsync is answered before it should be. */
function forRunsync(limit: ConcurrencyLimit, context: PlanContext): Choice {
  const lacking = closedByWorkload(context.target, 'quick', 'slow');
  if (lacking) return { missing: lacking };
  const dedicated = context.endpoints.filter((one) => one.dedicated);
  if (dedicated.length === 0) return { missing: needsDedicated('all its workers are kept busy with slow jobs') };
  const [known] = dedicated.filter(({ workersMax }) => workersMax !== null && workersMax > 0);
  if (!known) {
    const unknown = dedicated.some(({ workersMax }) => workersMax === null);
    const because = 'so many slow jobs keep its workers busy';
    return {
      missing: unknown ? needsWorkersKnown(because) : needsWorkers(1, 'no runsync is answered without workers'),
    };
  }
  const workers = known.workersMax ?? 0;
  const jobs = limit.value + extraOf(limit) + TRIES + workers;
  const closed = queueInTheWay(jobs, known, context);
  if (closed) return { missing: closed };
  const slow = jobsTakeLong(jobs, limit, known, context.speed);
  return slow ? { missing: tooSlow(slow, 'deploy a quicker handler') } : { instId: known.instId, workers };
}

/** It need not be an endpoint of one's own for that. */
function forStatus(context: PlanContext): Choice {
  const lacking = closedByWorkload(context.target, 'slow');
  if (lacking) return { missing: lacking };
  const usable = statusEndpoint(context);
  if (!usable) return { missing: needsWorkers(1, 'only a job that runs makes status-sync and stream wait') };
  return { instId: usable.instId, workers: Math.min(WAITED_ON, usable.workersMax ?? 1) };
}

/** Rather not the one whose workers are all held for `runsync`, so that both can wait at the same time. */
function statusEndpoint({ endpoints, speed }: PlanContext): EndpointConfig | undefined {
  const usable = endpoints.filter((one) => workersAtLeast(one, speed) > 0);
  const [first] = usable.filter(({ dedicated, workersMax }) => dedicated && workersMax !== null);
  return usable.find((one) => one !== first) ?? usable[0];
}

function longPollProbe(
  limit: ConcurrencyLimit,
  { instId, workers }: { readonly instId: string; readonly workers: number },
  operations: readonly OperationId[],
  context: PlanContext,
): PlannedProbe {
  const quick = limit.operations.find(
    (id) => !operations.includes(id) && context.table.operation(id).interface === 'jobs',
  );
  const parameters: ConcurrencyParameters = {
    kind: 'concurrency',
    limitId: limit.id,
    instId,
    operations,
    technique: 'long-poll',
    limit: limit.value,
    extra: extraOf(limit),
    holdMs: Math.round(HOLD_BASE_MS + HOLD_PER_REQUEST_MS * limit.value + HOLD_ROUND_TRIPS * context.speed.roundTripMs),
    abortAfterMs: Math.round(ABORT_AFTER_MS + HOLD_ROUND_TRIPS * context.speed.roundTripMs),
    ...(quick === undefined ? {} : { quick }),
    ...rateLimitOf(limit, context.table),
  };
  const own = limit.value + parameters.extra + TRIES + (quick === undefined ? 0 : QUICK);
  const jobs = limit.per === 'endpoint';
  const preparation = jobs ? MOST_POLLS + PREPARATION_PER_WORKER * workers : 0;
  const requests = own + CONTROL_REQUESTS + preparation + (jobs ? workers + POLLS : LONGER_ANSWERS);
  const on: Resource[] = jobs ? [`queue:${instId}`, `workers:${instId}`] : [];
  const workersMax = context.endpoints.find((one) => one.instId === instId)?.workersMax ?? workers;
  // Where a worker is left, quick jobs of others still run.
  const takesAll = workers >= workersMax;
  const waitsMs = HOLD_ROUND_TRIPS * context.speed.roundTripMs;
  const sendingMs = jobs ? SLOW_JOBS_RUN_MS + bySpeed(context.speed, WAVES_MS) + waitsMs : 2 * LONG_ANSWER_MS + waitsMs;
  return {
    id: `${limit.id}.long-poll`,
    title: grouped`Concurrency of ${operations.join(', ')}: ${limit.value} long-polling requests`,
    checkIds: longPollCheckIds(limit),
    parameters,
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs: Math.ceil(sendingMs) + PROCESS_MS,
    floorMs: 0,
    exclusive: [`budget:${limit.budget}`, ...(takesAll ? on : [])],
    shared: jobs ? ['budget:cancel', ...(takesAll ? [] : on)] : [],
    ...(jobs ? { early: { resources: preparing(limit.budget), estimateMs: SLOW_JOBS_RUN_MS } } : {}),
    machine: 'loud',
    spends: jobs
      ? spendsOf(limit.budget, own, preparation, workers)
      : { inference: own + LONGER_ANSWERS + controlsSpend(limit.budget) },
    startsIdle: false,
    sender: 'k6',
  };
}

/** Slow jobs are submitted and watched. */
function preparing(own: BudgetId): Resource[] {
  const used: readonly BudgetId[] = ['run', 'status'];
  return used.filter((budget) => budget !== own).map((budget): Resource => `budget:${budget}`);
}

function spendsOf(budget: BudgetId, own: number, preparation: number, workers: number): Spending {
  const slowJobs = { run: workers, status: preparation, cancel: workers };
  return { ...slowJobs, [budget]: own + (budget === 'status' ? preparation : 0) };
}
