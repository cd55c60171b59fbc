/** Queue probes (spec part 7): one for each endpoint whose queue can be filled in reasonable time. */
import { type LimitTable, queueBorder } from '../../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../../schemas/load-checks.ts';
import type { BudgetId } from '../../../schemas/operations.ts';
import type { EndpointConfig } from '../../../schemas/target.ts';
import { FREE_POLL_EVERY_MS, FREE_REQUESTS, pollsAround, RUNS_ELSEWHERE } from '../../k6/lib/queue-costs.ts';
import { mostSteps, usualSteps } from '../../k6/lib/queue-state.ts';
import { bySpeed } from '../../plan/assumptions.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import { queueRule } from '../../plan/endpoints.ts';
import {
  byProfile,
  closedByWorkload,
  needs,
  needsDedicated,
  needsWorkers,
  needsWorkersKnown,
  type Reason,
} from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe } from '../../plan/types.ts';
import type { QueueParameters } from '../../probe.ts';
import { IDLE_MARGIN_MS } from '../rate/timeline.ts';

/**
 * Of what one window allows this share is sent, that many times as fast as the limit's pace; what would be more than
 * that within a window waits until so many have left it.
 */
const SHARE_OF_WINDOW = 0.9;
const FASTER = 8;
const FILL_MOST_MS = 60_000;
/** Two borders distinguish the two numbers of the rule; a larger one shows nothing new. */
const BORDERS_ENOUGH = 2;
/** Holding the workers, synchronous submissions that wait, polling jobs, clean-up. */
const OTHER_MS = { usual: 4000, near: 3000 };
/** Polls of the slow jobs until all of them run. */
const START_POLLS = 64;
const POLLS_PER_WORKER = 3;
/** Health, in addition to that for a job that is taken out, and with another endpoint's; and purges. */
const HEALTH_POLLS = 5;
const PURGES = 3;
/** Of the rate limit of status, for polling purged jobs. */
const SHARE_OF_STATUS = 0.4;
const CONNECTIONS = 20;
const SHARE_OF_AT_ONCE = 0.25;
/** The job that should end soon after the purge runs for so long that the purge certainly comes during it. */
const FINISHER_MS = 1000;
const FINISHER_ROUND_TRIPS = 8;
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
  const probes = chosen.map((endpoint) => queueProbe(endpoint, context));
  const candidates: Candidate[] = probes.map((probe) => ({ checkIds: probe.checkIds, probe }));
  candidates.push(...untried(chosen, context));
  if (chosen.every((one) => one.workersMax === 0)) {
    const because = 'without workers no job runs that a purge could leave alone';
    const missing = closedByWorkload(context.target, 'slow') ?? needsWorkers(1, because);
    candidates.push({ checkIds: [PURGE_KEEPS_RUNNING], missing });
  }
  return candidates;
}

/**
 * The rows of the truth table: the smaller number alone, the larger one from its first worker on, and one of many
 * workers. Rows that are not tried are reported, with the endpoint that they would need.
 */
const TABLE_WORKERS: readonly number[] = [0, 1, 2, 5];

function untried(chosen: readonly Known[], { endpoints, profile, table }: PlanContext): Candidate[] {
  const checkIds = table.of('queue').map((limit) => `${limit.id}.lengths`);
  const lacking = TABLE_WORKERS.filter((workers) => !chosen.some((one) => one.workersMax === workers));
  const there = lacking.filter((workers) => endpoints.some((one) => one.dedicated && one.workersMax === workers));
  const missing = lacking.filter((workers) => !there.includes(workers));
  const words = (all: readonly number[]): string =>
    `WorkersMax ${all.map((workers) => `${workers} (limit ${borderFor(workers, table)})`).join(', ')}`;
  const reasons: Reason[] = [];
  if (missing.length > 0)
    reasons.push(needs(`a dedicated endpoint each with ${words(missing)}: the rest of the table`));
  const why = `it fills the ${BORDERS_ENOUGH} smallest queues only, not those with ${words(there)}; use nightly`;
  if (there.length > 0) reasons.push(byProfile(profile, why));
  return reasons.map((reason) => ({ checkIds, missing: reason }));
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

/** How fast a queue is filled: as many in each of the windows that it takes, so far apart, ms. */
export function pacing(
  workersMax: number,
  table: LimitTable,
): Pick<QueueParameters, 'periodMs' | 'perWindow' | 'idleMs'> {
  const rate = table.find('requests', 'run');
  if (!rate) throw new Error('the limits table has no rate limit for run');
  const inAll = usualSteps(borderFor(workersMax, table)).run + workersMax + 1;
  const windows = Math.ceil(inAll / (rate.value * SHARE_OF_WINDOW));
  return {
    periodMs: rate.windowMs / rate.value / FASTER,
    // The less of one that it takes, the more others have.
    perWindow: Math.ceil(inAll / windows),
    idleMs: rate.windowMs + IDLE_MARGIN_MS,
  };
}

/** Submissions of `run` in the whole course: the slow jobs, those up to the border and beyond, one after the purge. */
const runsMost = (workersMax: number, table: LimitTable): number =>
  mostSteps(borderFor(workersMax, table)).run + workersMax + 1;

function fillMs(workersMax: number, table: LimitTable): number {
  const { periodMs, perWindow, idleMs } = pacing(workersMax, table);
  const border = borderFor(workersMax, table);
  return Math.floor(border / perWindow) * idleMs + (border % perWindow) * periodMs;
}

function whyNone({ target, endpoints, table }: PlanContext): Reason {
  const dedicated = endpoints.filter((one) => one.dedicated);
  if (dedicated.length === 0) return needsDedicated('its queue is filled to its limit and purged');
  if (!dedicated.some(isKnown)) return needsWorkersKnown("the queue's border depends on it");
  const lacking = closedByWorkload(target, 'slow');
  if (lacking) return lacking;
  let most = 0;
  while (fillMs(most + 1, table) <= FILL_MOST_MS) most += 1;
  return needs(`an endpoint with WorkersMax <= ${most}: filling a longer queue within the rate limit takes too long`);
}

function queueProbe(endpoint: Known, { endpoints, table, speed }: PlanContext): PlannedProbe {
  const { instId, workersMax } = endpoint;
  const checkIds = queueCheckIds(table);
  const [other] = endpoints
    .filter((one) => one.dedicated && one.instId !== instId)
    // The shorter its queue may be, the sooner it is full by what waits elsewhere.
    .sort((a, b) => (a.workersMax ?? Infinity) - (b.workersMax ?? Infinity));
  const parameters = { ...queueParameters(endpoint, table, speed.roundTripMs), otherInstId: other?.instId };
  const elsewhere = other ? RUNS_ELSEWHERE.meanwhile + RUNS_ELSEWHERE.later : 0;
  const { border, finisherMs, pollsMost } = parameters;
  const [steps, usual] = [mostSteps(border), usualSteps(border)];
  const fillingMs = Math.ceil(fillMs(workersMax, table));
  const otherPolls =
    START_POLLS +
    POLLS_PER_WORKER * workersMax +
    steps.runsync +
    Math.min(pollsMost, steps.run) +
    pollsAround(finisherMs);
  const all = {
    run: runsMost(workersMax, table) + elsewhere,
    runsync: steps.runsync,
    status: otherPolls + steps.free * FREE_REQUESTS.status,
    cancel: workersMax + steps.free + 2 + elsewhere,
    'purge-queue': PURGES,
  };
  const health = HEALTH_POLLS + steps.runsync + steps.free * FREE_REQUESTS.health;
  const requests = Object.values(all).reduce((sum, count) => sum + count, health);
  const perWindow = parameters.perWindow + workersMax + elsewhere;
  const spends = {
    ...all,
    run: Math.min(all.run, perWindow),
    status: Math.min(all.status, otherPolls + freePollsInWindow(steps.free, table)),
    // Two purges of one probe are a window apart.
    'purge-queue': 1,
  };
  return {
    id: `queue.${instId}`,
    title: `Queue limit and purge on ${instId}: WorkersMax ${workersMax}, limit ${border}`,
    checkIds: workersMax > 0 ? checkIds : checkIds.filter((id) => id !== PURGE_KEEPS_RUNNING),
    parameters,
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs: fillingMs + (workersMax > 0 ? finisherMs : 0) + bySpeed(speed, OTHER_MS),
    floorMs: fillingMs,
    // Its queue and its workers are its own; at the same time as others it runs as long as both stay within the limits.
    exclusive: [`queue:${instId}`, `workers:${instId}`],
    shared: ['budget:run', 'budget:runsync', 'budget:status', 'budget:cancel', 'budget:purge-queue'],
    spends,
    usually: {
      run: Math.min(usual.run + workersMax + 1, perWindow),
      runsync: usual.runsync,
      // One poll of each job that was purged, and some of the slow ones and of those around the purge.
      status: Math.min(border, pollsMost) + POLLS_PER_WORKER * workersMax + START_POLLS,
      cancel: workersMax + usual.free + 1,
      'purge-queue': 1,
    },
    startsIdle: false,
    sender: 'k6',
  };
}

/** One that is not gone is polled again after a pause, so only so many polls come within one window. */
function freePollsInWindow(freed: number, table: LimitTable): number {
  const windowMs = table.find('requests', 'status')?.windowMs ?? Number.POSITIVE_INFINITY;
  return freed + Math.ceil(windowMs / FREE_POLL_EVERY_MS);
}

/**
 * Beyond the smaller of the rule's two numbers, where an answer that takes a second holds up nothing: when the next `run`
 * has to wait for the window anyway.
 */
function runsyncAt(border: number, small: number, perWindow: number): number | undefined {
  if (border <= small) return undefined;
  return Math.max(small + 2, border > perWindow ? perWindow - 1 : 0);
}

/** At the same time: as many connections as one k6 user opens to a host, and far from the limit on requests at once. */
function together(budget: BudgetId, table: LimitTable): number {
  const atOnce = table.find('concurrent-requests', budget)?.value ?? Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(CONNECTIONS, Math.floor(atOnce * SHARE_OF_AT_ONCE)));
}

function queueParameters(endpoint: Known, table: LimitTable, roundTripMs: number): QueueParameters {
  const pace = pacing(endpoint.workersMax, table);
  const cancel = table.find('requests', 'cancel');
  const polls = table.find('requests', 'status');
  const { value, status } = queueRule(table);
  return {
    kind: 'queue',
    instId: endpoint.instId,
    workersMax: endpoint.workersMax,
    border: borderFor(endpoint.workersMax, table),
    runsyncAt: runsyncAt(borderFor(endpoint.workersMax, table), value, pace.perWindow),
    refusal: status,
    ...pace,
    cancelPeriodMs: cancel ? (cancel.windowMs / cancel.value) * CANCEL_SLACK : 0,
    finisherMs: Math.ceil(Math.max(FINISHER_MS, FINISHER_ROUND_TRIPS * roundTripMs)),
    together: together('run', table),
    pollsTogether: together('status', table),
    pollsMost: polls ? Math.floor(polls.value * SHARE_OF_STATUS) : Number.MAX_SAFE_INTEGER,
    slowJobMs: 2 * (Math.ceil(fillMs(endpoint.workersMax, table)) + 2 * pace.idleMs) + SLOW_JOB_RESERVE_MS,
  };
}
