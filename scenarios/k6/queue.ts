/**
 * Queue limit: every worker is held by a slow job, so that accepted jobs stay in the queue and its length is known;
 * then one submission at a time until the border is found and, by taking jobs of ours out again, found from above; a
 * purge while one job runs that ends soon, and polls of what the purge did.
 */
import type { Options } from 'k6/options';
import type { JobState } from '../../schemas/job-answer.ts';
import { isSuccess } from '../../schemas/status.ts';
import { outgoing, slowJob } from '../execute/requests.ts';
import { now, sleepUntil } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { guardedAsync } from './lib/guard.ts';
import { type Answer, send, sendLeavingOpen, sendTogether } from './lib/http.ts';
import { hasEnded, jobIdIn } from './lib/job-state.ts';
import { awaitStart, readStatus, submitSlow } from './lib/jobs.ts';
import { markEnd, markStart, recordOwnJob } from './lib/ledger.ts';
import { onePerVu, scriptOptions } from './lib/options.ts';
import { countQueued, takeOut } from './lib/queue-polls.ts';
import { cleanUp, purgeAndPoll } from './lib/queue-purge.ts';
import { loseHold, type QueueState, type Submission, type SubmissionFate, startFilling } from './lib/queue-state.ts';
import { advance, advanceTogether, submitTogether } from './lib/queue-steps.ts';

interface Prepared {
  readonly zeroWallMs: number;
}

const { probe, addresses, patienceMs } = readParameters('queue');
const rule = { border: probe.border, runsyncAt: probe.runsyncAt, together: probe.together };
const START_PATIENCE_MS = 30_000;
/** `runsync` should respond within the shortest wait that clients use; a refusal comes at once. */
const RUNSYNC_WAIT_MS = 1000;
const RUNSYNC_PATIENCE_MS = 1500;
const PATIENCE_LATENCIES = 5;
/** Where the target does not know the wait, its job stays queued only as long as its client does: to the purge. */
const RUNSYNC_OPEN_MS = (Math.ceil(probe.border / probe.perWindow) + 2) * probe.idleMs + 15_000;

export const options: Options = scriptOptions({ queue: onePerVu('queue', 1, patienceMs) }, patienceMs, addresses);

export function setup(): Prepared {
  return { zeroWallMs: markStart() };
}

export const queue = guardedAsync(async (): Promise<void> => {
  const { waiting, purgedAtMs } = emptied();
  const holdUntilMs = now() + probe.slowJobMs;
  const slow = startSlowJobs();
  const busy = slow.filter((jobId) => readStatus(addresses, 'held', jobId, busyOrIdle) === 'running');
  const state = startFilling(busy.length >= probe.workersMax, waiting + slow.length - busy.length);
  const queued = await fill(state, holdUntilMs);
  const mayPurgeAtMs = purgedAtMs === null ? 0 : purgedAtMs + probe.idleMs;
  const purged = purgeAndPoll({ probe, addresses, busy, ...queued, mayPurgeAtMs });
  cleanUp({ probe, addresses, slow, purged });
});

export function teardown({ zeroWallMs }: Prepared): void {
  markEnd(zeroWallMs);
}

/** Empties the queue unless health says that it is empty; how many may wait in it now, and when it was purged. */
function emptied(): { readonly waiting: number; readonly purgedAtMs: number | null } {
  if (countQueued(addresses, 'before') === 0) return { waiting: 0, purgedAtMs: null };
  const done = isSuccess(send(outgoing(addresses, 'purge-queue'), { phase: 'purge-before' }).status);
  const left = countQueued(addresses, 'before');
  return { waiting: left ?? (done ? 0 : Number.POSITIVE_INFINITY), purgedAtMs: now() };
}

function startSlowJobs(): string[] {
  const started: string[] = [];
  for (let index = 0; index < probe.workersMax; index += 1) {
    const jobId = submitSlow(addresses, 'hold', probe.slowJobMs);
    if (jobId !== null) started.push(jobId);
    sleepUntil(now() + probe.periodMs);
  }
  const untilMs = now() + START_PATIENCE_MS;
  for (const jobId of started) awaitStart(addresses, jobId, untilMs - now());
  return started;
}

/** What stands in the queue when it has been filled. */
interface Queued {
  /** Ends soon after a worker takes it; the first in the queue. null where there is no worker, or it was not taken. */
  readonly finisher: string | null;
  readonly jobIds: readonly string[];
  /** Taken out again; null where none was. */
  readonly cancelled: string | null;
  readonly min: number;
  readonly max: number;
}

/** On an absolute schedule, so that the pace holds however long the answers take. */
async function fill(from: QueueState, holdUntilMs: number): Promise<Queued> {
  const finisher = from.workersHeld && probe.workersMax > 0 ? slowJob(addresses, probe.finisherMs) : undefined;
  const jobIds: string[] = [];
  const syncIds: string[] = [];
  let finisherId: string | null = null;
  let cancelled: string | null = null;
  let state = from;
  let latencyMs = 0;
  let dueMs = now();
  const sentAtMs: number[] = [];
  while (now() < patienceMs) {
    const step = state.next;
    if (step.kind === 'stop') break;
    if (step.kind === 'idle') {
      sleepUntil(now() + probe.idleMs);
      dueMs = now();
      state = advance(state, rule, 'other');
      continue;
    }
    if (step.kind === 'free') {
      // The first stays: its presence at the end shows that the target lost nothing in between.
      const jobId = jobIds.length > 1 ? jobIds.pop() : undefined;
      const freed = jobId === undefined ? 'not-freed' : takeOut(addresses, jobId, state.min);
      if (freed === 'freed') cancelled = jobId ?? null;
      state = advance(state, rule, freed);
      sleepUntil(now() + probe.cancelPeriodMs);
      continue;
    }
    const count = submitTogether(state, rule, latencyMs, probe.periodMs);
    // No window has more than one may have, wherever it begins.
    const leaving = sentAtMs[sentAtMs.length + count - 1 - probe.perWindow];
    if (leaving !== undefined) dueMs = Math.max(dueMs, leaving + probe.idleMs);
    sleepUntil(dueMs);
    for (let index = 0; index < count; index += 1) sentAtMs.push(now());
    dueMs = Math.max(dueMs + count * probe.periodMs * state.slowdown, now());
    if (now() >= holdUntilMs) state = loseHold(state);
    const { operation, phase } = step;
    if (count > 1) {
      const answers = submitSeveral(count, phase, `${state.min}:${state.max + count - 1}`);
      jobIds.push(...answers.flatMap(({ body }) => jobIdIn(body) ?? []));
      state = advanceTogether(state, rule, answers.map(fateOf));
      continue;
    }
    const first = operation === 'run' && state.sent.run === 0 ? finisher : undefined;
    const answer = await submitOne(operation, phase, `${state.min}:${state.max}`, latencyMs, first);
    const jobId = jobIdIn(answer.body);
    const fate = operation === 'runsync' ? seenInQueue(fateOf(answer), jobId, state) : fateOf(answer);
    if (operation === 'run') latencyMs = answer.firstByteMs - answer.sentMs;
    if (first !== undefined && fate === 'accepted' && jobId !== null) {
      finisherId = jobId;
      // Once it runs no purge takes it back.
      recordOwnJob(jobId);
    } else if (jobId !== null) (operation === 'run' ? jobIds : syncIds).push(jobId);
    state = advance(state, rule, fate);
  }
  return {
    finisher: finisherId,
    jobIds: [...jobIds, ...syncIds],
    cancelled,
    min: state.workersHeld ? state.min : 0,
    max: state.max,
  };
}

function submitSeveral(count: number, phase: string, note: string): Answer[] {
  const requests = Array.from({ length: count }, () => outgoing(addresses, 'run'));
  return sendTogether(requests, { phase, keepBody: true, note: () => note });
}

async function submitOne(
  operation: Submission,
  phase: string,
  note: string,
  latencyMs: number,
  body: string | undefined,
): Promise<Answer> {
  const options = { phase, keepBody: true, note: () => note };
  if (operation === 'run') return send(outgoing(addresses, 'run', body === undefined ? {} : { body }), options);
  const request = outgoing(addresses, operation, { query: { wait: RUNSYNC_WAIT_MS } });
  const patience = RUNSYNC_PATIENCE_MS + PATIENCE_LATENCIES * latencyMs;
  return sendLeavingOpen(request, { ...options, timeoutMs: RUNSYNC_OPEN_MS + patience }, patience);
}

function fateOf({ status, error, body }: Answer): SubmissionFate {
  if (status === probe.refusal) return 'refused';
  if (isSuccess(status)) return hasEnded(body) ? 'done' : 'accepted';
  return status === 0 && error === 'timeout' ? 'unanswered' : 'other';
}

/**
 * Whether the job of a `runsync` stands in the queue: a target may forget it when it has responded, and silence may
 * mean anything. Only the job's own state, or the count of health, decides that.
 */
function seenInQueue(fate: SubmissionFate, jobId: string | null, { max }: QueueState): SubmissionFate {
  if (fate !== 'accepted' && fate !== 'unanswered') return fate;
  if (jobId !== null && readStatus(addresses, 'counted', jobId, (state) => state) === 'queued') return 'accepted';
  const count = countQueued(addresses, 'counted');
  return count !== null && count > max ? 'accepted' : 'unanswered';
}

function busyOrIdle(state: JobState): string {
  if (state === 'unknown') return 'unknown';
  return state === 'running' ? 'busy' : 'idle';
}
