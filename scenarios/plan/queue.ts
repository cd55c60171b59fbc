/** Queue probes (spec part 7, design part 5): one for each endpoint whose queue can be filled in reasonable time. */
import { type LimitTable, queueBorder } from '../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../schemas/load-checks.ts';
import type { EndpointConfig } from '../../schemas/target.ts';
import type { QueueParameters } from '../probe.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from './context.ts';
import { queueRule } from './endpoints.ts';
import { closedByWorkload, needs, needsDedicated, needsWorkers, needsWorkersKnown, type Reason } from './reasons.ts';
import { IDLE_MARGIN_MS } from './timeline.ts';
import type { Candidate, PlannedProbe } from './types.ts';

/** So much slower than the rate limit of run allows. */
const PACE_SLACK = 1.12;
const FILL_MOST_MS = 60_000;
/** Two borders tell the two numbers of the rule apart; a larger one shows nothing new. */
const BORDERS_ENOUGH = 2;
/** Purging, holding the workers, looking at jobs, clean-up. */
const OTHER_MS = 5000;
const LOOKS_LEAST = 80;
const LOOKS_PER_WORKER = 6;
const SUBMISSIONS_BEYOND = 20;
/** The slow jobs must be running to the very end, also when everything takes longer than planned. */
const SLOW_JOB_RESERVE_MS = 60_000;

/** So much slower than the rate limit of cancel allows. */
const CANCEL_SLACK = 1.2;

export function queueCheckIds(table: LimitTable): readonly string[] {
  return [...table.of('queue').flatMap(checkIdsOf), PURGE_CLEARS, PURGE_KEEPS_RUNNING];
}

export function queueCandidates(context: PlanContext): Candidate[] {
  const checkIds = queueCheckIds(context.table);
  const lacking = closedByWorkload(context.target, 'quick');
  if (lacking) return [{ checkIds, missing: lacking }];
  const chosen = chooseEndpoints(context);
  if (chosen.length === 0) return [{ checkIds, missing: whyNone(context) }];
  const probes = chosen.map((endpoint) => queueProbe(endpoint, endpoint.workersMax, context.table));
  const candidates: Candidate[] = probes.map((probe) => ({ checkIds: probe.checkIds, probe }));
  if (chosen.every((one) => one.workersMax === 0)) {
    const because = 'without workers no job runs that a purge could leave alone';
    const missing = closedByWorkload(context.target, 'slow') ?? needsWorkers(1, because);
    candidates.push({ checkIds: [PURGE_KEEPS_RUNNING], missing });
  }
  return candidates;
}

type Known = EndpointConfig & { readonly workersMax: number };

const isKnown = (one: EndpointConfig): one is Known => one.workersMax !== null;
const borderFor = (workersMax: number, table: LimitTable): number => queueBorder(queueRule(table), workersMax);

/** Smallest borders first; where no slow job can hold the workers, only an endpoint without any.
 *  a border is tried once, however many endpoints have it. */
function chooseEndpoints({ target, endpoints, profile, table }: PlanContext): Known[] {
  const holds = closedByWorkload(target, 'slow') === undefined;
  const fillable = endpoints
    .filter((one) => one.dedicated)
    .filter(isKnown)
    .filter(({ workersMax }) => holds || workersMax === 0)
    .filter(({ workersMax }) => fillMs(workersMax, table) <= FILL_MOST_MS)
    .sort((a, b) => a.workersMax - b.workersMax);
  const distinct = fillable.filter(
    (one, index) =>
      fillable.findIndex(({ workersMax }) => borderFor(workersMax, table) === borderFor(one.workersMax, table)) ===
      index,
  );
  return profile === 'nightly' ? distinct : distinct.slice(0, BORDERS_ENOUGH);
}

export function fillPeriodMs(table: LimitTable): number {
  const rate = table.find('requests', 'run');
  if (!rate) throw new Error('the limits table has no rate limit for run');
  return (rate.windowMs / rate.value) * PACE_SLACK;
}

const fillMs = (workersMax: number, table: LimitTable): number => borderFor(workersMax, table) * fillPeriodMs(table);

function whyNone({ target, endpoints, table }: PlanContext): Reason {
  const dedicated = endpoints.filter((one) => one.dedicated);
  if (dedicated.length === 0) return needsDedicated('its queue is filled to the border and purged');
  if (!dedicated.some(isKnown)) return needsWorkersKnown("the queue's border depends on it");
  const lacking = closedByWorkload(target, 'slow');
  if (lacking) return lacking;
  let most = 0;
  while (fillMs(most + 1, table) <= FILL_MOST_MS) most += 1;
  return needs(`an endpoint with WorkersMax <= ${most}: filling a longer queue within the rate limit takes too long`);
}

function queueProbe(endpoint: EndpointConfig, workersMax: number, table: LimitTable): PlannedProbe {
  const rate = table.find('requests', 'run');
  const cancel = table.find('requests', 'cancel');
  const { value, status } = queueRule(table);
  const checkIds = queueCheckIds(table);
  const idleMs = (rate?.windowMs ?? 0) + IDLE_MARGIN_MS;
  const fillingMs = Math.ceil(fillMs(workersMax, table));
  const border = borderFor(workersMax, table);
  const { instId } = endpoint;
  const parameters: QueueParameters = {
    kind: 'queue',
    instId,
    workersMax,
    border,
    smallBorder: value,
    refusal: status,
    periodMs: fillPeriodMs(table),
    idleMs,
    cancelPeriodMs: cancel ? (cancel.windowMs / cancel.value) * CANCEL_SLACK : 0,
    slowJobMs: 2 * (fillingMs + 2 * idleMs) + SLOW_JOB_RESERVE_MS,
  };
  const looks = LOOKS_LEAST + LOOKS_PER_WORKER * workersMax;
  const requests = border + SUBMISSIONS_BEYOND + looks;
  return {
    id: `queue.${instId}`,
    title: `Queue limit and purge on ${instId}: WorkersMax ${workersMax}, border ${border}`,
    checkIds: workersMax > 0 ? checkIds : checkIds.filter((id) => id !== PURGE_KEEPS_RUNNING),
    parameters,
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs: fillingMs + idleMs + OTHER_MS,
    floorMs: fillingMs + idleMs,
    // Two that fill at once would double the rate, if endpoints are counted together: `purge-queue` keeps them apart.
    exclusive: ['budget:purge-queue', `queue:${instId}`, `workers:${instId}`],
    shared: ['budget:run', 'budget:runsync', 'budget:status', 'budget:cancel'],
    spends: {
      run: Math.min(border + SUBMISSIONS_BEYOND, Math.ceil((rate?.value ?? 0) / PACE_SLACK) + SUBMISSIONS_BEYOND),
      runsync: SUBMISSIONS_BEYOND,
      status: looks,
      cancel: workersMax + 2,
      'purge-queue': 2,
    },
    startsIdle: false,
    sender: 'k6',
  };
}
