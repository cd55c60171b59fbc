/**
 * Concurrency by operations that wait by themselves: as many requests as the limit allows, and some more while those
 * are waiting. `runsync` waits behind slow jobs that occupy every worker, `status-sync` and `stream` on a slow job,
 * a chat on its own long generation.
 */
import { scenario } from 'k6/execution';
import type { Options } from 'k6/options';
import { operation } from '../../schemas/operations.ts';
import { generation, inTurn, outgoing } from '../execute/requests.ts';
import { now, sleepUntil } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { type Answer, send } from './lib/http.ts';
import { awaitState, submitSlow } from './lib/jobs.ts';
import { markEnd, markStart } from './lib/ledger.ts';
import { onePerVu, scriptOptions } from './lib/options.ts';

interface Prepared {
  readonly zeroWallMs: number;
  readonly withinAtMs: number;
  readonly beyondAtMs: number;
  /** Earliest moment at which a waiting request can be answered by itself; null when that is not known. */
  readonly holdOverMs: number | null;
  readonly jobId?: string;
}

const { probe, addresses, workersMax } = readParameters('concurrency');
const ofJobs = operation(probe.operations[0] ?? 'health').interface === 'jobs';
const REFUSED = 429;
/** For starting the slow jobs, seeing them run and opening the connections, before the hold proper begins. */
const PREPARE_MS = 4000;
const BEYOND_AFTER_MS = 1000;
/** A request still unanswered so long after the second wave was in flight together with it. */
const BEYOND_SETTLE_MS = 1000;
const LONGEST_WAIT_MS = 300_000;
const LONG_ANSWER_TOKENS = 1024;
const waitMs = Math.min(LONGEST_WAIT_MS, probe.holdMs + PREPARE_MS + 15_000);
const timeoutMs = waitMs + 15_000;

export const options: Options = scriptOptions(
  {
    within: onePerVu('within', probe.limit, timeoutMs),
    ...(probe.extra > 0 ? { beyond: onePerVu('beyond', probe.extra, timeoutMs) } : {}),
  },
  timeoutMs,
);

export function setup(): Prepared {
  const zeroWallMs = markStart();
  const startedMs = now();
  const jobIds = ofJobs ? occupy() : [];
  const withinAtMs = now() + (ofJobs ? Math.max(500, Math.min(1500, probe.limit * 2)) : 200);
  const [jobId] = jobIds;
  return {
    zeroWallMs,
    withinAtMs,
    beyondAtMs: withinAtMs + BEYOND_AFTER_MS,
    holdOverMs: jobIds.length > 0 ? startedMs + probe.holdMs + PREPARE_MS : null,
    ...(jobId === undefined ? {} : { jobId }),
  };
}

/** Opens its connection first, by an operation without a limit; interface A has none, so there it connects as it sends. */
export function within(prepared: Prepared): void {
  if (ofJobs) send(outgoing(addresses, 'health'), { phase: 'warm' });
  sleepUntil(prepared.withinAtMs);
  sendWaiting('within', prepared);
}

export function beyond(prepared: Prepared): void {
  if (ofJobs) send(outgoing(addresses, 'health'), { phase: 'warm' });
  sleepUntil(prepared.beyondAtMs);
  sendWaiting('beyond', prepared);
}

export function teardown({ zeroWallMs }: Prepared): void {
  markEnd(zeroWallMs);
}

/** Starts the slow jobs: one for each worker where new jobs have to wait, else one to wait on. */
function occupy(): string[] {
  const count = probe.operations.includes('runsync') ? (workersMax ?? 1) : 1;
  const started = Array.from({ length: count }, () => submitSlow(addresses, 'setup', probe.holdMs + PREPARE_MS));
  const jobIds = started.filter((id) => id !== null);
  for (const jobId of jobIds) awaitState(addresses, jobId, ['running', 'finished'], PREPARE_MS / count);
  return jobIds;
}

function sendWaiting(phase: string, prepared: Prepared): void {
  const { id, method } = inTurn(probe.operations, scenario.iterationInTest);
  const request = outgoing(addresses, id, {
    method,
    jobId: prepared.jobId,
    ...(ofJobs ? { query: { wait: waitMs } } : { body: generation(id, addresses.model, LONG_ANSWER_TOKENS) }),
  });
  send(request, { phase, timeoutMs, note: (answer) => noteOf(answer, prepared) });
}

/**
 * `early`: refused while others still waited, or answered before it can have met the second wave in flight. Whoever
 * was still waiting then has shown what it was sent for, also when its server ends a wait sooner than asked.
 */
function noteOf(answer: Answer, { beyondAtMs, holdOverMs }: Prepared): string {
  const metMs = Math.min(beyondAtMs + BEYOND_SETTLE_MS, holdOverMs ?? Number.POSITIVE_INFINITY);
  const early = answer.firstByteMs < (answer.status === REFUSED ? (holdOverMs ?? metMs) : metMs);
  return `${early ? 'early' : 'released'}${answer.retryAfter === '' ? '' : ` retry-after=${answer.retryAfter}`}`;
}
