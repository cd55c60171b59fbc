/**
 * Concurrency by operations that wait by themselves: as many requests as the limit allows, and some more while those
 * are waiting. `runsync` waits behind slow jobs that occupy every worker, `status-sync` and `stream` on a slow job,
 * a chat on its own long generation. While all of them wait, control requests show that the target has got them. Then one
 * is given up, and while the others go on waiting two short ones show whether its slot was free, and was so again after
 * the answer of the first. Then the slow jobs are cancelled, and end by themselves only where that has no effect.
 */
import { scenario } from 'k6/execution';
import type { Options } from 'k6/options';
import { operationIn } from '../../schemas/own.ts';
import { answeredMs, STREAMED } from '../answered.ts';
import { CONTROL_PHASE, CONTROL_REQUESTS, controlRequest, TIMING_PHASE } from '../execute/control.ts';
import { generation, inTurn, type OutgoingRequest, outgoing } from '../execute/requests.ts';
import { LONG_POLL_TRIES, WAITED_ON } from '../kinds/concurrency/held/amounts.ts';
import { limitFieldsIn } from '../limit-fields.ts';
import { sendShare, vusFor } from './lib/at-once.ts';
import { now, sleepUntil } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { guarded, guardedAsync } from './lib/guard.ts';
import { type Answer, send } from './lib/http.ts';
import { queuedJobs } from './lib/job-state.ts';
import { awaitStart, submitSlow } from './lib/jobs.ts';
import { markEnd, markStart } from './lib/ledger.ts';
import { onePerVu, scriptOptions } from './lib/options.ts';

interface Prepared {
  readonly zeroWallMs: number;
  readonly withinAtMs: number;
  readonly beyondAtMs: number;
  /** Who is still unanswered then was in flight together with the second wave. */
  readonly metMs: number;
  /** Earliest moment at which a waiting request can be answered by itself; null when that is not known. */
  readonly holdOverMs: number | null;
  /** Control requests are sent no later, and one without an answer by then is given up. */
  readonly controlUntilMs: number;
  readonly controlPauseMs: number;
  /** When one of the first wave is given up; null where none is. */
  readonly abortMs: number | null;
  /** Before each try for the slot. */
  readonly tryPauseMs: number;
  /** The slow jobs. */
  readonly jobIds: readonly string[];
  /** What to request, where the response takes long. */
  readonly long: LongAnswer;
}

interface LongAnswer {
  readonly tokens: number;
  readonly streams: boolean;
}

const { probe, addresses, workersMax } = readParameters('concurrency');
const ofJobs = operationIn(addresses.operations, probe.operations[0] ?? 'health').interface === 'jobs';
/** Those of runsync wait behind all slow jobs, the others on one of them. */
const isBehindJobs = probe.operations.includes('runsync');
const REFUSED = 429;
/** For starting the slow jobs and seeing them run, before the hold proper begins. */
const PREPARE_MS = 4000;
/** For every connection of the first wave to be made, and for the second wave to arrive. */
const BEYOND_AFTER_MS = Math.max(1000, 2 * probe.limit);
const SETTLE_MS = 1000;
/** Where a long answer does not take that long, shares of the time it takes. */
const BEYOND_AFTER_SHARE = 0.4;
const SETTLE_SHARE = 0.2;
/** Between control requests, for a last one of the second wave that its sender was slow to write. */
const CONTROL_PAUSE_MS = 100;
const CONTROL_PAUSE_SHARE = 0.02;
/** How long a long answer goes on until one is given up, as a share of the time it takes. */
const ABORT_AFTER_SHARE = 0.75;
/** Before each try for a slot, and the wait of one to an operation of jobs. */
const TRY_AFTER_MS = 200;
const TRY_AFTER_SHARE = 0.025;
const TRY_WAIT_MS = 1000;
const VUS_START_MS = 300;
const LONGEST_WAIT_MS = 300_000;
/**
 * A long answer, and a longer one where that leaves less than `BEYOND_AFTER_MS` between the waves: a busy target that
 * drops connections of the first wave gets them a second later.
 */
const LONG_ANSWERS = { tokens: 1024, enoughMs: 4000, longerTokens: 2048 };
/** Where whole answers come at once, streams may be paced; of so many at the same time each event costs both sides. */
const STREAMED_ANSWER = { tokens: 64, longerTimes: 1.5 };
/** The one that shows how long an answer takes is one of those announced. */
const beyondCount = ofJobs ? probe.extra : Math.max(1, probe.extra - 1);
const waitMs = Math.min(LONGEST_WAIT_MS, probe.holdMs + PREPARE_MS + 15_000);
const timeoutMs = waitMs + 15_000;

export const options: Options = scriptOptions(
  {
    within: onePerVu('within', vusFor(probe.limit), timeoutMs),
    ...(beyondCount > 0 ? { beyond: onePerVu('beyond', vusFor(beyondCount), timeoutMs) } : {}),
    control: onePerVu('control', 1, timeoutMs),
  },
  timeoutMs,
  addresses,
);

export function setup(): Prepared {
  const zeroWallMs = markStart();
  const startedMs = now();
  const jobIds = ofJobs ? occupy() : [];
  const { answerMs, ...long } = ofJobs
    ? { tokens: 0, streams: false, answerMs: Number.POSITIVE_INFINITY }
    : longAnswer();
  const withinAtMs = now() + VUS_START_MS;
  const beyondAtMs = withinAtMs + Math.min(BEYOND_AFTER_MS, answerMs * BEYOND_AFTER_SHARE);
  const holdOverMs = jobIds.length > 0 ? startedMs + probe.holdMs + PREPARE_MS : null;
  const settledMs = beyondAtMs + Math.min(SETTLE_MS, answerMs * SETTLE_SHARE);
  const metMs = Math.min(settledMs, holdOverMs ?? Number.POSITIVE_INFINITY);
  const { abortAfterMs } = probe;
  return {
    zeroWallMs,
    withinAtMs,
    beyondAtMs,
    metMs,
    abortMs:
      abortAfterMs === undefined ? null : Math.min(metMs + abortAfterMs, withinAtMs + answerMs * ABORT_AFTER_SHARE),
    holdOverMs,
    // So many answers at once take longer than one alone.
    controlUntilMs: holdOverMs ?? withinAtMs + probe.holdMs,
    controlPauseMs: Math.min(CONTROL_PAUSE_MS, answerMs * CONTROL_PAUSE_SHARE),
    tryPauseMs: Math.min(TRY_AFTER_MS, answerMs * TRY_AFTER_SHARE),
    jobIds,
    long,
  };
}

export const within = guardedAsync(async (prepared: Prepared): Promise<void> => {
  sleepUntil(prepared.withinAtMs);
  await sendWaiting('within', prepared, probe.limit);
});

export const beyond = guardedAsync(async (prepared: Prepared): Promise<void> => {
  sleepUntil(prepared.beyondAtMs);
  await sendWaiting('beyond', prepared, beyondCount);
});

export const control = guarded((prepared: Prepared): void => {
  const { beyondAtMs, metMs, controlUntilMs, controlPauseMs, abortMs, jobIds } = prepared;
  const request = controlRequest(addresses, probe.operations);
  // An outage refuses this one as well, which no limit counts; on the other interface it might take a slot.
  if (ofJobs) {
    sleepUntil(beyondAtMs);
    send(request, { phase: TIMING_PHASE, timeoutMs: Math.max(1, Math.floor(metMs - now())) });
  }
  for (let sent = 0; sent < CONTROL_REQUESTS; sent += 1) {
    sleepUntil(sent === 0 ? metMs : now() + controlPauseMs);
    const leftMs = Math.floor(controlUntilMs - now());
    if (leftMs <= 0) return;
    const note = ({ body }: Answer) => queuedJobs(body);
    const { status } = send(request, { phase: CONTROL_PHASE, timeoutMs: leftMs, keepBody: true, note });
    if (status === 0) return;
  }
  let open = jobIds;
  if (abortMs !== null) {
    const quick = quickRequest(prepared);
    sleepUntil(abortMs);
    let isFree = takesSlot('after-abort', prepared, quick);
    const waitedOn = abortedJob(jobIds);
    // Handlers of many services go on when their client has left, and keep the slot until their job has ended.
    if (!isFree && waitedOn !== undefined) {
      cancel(waitedOn);
      open = jobIds.filter((id) => id !== waitedOn);
      isFree = takesSlot('after-abort', prepared, quick);
    }
    if (isFree) takesSlot('after-free', prepared, quick);
  }
  open.forEach(cancel);
});

const cancel = (jobId: string): void => {
  send(outgoing(addresses, 'cancel', { jobId }), { phase: 'clean-up' });
};

/** The job that the aborted request waits on, where it is not that of the others. */
const abortedJob = (jobIds: readonly string[]): string | undefined => (isBehindJobs ? undefined : jobIds[1]);

export function teardown({ zeroWallMs }: Prepared): void {
  markEnd(zeroWallMs);
}

/** One that doesn't wait and needs a slot all the same, as it was refused when there was none; undefined without such. */
function quickRequest({ controlUntilMs, jobIds: [jobId] }: Prepared): OutgoingRequest | undefined {
  const leftMs = Math.floor(controlUntilMs - now());
  if (probe.quick === undefined || leftMs <= 0) return undefined;
  const request = outgoing(addresses, probe.quick, { jobId });
  return send(request, { phase: 'full', timeoutMs: leftMs }).status === REFUSED ? request : undefined;
}

/** Whether a short request is not refused, at one of its tries; default: one that waits for a moment. */
function takesSlot(
  phase: string,
  { controlUntilMs, jobIds: [jobId], tryPauseMs }: Prepared,
  quick?: OutgoingRequest,
): boolean {
  for (let attempt = 1; attempt <= LONG_POLL_TRIES; attempt += 1) {
    sleepUntil(now() + tryPauseMs);
    const leftMs = Math.floor(controlUntilMs - now());
    if (leftMs <= 0) return false;
    const request = quick ?? waitingRequest(0, { jobId, tokens: 1, waitsMs: TRY_WAIT_MS });
    const note = (answer: Answer) =>
      `${answer.status === 0 ? 'early' : 'alone'}${retryAfterOf(answer)} attempts=${attempt}`;
    if (send(request, { phase, timeoutMs: leftMs, note }).status !== REFUSED) return true;
  }
  return false;
}

/** Starts the slow jobs: one for each worker where new jobs have to wait, else one to wait on, and one for the one that is aborted. */
function occupy(): string[] {
  const count = isBehindJobs ? (workersMax ?? 1) : Math.min(WAITED_ON, workersMax ?? 1);
  const started = Array.from({ length: count }, () => submitSlow(addresses, 'setup', probe.holdMs + PREPARE_MS));
  const jobIds = started.filter((id) => id !== null);
  const [, ...others] = jobIds.map((jobId) => awaitStart(addresses, jobId, PREPARE_MS / count));
  // A request about a job that still waits may be answered at once.
  if (isBehindJobs || others.every((isStarted) => isStarted)) return jobIds;
  jobIds.slice(1).forEach(cancel);
  return jobIds.slice(0, 1);
}

/** What to request for a long answer, and how long that takes when nothing else is sent, ms. */
function longAnswer(): LongAnswer & { readonly answerMs: number } {
  const timed = (tokens: number, streams = false) => {
    const note = modeOf({ streams });
    const request = waitingRequest(0, { tokens, streams });
    const answer = send(request, { phase: 'setup', timeoutMs, note: () => note });
    return {
      tokens,
      streams,
      answerMs: answeredMs({ ...answer, operation: request.operation, note }, false) - answer.sentMs,
    };
  };
  const usual = timed(LONG_ANSWERS.tokens);
  if (usual.answerMs >= LONG_ANSWERS.enoughMs) return usual;
  const longer = timed(LONG_ANSWERS.longerTokens);
  if (longer.answerMs >= LONG_ANSWERS.enoughMs) return longer;
  const streamed = timed(STREAMED_ANSWER.tokens, true);
  return streamed.answerMs > STREAMED_ANSWER.longerTimes * longer.answerMs ? streamed : longer;
}

/** This VU's share of a wave of `count`, all at the same time. */
async function sendWaiting(phase: string, prepared: Prepared, count: number): Promise<void> {
  const { jobIds, long, abortMs } = prepared;
  const abortAtMs = (place: number): number | null => (phase === 'within' && place === 0 ? abortMs : null);
  const jobOf = (place: number) => (abortAtMs(place) === null ? undefined : abortedJob(jobIds)) ?? jobIds[0];
  await sendShare(
    scenario.iterationInTest,
    count,
    (place) => waitingRequest(place, { jobId: jobOf(place), ...long }),
    ({ operation }, place) => {
      const atMs = abortAtMs(place);
      return {
        phase,
        timeoutMs: atMs === null ? timeoutMs : Math.max(1, Math.round(atMs - now())),
        note: (answer) =>
          atMs !== null && answer.error === 'timeout' ? `dropped${modeOf(long)}` : noteOf(answer, operation, prepared),
      };
    },
  );
}

interface Waiting {
  readonly jobId?: string | undefined;
  readonly tokens: number;
  readonly streams?: boolean;
  readonly waitsMs?: number;
}

function waitingRequest(index: number, { jobId, tokens, streams = false, waitsMs = waitMs }: Waiting): OutgoingRequest {
  const { id, method } = inTurn(probe.operations, index, addresses.operations);
  const parts = ofJobs
    ? { query: { wait: waitsMs } }
    : { body: generation(id, addresses, tokens, streams ? { stream: true } : {}) };
  return outgoing(addresses, id, { method, jobId, ...parts });
}

/**
 * `early`: refused while others still waited, or answered before it can have met the second wave in flight. A request
 * that still waited then has shown what it was sent for, also when its server ends a wait sooner than requested.
 */
function noteOf(
  answer: Answer,
  operation: OutgoingRequest['operation'],
  { metMs, holdOverMs, long }: Prepared,
): string {
  const note = modeOf(long);
  const isRefused = answer.status === REFUSED;
  const early = answeredMs({ ...answer, operation, note }, isRefused) < (isRefused ? (holdOverMs ?? metMs) : metMs);
  return `${early ? 'early' : 'released'}${note}${retryAfterOf(answer)}`;
}

const modeOf = ({ streams }: Pick<LongAnswer, 'streams'>): string => (streams ? STREAMED : '');

function retryAfterOf({ limitFields }: Answer): string {
  const retryAfter = limitFieldsIn(limitFields)['retry-after'];
  return retryAfter === undefined ? '' : ` retry-after=${retryAfter}`;
}
