/**
 * Rate limit: exactly the limit at once after an idle window, straight on until refused, the other operations of a
 * shared budget, slow polls while the limit recovers, a steady pace below it, and twice what that leaves over.
 * Everything that needs the warm connections of the burst is one iteration of its VU; k6 shares nothing between VUs,
 * so they meet by the clock alone.
 */
import { scenario } from 'k6/execution';
import type { Options } from 'k6/options';
import type { OperationId } from '../../schemas/operations.ts';
import { asksAboutJob, operationIn } from '../../schemas/own.ts';
import { outcomeOf } from '../analysis/outcome.ts';
import { controlRequest } from '../execute/control.ts';
import { type OutgoingRequest, outgoing } from '../execute/requests.ts';
import { SETUP_JOBS } from '../plan/counts.ts';
import { now, sleepUntil } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { guarded } from './lib/guard.ts';
import { prepare, send, sendPrepared } from './lib/http.ts';
import { queuedJobs } from './lib/job-state.ts';
import { awaitState, submit } from './lib/jobs.ts';
import { markEnd, markStart } from './lib/ledger.ts';
import { byFreeVu, onePerVu, scriptOptions } from './lib/options.ts';
import { sendSlot } from './lib/pace.ts';
import {
  IDLE_CONNECTION_MS,
  latestMs,
  pollTimes,
  type Span,
  shareOf,
  shiftTo,
  slotAt,
  slots,
  watchSpan,
} from './lib/schedule.ts';
import { sendVolley } from './lib/volley.ts';

interface Prepared {
  readonly zeroWallMs: number;
  /** Where the schedule's zero is on the script's clock. */
  readonly baseMs: number;
  /** What the requests are about, where they are about jobs. */
  readonly jobIds: readonly string[];
}

const { probe, addresses, patienceMs } = readParameters('rate');
const WARM_BEFORE_MS = 1000;
const WINDOW_MARGIN_MS = 250;
const JOB_PATIENCE_MS = 20_000;
const SIBLING_REQUESTS = 10;
/** A VU that gets no answers this often in a row stops: the target is gone, and waiting shows nothing. */
const GIVE_UP_AFTER = 3;

const paceSlots = slots(probe.pace);
const watching = probe.operation === 'run' && paceSlots > 0 ? watchSpan(probe) : null;
/** Then nothing can be sent by POST, which is never repeated. */
const getsOnly = operationIn(addresses.operations, probe.operation).methods.every((method) => method === 'GET');
const statusBudget = operationIn(addresses.operations, probe.operation).budget === 'status';
/** Also where only a sibling is about one. */
const aboutJob = [probe.operation, ...probe.siblings].some((id) => asksAboutJob(operationIn(addresses.operations, id)));

export const options: Options = scriptOptions(
  {
    burst: onePerVu('burst', probe.vus, patienceMs),
    ...(slots(probe.recovery) > 0 ? { recovery: onePerVu('recovery', 1, patienceMs) } : {}),
    ...(paceSlots > 0 ? { pace: byFreeVu('pace', probe.vus, paceSlots, patienceMs) } : {}),
    ...(watching ? { watch: onePerVu('watch', 1, patienceMs) } : {}),
  },
  patienceMs,
  addresses,
);

export function setup(): Prepared {
  const zeroWallMs = markStart();
  const { zeroAtMs, windowMs, idleWindows = 1 } = probe;
  const wantedMs = zeroAtMs === undefined ? 0 : shiftTo(zeroAtMs, zeroWallMs, windowMs);
  if (!aboutJob) return { zeroWallMs, baseMs: wantedMs, jobIds: [] };
  const jobIds = Array.from({ length: SETUP_JOBS }, () => submit(addresses, 'setup')).filter((id) => id !== null);
  // Looking at the job spends the budget that is about to be measured, so the idle window begins after the last look.
  const spent = statusBudget && jobIds.length > 0;
  const untilMs = now() + JOB_PATIENCE_MS;
  if (spent) for (const id of jobIds) awaitState(addresses, id, ['finished'], Math.max(0, untilMs - now()));
  const earliestBurstMs = now() + (spent ? idleWindows * windowMs + WINDOW_MARGIN_MS : WARM_BEFORE_MS);
  const laterMs = Math.max(0, earliestBurstMs - probe.burstAtMs - wantedMs);
  const baseMs = wantedMs + (zeroAtMs === undefined ? laterMs : Math.ceil(laterMs / windowMs) * windowMs);
  return { zeroWallMs, baseMs, jobIds };
}

export const burst = guarded(({ baseMs, jobIds }: Prepared): void => {
  const [jobId] = jobIds;
  const index = scenario.iterationInTest;
  if (!warm(baseMs + probe.burstAtMs)) return;
  sleepUntil(baseMs + probe.burstAtMs);
  const share = shareOf(probe.limit, probe.vus, index);
  const usual = sendWhile('burst', jobIds, share, Number.POSITIVE_INFINITY);
  if (probe.overAtMs - probe.burstAtMs > IDLE_CONNECTION_MS && !warm(baseMs + probe.overAtMs)) return;
  sleepUntil(baseMs + probe.overAtMs);
  sendWhile('over', jobIds, probe.overCap, probe.overRefusals);
  // One VU is enough, and the first that is done finds the budget exhausted: whoever sends as VU 0 stands for it.
  if (index === 0) sendSiblings(jobId);
  if (!probe.again || !warm(baseMs + probe.again.atMs)) return;
  sleepUntil(baseMs + probe.again.atMs);
  sendWhile('again', jobIds, share + probe.overCap, 1);
  const { returns, echoAtMs } = probe.again;
  const poll = () => (index === 0 && returns ? pollUntilAdmitted(returns, baseMs, jobId, usual) : undefined);
  const pollsFirst = returns && returns.fromMs < echoAtMs;
  if (pollsFirst) poll();
  else sleepUntil(baseMs + echoAtMs);
  sendWhile('echo', jobIds, probe.overCap, 1);
  if (!pollsFirst) poll();
});

export const recovery = guarded(({ baseMs, jobIds: [jobId] }: Prepared): void => {
  const poll = slowPoll('recovery', probe.recovery.periodMs, jobId);
  for (const atMs of pollTimes(probe.recovery)) {
    const dueMs = baseMs + atMs;
    const late = sleepUntil(dueMs);
    if (late <= probe.recovery.periodMs) sendPrepared(poll, dueMs);
  }
});

export const pace = guarded(({ baseMs, jobIds: [jobId] }: Prepared): void => {
  const { vus, limit, windowMs } = probe;
  const operations = [probe.operation, ...probe.siblings];
  sendSlot(
    addresses,
    { span: probe.pace, latestMs: latestMs(probe.pace, limit, windowMs), vus, operations, jobId, exact: getsOnly },
    baseMs,
  );
});

/**
 * The jobs of `run` outlive their requests, so a refusal may be the queue's. How many are waiting is read from health,
 * which spends no budget; a target that does not tell leaves it open.
 */
export const watch = guarded(({ baseMs }: Prepared): void => {
  if (!watching) return;
  const count = slots(watching);
  for (let slot = 0; slot < count; slot += 1) {
    const dueMs = baseMs + slotAt(watching, slot);
    // A target that has gone silent would have each look wait for nothing, one after the other.
    if (sleepUntil(dueMs) > watching.periodMs) continue;
    send(outgoing(addresses, 'health'), {
      phase: 'watch',
      keepBody: true,
      dueMs,
      note: ({ body }) => queuedJobs(body),
    });
  }
});

export function teardown({ zeroWallMs }: Prepared): void {
  markEnd(zeroWallMs);
}

/**
 * Opens this VU's connection with a request that spends no budget, shortly before it is needed. False when there was
 * no answer: whatever this VU would send then would wait for nothing as well.
 */
function warm(beforeMs: number): boolean {
  sleepUntil(beforeMs - WARM_BEFORE_MS);
  return send(controlRequest(addresses, [probe.operation]), { phase: 'warm' }).status !== 0;
}

/**
 * Sends until `most` were sent, `refusals` of them were refused, the target stays silent, or time is up. Returns the
 * first status; 0 where there was none.
 */
function sendWhile(phase: string, jobIds: readonly string[], most: number, refusals: number): number {
  const all = ofEach(jobIds, phase === 'burst' ? seenOnce : (jobId) => requestsOf(probe.operation, jobId));
  const requests = all.map((one) => prepare(one, { phase, exact: getsOnly }));
  return sendVolley(requests, { most, refusals, silent: GIVE_UP_AFTER, untilMs: patienceMs });
}

/** @param usual status of a request that is not refused */
function pollUntilAdmitted(returns: Span, baseMs: number, jobId: string | undefined, usual: number): void {
  const poll = slowPoll('return', returns.periodMs, jobId);
  let silent = 0;
  for (let slot = 0; slot < slots(returns) && silent < GIVE_UP_AFTER; slot += 1) {
    const dueMs = baseMs + slotAt(returns, slot);
    if (sleepUntil(dueMs) > returns.periodMs) continue;
    const status = sendPrepared(poll, dueMs);
    if (outcomeOf(status, usual) === 'admitted') return;
    silent = status === 0 ? silent + 1 : 0;
  }
}

const slowPoll = (phase: string, periodMs: number, jobId: string | undefined) =>
  prepare(outgoing(addresses, probe.operation, { jobId }), {
    phase,
    exact: getsOnly,
    freshConnection: periodMs > IDLE_CONNECTION_MS,
  });

function sendSiblings(jobId: string | undefined): void {
  for (const id of probe.siblings) {
    for (const request of requestsOf(id, jobId)) {
      for (let sent = 0; sent < SIBLING_REQUESTS; sent += 1) send(request, { phase: 'sibling' });
    }
  }
}

/** Of each job in turn, beginning with another one in each VU: a small limit is spread over them as well. */
function ofEach(jobIds: readonly string[], make: (jobId: string | undefined) => OutgoingRequest[]): OutgoingRequest[] {
  if (jobIds.length === 0) return make(undefined);
  const from = scenario.iterationInTest;
  return jobIds.flatMap((_, index) => make(jobIds[(from + index) % jobIds.length]));
}

/**
 * For a count that has to be exact. When the connection of a GET breaks before its answer, Go's client, and so k6, sends
 * it again without a word, and the target has seen it twice; a POST it never repeats.
 */
function seenOnce(jobId: string | undefined): OutgoingRequest[] {
  const all = requestsOf(probe.operation, jobId);
  const posts = all.filter(({ method }) => method === 'POST');
  return posts.length > 0 ? posts : all;
}

/** One for each method: they count alike, so a load uses all of them. */
function requestsOf(id: OperationId, jobId: string | undefined): OutgoingRequest[] {
  return operationIn(addresses.operations, id).methods.map((method) => outgoing(addresses, id, { jobId, method }));
}
