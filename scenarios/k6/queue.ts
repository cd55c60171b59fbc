/**
 * Queue limit: every worker is held by a slow job, so that accepted jobs stay in the queue and its length is known;
 * then one submission at a time until the border is found, a purge, and a look at what the purge did.
 */
import type { Options } from 'k6/options';
import { isSuccess } from '../../schemas/status.ts';
import { outgoing } from '../execute/requests.ts';
import { now, sleepUntil } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { guardedAsync } from './lib/guard.ts';
import { type Answer, send, sendLeavingOpen, sendTogether } from './lib/http.ts';
import { finalState, type JobState, jobIdOf, jobState } from './lib/job-state.ts';
import { awaitState, look, submit, submitSlow } from './lib/jobs.ts';
import { markEnd, markStart } from './lib/ledger.ts';
import { onePerVu, scriptOptions } from './lib/options.ts';
import {
  advance,
  advanceTogether,
  loseHold,
  type QueueState,
  type Submission,
  type SubmissionFate,
  startFilling,
  submitTogether,
} from './lib/queue-steps.ts';

interface Prepared {
  readonly zeroWallMs: number;
}

const { probe, addresses, patienceMs } = readParameters('queue');
const rule = { border: probe.border, smallBorder: probe.smallBorder };
const START_PATIENCE_MS = 30_000;
/** `runsync` is asked to answer within the shortest wait that clients use; a refusal comes at once. */
const RUNSYNC_WAIT_MS = 1000;
const RUNSYNC_PATIENCE_MS = 1500;
/** Where the target does not know the wait, its job stays queued only as long as its client does: to the purge. */
const RUNSYNC_OPEN_MS = probe.border * probe.periodMs + 2 * probe.idleMs + 15_000;
const SAMPLES = 5;

export const options: Options = scriptOptions({ queue: onePerVu('queue', 1, patienceMs) }, patienceMs, addresses);

export function setup(): Prepared {
  return { zeroWallMs: markStart() };
}

export const queue = guardedAsync(async (): Promise<void> => {
  const emptied = isSuccess(send(outgoing(addresses, 'purge-queue'), { phase: 'purge-before' }).status);
  const holdUntilMs = now() + probe.slowJobMs;
  const slow = startSlowJobs();
  const busy = slow.filter((jobId) => look(addresses, 'held', jobId, busyOrIdle) === 'running');
  const waiting = emptied ? slow.length - busy.length : Number.POSITIVE_INFINITY;
  const state = startFilling(busy.length >= probe.workersMax, waiting);
  const queued = await fill(state, holdUntilMs);
  const purged = purgeAndLook(busy, queued);
  cleanUp(slow, purged);
});

export function teardown({ zeroWallMs }: Prepared): void {
  markEnd(zeroWallMs);
}

function startSlowJobs(): string[] {
  const started: string[] = [];
  for (let index = 0; index < probe.workersMax; index += 1) {
    const jobId = submitSlow(addresses, 'hold', probe.slowJobMs);
    if (jobId !== null) started.push(jobId);
    sleepUntil(now() + probe.periodMs);
  }
  const untilMs = now() + START_PATIENCE_MS;
  for (const jobId of started) awaitState(addresses, jobId, ['running', 'finished'], untilMs - now());
  return started;
}

interface Queued {
  readonly jobIds: readonly string[];
  readonly length: number;
}

/** On an absolute schedule, so that the pace holds however long the answers take. */
async function fill(from: QueueState, holdUntilMs: number): Promise<Queued> {
  const jobIds: string[] = [];
  let state = from;
  let latencyMs = 0;
  for (let dueMs = now(); now() < patienceMs; ) {
    const step = state.next;
    if (step.kind === 'stop') break;
    if (step.kind === 'idle') {
      sleepUntil(now() + probe.idleMs);
      dueMs = now();
      state = advance(state, rule, 'other');
      continue;
    }
    sleepUntil(dueMs);
    const count = submitTogether(state, rule, latencyMs, probe.periodMs);
    dueMs = Math.max(dueMs + count * probe.periodMs * state.slowdown, now());
    if (now() >= holdUntilMs) state = loseHold(state);
    const { operation, phase } = step;
    if (count > 1) {
      const answers = submitSeveral(count, phase, `${state.min}:${state.max + count - 1}`);
      jobIds.push(...answers.flatMap(({ body }) => jobIdOf(body) ?? []));
      state = advanceTogether(state, rule, answers.map(fateOf));
      continue;
    }
    const answer = await submitOne(operation, phase, `${state.min}:${state.max}`);
    if (operation === 'run') latencyMs = answer.firstByteMs - answer.sentMs;
    const jobId = jobIdOf(answer.body);
    if (operation === 'run' && jobId !== null) jobIds.push(jobId);
    state = advance(state, rule, fateOf(answer));
  }
  return { jobIds, length: state.workersHeld ? state.min : state.max };
}

function submitSeveral(count: number, phase: string, note: string): Answer[] {
  const requests = Array.from({ length: count }, () => outgoing(addresses, 'run'));
  return sendTogether(requests, { phase, keepBody: true, note: () => note });
}

async function submitOne(operation: Submission, phase: string, note: string): Promise<Answer> {
  const options = { phase, keepBody: true, note: () => note };
  if (operation === 'run') return send(outgoing(addresses, operation), options);
  const request = outgoing(addresses, operation, { query: { wait: RUNSYNC_WAIT_MS } });
  return sendLeavingOpen(request, { ...options, timeoutMs: RUNSYNC_OPEN_MS }, RUNSYNC_PATIENCE_MS);
}

function fateOf({ status, error, body }: Answer): SubmissionFate {
  if (status === probe.refusal) return 'refused';
  if (isSuccess(status)) return jobState(body) === 'finished' ? 'done' : 'accepted';
  return status === 0 && error === 'timeout' ? 'unanswered' : 'other';
}

/** Returns whether the purge was accepted. */
function purgeAndLook(busy: readonly string[], queued: Queued): boolean {
  const note = String(queued.length);
  const { status } = send(outgoing(addresses, 'purge-queue'), { phase: 'purge', note: () => note });
  for (const jobId of spread(queued.jobIds, SAMPLES)) lookAfterPurge('cleared', jobId, clearedOrQueued);
  for (const jobId of busy) lookAfterPurge('kept', jobId, keptOrGone);
  const next = submit(addresses, 'next');
  if (next !== null) send(outgoing(addresses, 'cancel', { jobId: next }), { phase: 'clean-up' });
  return isSuccess(status);
}

/** Gives the workers back; a purge that was refused is tried once more after an idle window. */
function cleanUp(slow: readonly string[], purged: boolean): void {
  if (!purged) {
    sleepUntil(now() + probe.idleMs);
    send(outgoing(addresses, 'purge-queue'), { phase: 'clean-up' });
  }
  for (const jobId of slow) {
    send(outgoing(addresses, 'cancel', { jobId }), { phase: 'clean-up' });
    sleepUntil(now() + probe.cancelPeriodMs);
  }
}

function lookAfterPurge(phase: string, jobId: string, word: (answer: Answer) => string): void {
  send(outgoing(addresses, 'status', { jobId }), { phase, keepBody: true, note: word });
}

function busyOrIdle(state: JobState): string {
  if (state === 'unknown') return 'unknown';
  return state === 'running' ? 'busy' : 'idle';
}

/** A purged job may be cancelled or forgotten. One that has run meanwhile was neither queued nor cleared. */
function clearedOrQueued({ status, body }: Answer): string {
  if (status === 404 || finalState(body) === 'CANCELLED') return 'cleared';
  return jobState(body) === 'queued' ? 'queued' : 'unknown';
}

function keptOrGone({ status, body }: Answer): string {
  if (jobState(body) === 'running' || finalState(body) === 'COMPLETED') return 'kept';
  return status === 404 || jobState(body) !== 'unknown' ? 'gone' : 'unknown';
}

/** Up to `count` of the items, first and last among them, evenly spread. */
function spread<T>(items: readonly T[], count: number): T[] {
  const most = Math.min(count, items.length);
  const at = (index: number) => (most > 1 ? Math.round((index * (items.length - 1)) / (most - 1)) : 0);
  return Array.from({ length: most }, (_, index) => items[at(index)]).filter((item) => item !== undefined);
}
