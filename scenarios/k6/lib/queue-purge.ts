/**
 * The second half of a queue script: one job that runs and ends soon, the purge, a poll of every job that was queued,
 * of those that ran, and the next submission; then all workers are freed.
 */
import { isSuccess } from '../../../schemas/status.ts';
import { type Addresses, outgoing } from '../../execute/requests.ts';
import type { QueueParameters } from '../../probe.ts';
import { now, sleepUntil } from './clock.ts';
import { type Answer, send } from './http.ts';
import { afterPurge, jobIdIn, jobState } from './job-state.ts';
import { submit } from './jobs.ts';
import {
  AGAIN_MOST,
  END_PATIENCE_MS,
  END_POLL_EVERY_MS,
  RUNS_ELSEWHERE,
  SAMPLES,
  TAKE_PATIENCE_MS,
  TAKE_POLL_EVERY_MS,
} from './queue-costs.ts';
import { awaitEnd, countQueued, readAll, spread } from './queue-polls.ts';

interface Purge {
  readonly probe: QueueParameters;
  readonly addresses: Addresses;
  /** The long jobs that run. */
  readonly busy: readonly string[];
  readonly finisher: string | null;
  readonly jobIds: readonly string[];
  /** A job that was cancelled; null where none was. */
  readonly cancelled: string | null;
  readonly min: number;
  readonly max: number;
  readonly mayPurgeAtMs: number;
}

/** Returns whether the purge was accepted. */
export function purgeAndPoll({ probe, addresses, busy, finisher, jobIds, min, max, ...rest }: Purge): boolean {
  const queuedOrNot = ({ status, body }: Answer): string =>
    jobState(body) === 'queued' ? 'queued' : isSuccess(status) && jobState(body) !== 'unknown' ? 'left' : 'unknown';
  const readStatus = (phase: string, jobId: string | null): void => {
    if (jobId !== null) readJobs(addresses, phase, jobId, knownOrNot);
  };
  // No purge removes it, so its absence later shows that the target lost everything before these polls.
  readStatus('witness', rest.cancelled);
  // The first in the queue is the one that a worker would have taken, had there been one more.
  const samples = [...(finisher === null ? [] : [finisher]), ...spread(jobIds, SAMPLES)];
  for (const jobId of samples) readJobs(addresses, 'waiting', jobId, queuedOrNot);
  countQueued(addresses, 'full', `${min}:${max}:`);
  const isShut = isRefusedElsewhere(probe, addresses);
  sleepUntil(rest.mayPurgeAtMs);
  const [first, ...others] = busy;
  const makesRoom = finisher !== null && first !== undefined;
  const running = makesRoom && makeRoomFor(addresses, first, finisher);
  const long = makesRoom ? others : busy;
  for (const jobId of long) readJobs(addresses, 'running', jobId, keptOrGone);
  const witness = rest.cancelled ?? (makesRoom ? first : null);
  if (rest.cancelled === null) readStatus('witness', witness);
  const { status } = send(outgoing(addresses, 'purge-queue'), {
    phase: 'purge',
    note: () => String(running ? min - 1 : min),
  });
  const purgedAtMs = now();
  const observed = spread(jobIds, probe.pollsMost);
  const left = readAll(addresses, 'cleared', observed.slice(0, FIRST_POLLS), probe.pollsTogether);
  countQueued(addresses, 'after');
  const next = submit(addresses, 'next');
  if (next !== null) takeBack(addresses, next);
  if (isShut) submitElsewhere(probe, addresses, 'elsewhere-later');
  left.push(...readAll(addresses, 'cleared', observed.slice(FIRST_POLLS), probe.pollsTogether));
  for (const jobId of long) readJobs(addresses, 'kept', jobId, keptOrGone);
  if (running) {
    const untilMs = purgedAtMs + probe.finisherMs + END_PATIENCE_MS;
    awaitEnd(addresses, 'finished', finisher, END_POLL_EVERY_MS, untilMs);
  }
  if (left.length > 0) {
    sleepUntil(purgedAtMs + probe.finisherMs);
    readAll(addresses, 'cleared-later', left.slice(0, AGAIN_MOST), probe.pollsTogether);
  }
  readStatus('witness-later', witness);
  return isSuccess(status);
}

/** The first polls come before the next submission, so that a purge that isn't done when it responds is noticed. */
const FIRST_POLLS = 20;

const takeBack = (addresses: Addresses, jobId: string): unknown =>
  send(outgoing(addresses, 'cancel', { jobId }), { phase: 'clean-up' });

/** Whether another endpoint refuses jobs although nothing waits there. */
function isRefusedElsewhere(probe: QueueParameters, addresses: Addresses): boolean {
  const { otherInstId: instId, refusal } = probe;
  if (instId === undefined || countQueued({ ...addresses, instId }, 'elsewhere') !== 0) return false;
  for (let sent = 0; sent < RUNS_ELSEWHERE.meanwhile; sent += 1) {
    if (submitElsewhere(probe, addresses, 'elsewhere') !== refusal) return false;
  }
  return true;
}

function submitElsewhere({ otherInstId = '' }: QueueParameters, addresses: Addresses, phase: string): number {
  const there = { ...addresses, instId: otherInstId };
  const { status, body } = send(outgoing(there, 'run'), { phase, keepBody: true });
  const jobId = jobIdIn(body);
  if (jobId !== null) takeBack(there, jobId);
  return status;
}

/** Cancels one of the long jobs and waits until its worker has taken the one that ends soon; whether it did. */
function makeRoomFor(addresses: Addresses, long: string, finisher: string): boolean {
  send(outgoing(addresses, 'cancel', { jobId: long }), { phase: 'make-room' });
  for (const untilMs = now() + TAKE_PATIENCE_MS; now() < untilMs; sleepUntil(now() + TAKE_POLL_EVERY_MS)) {
    const word = ({ body }: Answer): string => jobState(body);
    const state = jobState(readJobs(addresses, 'finisher', finisher, word).body);
    if (state !== 'queued') return state === 'running';
  }
  return false;
}

function readJobs(addresses: Addresses, phase: string, jobId: string, note: (answer: Answer) => string): Answer {
  return send(outgoing(addresses, 'status', { jobId }), { phase, keepBody: true, note });
}

function keptOrGone({ status, body }: Answer): string {
  if (['running', 'completed'].includes(jobState(body))) return 'kept';
  return afterPurge(status, body) === 'unknown' ? 'unknown' : 'gone';
}

function knownOrNot({ status }: Answer): string {
  if (status === 404 || status === 410) return 'forgotten';
  return isSuccess(status) ? 'known' : 'unknown';
}

interface Leftover {
  readonly probe: QueueParameters;
  readonly addresses: Addresses;
  readonly slow: readonly string[];
  readonly purged: boolean;
}

/** Frees the workers; a purge that was refused is retried after an idle window. */
export function cleanUp({ probe, addresses, slow, purged }: Leftover): void {
  if (!purged) {
    sleepUntil(now() + probe.idleMs);
    send(outgoing(addresses, 'purge-queue'), { phase: 'clean-up' });
  }
  for (const jobId of slow) {
    takeBack(addresses, jobId);
    sleepUntil(now() + probe.cancelPeriodMs);
  }
}
