/**
 * Rate limit: a client within the limit (the limit at once, again as soon as it certainly may, two paces), then one
 * beyond it (without a pause until refused, the other operations of a shared rate limit, single requests, and all that
 * was refilled). Everything that needs warm connections is one iteration of its VU; k6 shares nothing between VUs, so
 * they meet by the clock alone.
 */
import { scenario } from 'k6/execution';
import type { Options } from 'k6/options';
import { leavesJobs, type OperationId } from '../../schemas/operations.ts';
import { operationIn } from '../../schemas/own.ts';
import { withoutInput } from '../../schemas/workloads.ts';
import { controlRequest } from '../execute/control.ts';
import { type OutgoingRequest, outgoing } from '../execute/requests.ts';
import { laterBy, reconnects, refilled, SIBLING_REQUESTS, warmsUp } from '../kinds/rate/timeline.ts';
import { now, sleepUntil } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { guarded } from './lib/guard.ts';
import { prepare, send, sendPrepared } from './lib/http.ts';
import { queuedJobs } from './lib/job-state.ts';
import { markEnd } from './lib/ledger.ts';
import { onePerVu, scriptOptions } from './lib/options.ts';
import { sendSlot } from './lib/pace.ts';
import { type Begun, beginWith } from './lib/runner.ts';
import {
  IDLE_CONNECTION_MS,
  latestMs,
  pollTimes,
  type Span,
  shareOf,
  slotAt,
  slots,
  watchSpan,
} from './lib/schedule.ts';
import { sendVolley, type Volley } from './lib/volley.ts';

const { probe: planned, addresses, patienceMs, runner } = readParameters('rate');
/** Its times are counted from the zero of this script's clock, once that is known (`setup`). */
let probe = planned;
/** Clocks differ, and a target may close its windows a little late. */
const SURELY_MS = 50;
/** A VU that gets no answers this often in a row stops: the target is gone, and waiting shows nothing. */
const GIVE_UP_AFTER = 3;

const watches = leavesJobs(probe.operation) && probe.withoutInput === undefined;
/**
 * k6 goes on using a connection although its request said `Connection: close`, where the server answers that it is kept
 * (against RFC 9112 section 9.6), and is then refused. So either all requests have a connection of their own, or none.
 */
const noConnectionReuse = reconnects(probe);
const warms = warmsUp(probe);
/** Then nothing can be sent by POST, which is never repeated. */
const getsOnly = operationIn(addresses.operations, probe.operation).methods.every((method) => method === 'GET');
const bodies = probe.withoutInput === undefined ? {} : { body: JSON.stringify(withoutInput(addresses.runId)) };
const jobIds = addresses.doneJobs ?? [];
const [jobId] = jobIds;

const exec = {
  burst: onePerVu('burst', probe.vus, patienceMs),
  polls: onePerVu('polls', 1, patienceMs),
  ...(watches ? { watch: onePerVu('watch', 1, patienceMs) } : {}),
};

export const options: Options = { ...scriptOptions(exec, patienceMs, addresses), noConnectionReuse };

export const setup = (): Begun =>
  beginWith(runner, addresses.runId, () => controlRequest(addresses, [planned.operation]));

export const burst = guarded(({ delayMs }: Begun): void => {
  probe = laterBy(planned, delayMs);
  const index = scenario.iterationInTest;
  const share = shareOf(probe.limit, probe.vus, index);
  if (!meet(probe.burstAtMs)) return;
  const usual = sendWhile('burst', share);
  if (probe.secondBurstAtMs !== undefined) {
    // A window after its own last answer, however long the burst took.
    const freeMs = now() + probe.windowMs + SURELY_MS;
    if (!meet(Math.max(probe.secondBurstAtMs, freeMs))) return;
    const answeredMs: number[] = [];
    sendWhile('second-burst', share, { answeredMs });
    for (const span of probe.paces) {
      if (!meet(span.fromMs)) return;
      sendPace(span, index, answeredMs);
    }
  }
  if (index >= probe.beyondVus || !meet(probe.overflowAtMs)) return;
  // One is kept back: what comes behind the siblings keeps the budget exhausted until they have arrived.
  const behind = probe.siblings.length > 0 ? 1 : 0;
  const moreBy = (elapsedMs: number): number => Math.floor(refilled(probe, elapsedMs) / probe.beyondVus);
  sendWhile('overflow', probe.overflowCap - behind, { refusals: probe.overflowRefusals - behind, usual, moreBy });
  sendSiblings(index);
  sendWhile('overflow', behind);
  for (const atMs of probe.refillsAtMs) {
    if (!meet(atMs)) return;
    sendWhile('refill', probe.refillCap, { refusals: 1, usual });
  }
});

export const polls = guarded(({ delayMs }: Begun): void => {
  probe = laterBy(planned, delayMs);
  const { periodMs } = probe.polls.spans[0] ?? { periodMs: 0 };
  const request = outgoing(addresses, probe.operation, { jobId, ...bodies });
  const poll = prepare(request, {
    phase: 'poll',
    exact: getsOnly,
    keepBody: true,
    keepsLimitFields: true,
  });
  for (const dueMs of pollTimes(probe.polls)) {
    if (sleepUntil(dueMs) <= periodMs) sendPrepared(poll, dueMs);
  }
});

/**
 * The jobs of `run` outlive their requests, so a refusal may be the queue's. How many are waiting is read from health,
 * which has no rate limit; a target without that count leaves it open.
 */
export const watch = guarded(({ delayMs }: Begun): void => {
  const watching = watchSpan(laterBy(planned, delayMs));
  const count = slots(watching);
  for (let slot = 0; slot < count; slot += 1) {
    const dueMs = slotAt(watching, slot);
    // With a target that has gone silent, each poll would wait in vain, one after the other.
    if (sleepUntil(dueMs) > watching.periodMs) continue;
    send(outgoing(addresses, 'health'), {
      phase: 'watch',
      keepBody: true,
      dueMs,
      note: ({ body }) => queuedJobs(body),
    });
  }
});

export function teardown({ zeroWallMs }: Begun): void {
  markEnd(zeroWallMs);
}

/**
 * Every so many-th slot of the pace. Each VU keeps its share of the limit by itself, so however long a burst took, no
 * window has more than the limit: a slot is left out for which none of its own requests has left the window.
 * @param answeredMs of its last burst, each of which makes room for one
 */
function sendPace(span: Span, index: number, answeredMs: readonly number[]): void {
  const { vus, limit, windowMs, operation, siblings } = probe;
  const pace = {
    span,
    latestMs: latestMs(span, limit, windowMs),
    vus,
    operations: [operation, ...siblings],
    jobId,
    exact: getsOnly,
    keepBody: true,
  };
  const count = slots(span);
  let sent = 0;
  for (let slot = index; slot < count; slot += vus) {
    const freeMs = (answeredMs[sent] ?? Number.NEGATIVE_INFINITY) + windowMs + SURELY_MS;
    if (slotAt(span, slot) < freeMs) continue;
    sendSlot(addresses, pace, slot, 0);
    sent += 1;
  }
}

/**
 * Waits until it is time for all VUs. Opens this VU's connection with a request that has no rate limit shortly before,
 * unless it has just been used. False when there was no response to that: all that this VU would send then would wait
 * in vain as well.
 */
function meet(atMs: number): boolean {
  const isWarm = sleepUntil(atMs - IDLE_CONNECTION_MS) > IDLE_CONNECTION_MS / 2 || !warms;
  const isThere = isWarm || send(controlRequest(addresses, [probe.operation]), { phase: 'warm' }).status !== 0;
  sleepUntil(atMs);
  return isThere;
}

/** Sends until `most` were sent, so many of them were refused, the target stays silent, or time is up. */
function sendWhile(phase: string, most: number, until: Partial<Volley> = {}) {
  const isWithin = phase === 'burst' || phase === 'second-burst';
  const all = ofEach(isWithin ? seenOnce : (id) => requestsOf(probe.operation, id));
  const requests = all.map((one) => prepare(one, { phase, exact: getsOnly, keepBody: true }));
  const usually = { most, refusals: Number.POSITIVE_INFINITY, silent: GIVE_UP_AFTER, untilMs: patienceMs };
  return sendVolley(requests, { ...usually, ...until });
}

/** A VU that was refused finds the rate limit exhausted. All share these requests, so that little is refilled during them. */
function sendSiblings(index: number): void {
  const all = probe.siblings.flatMap((id) => requestsOf(id, jobId));
  for (let place = index; place < all.length * SIBLING_REQUESTS; place += probe.beyondVus) {
    const request = all[place % all.length];
    if (request) send(request, { phase: 'sibling', keepBody: true });
  }
}

/** Of each job in turn, beginning with another one in each VU: a small limit is spread over them as well. */
function ofEach(make: (jobId: string | undefined) => OutgoingRequest[]): OutgoingRequest[] {
  if (jobIds.length === 0) return make(undefined);
  const from = scenario.iterationInTest;
  return jobIds.flatMap((_, index) => make(jobIds[(from + index) % jobIds.length]));
}

/**
 * For a count that has to be exact. When the connection of a GET breaks before its response, Go's client, and so k6,
 * silently sends it again, and the target has seen it twice; a POST it never repeats.
 */
function seenOnce(jobId: string | undefined): OutgoingRequest[] {
  const all = requestsOf(probe.operation, jobId);
  const posts = all.filter(({ method }) => method === 'POST');
  return posts.length > 0 ? posts : all;
}

/** One for each method: they count alike, so a load uses all of them. */
function requestsOf(id: OperationId, jobId: string | undefined): OutgoingRequest[] {
  const { methods } = operationIn(addresses.operations, id);
  return methods.map((method) => outgoing(addresses, id, { jobId, method, ...bodies }));
}
