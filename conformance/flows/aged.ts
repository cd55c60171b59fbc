/**
 * Jobs that have ended, looked at around the end of the time that they are documented to stay available. When a job
 * ended is known as an interval: not before `earliestMs`, not after `latestMs`. The guarantee is looked at just before
 * the documented time since the earliest moment, the end well after it since the latest.
 */
import { limitFor } from '../../schemas/limits.ts';
import { inputFor } from '../../schemas/workloads.ts';
import type { CheckContext } from '../context.ts';
import { jobIdOf, outputOf } from '../reading/job.ts';
import { saysSomething } from '../reading/json.ts';
import type { JobsClient } from '../target/jobs.ts';
import { describe, type Reply } from '../target/reply.ts';
import { finish, hasEnded, poll, type Submitted, stateIs, submit, submitSlow } from './submit.ts';

/** How long before the end is asked: a few round trips, so that the answer comes in time, and no longer than needed. */
const EARLY_MS = { least: 250, most: 2000, roundTrips: 5 } as const;
/** Two clocks may part by so much of the time they measure: the target's may be quick by what ours is slow. */
const DRIFT = 0.0002;
/** How long after the end is asked, and how long a job may take to show that its time begins at its end: shares. */
export const LATE_SHARE = 0.1;
const LONG_SHARE = 0.05;
const NEARLY = 0.9;
/** When a job is read in between, as shares of its time. */
const READINGS = [0.25, 0.5, 0.75];

export interface Ended extends Submitted {
  readonly earliestMs: number;
  readonly latestMs: number;
}

export type Subject = 'run' | 'runsync';

export const documentedMs = (subject: Subject): number => limitFor('retention', subject)?.value ?? 0;

async function byRun(t: CheckContext): Promise<Ended> {
  const job = await submit(t, { echo: t.word() });
  const seen = await finish(t, job);
  return { ...job, earliestMs: job.reply.sentMs, latestMs: seen.reply.endMs };
}

async function byRunsync(t: CheckContext, delayMs = 0): Promise<Ended> {
  t.needWorkers();
  const wish = delayMs > 0 ? { echo: t.word(), delay_ms: delayMs } : { echo: t.word() };
  const reply = await t.jobs.runsync(wish);
  t.requireOk(reply);
  const id = jobIdOf(reply.json);
  if (id === null) return t.notObservable('a job id in the answer of runsync, to look the job up by later');
  t.require(saysSomething(outputOf(reply.json)), 'ground', {
    what: 'the job ended',
    expected: 'a result',
    observed: describe(reply),
  });
  t.require(reply.endMs - reply.sentMs >= delayMs, 'ground', {
    what: `a job of ${delayMs} ms takes that long`,
    expected: `${delayMs} ms or more`,
    observed: `${Math.round(reply.endMs - reply.sentMs)} ms`,
    remedy: 'deploy a handler that waits input.delay_ms',
  });
  return { id, reply, jobs: t.jobs, earliestMs: reply.sentMs + delayMs * NEARLY, latestMs: reply.endMs };
}

/** A job that has just ended. */
export const justEnded = (t: CheckContext, subject: Subject): Promise<Ended> =>
  subject === 'run' ? byRun(t) : byRunsync(t);

/** A job that ran for long: its time is not over where one that counts from its submission would have it. */
export async function longEnded(t: CheckContext, subject: Subject): Promise<Ended> {
  const delayMs = Math.round(documentedMs(subject) * LONG_SHARE);
  if (subject === 'runsync') return byRunsync(t, delayMs);
  t.needWorkers();
  const job = await submitSlow(t, { echo: t.word(), delay_ms: delayMs });
  await t.sleep(delayMs * NEARLY);
  const running = await poll(t, job, () => true);
  t.require(stateIs('running')(running), 'ground', {
    what: `a job of ${delayMs} ms is seen running near its end`,
    expected: 'a state that means running',
    observed: describe(running.reply),
    remedy: 'deploy a handler that waits input.delay_ms',
  });
  const seen = await poll(t, job, hasEnded, delayMs);
  t.require(seen.state === 'completed', 'ground', {
    what: 'it completes',
    expected: 'a state that means completed',
    observed: describe(seen.reply),
  });
  return { ...job, earliestMs: running.reply.sentMs, latestMs: seen.reply.endMs };
}

/** How long before the end of its time a job is to be asked for, given an answer of the target. */
export function earlyMs(fresh: Reply, subject: Subject): number {
  const wanted = (fresh.endMs - fresh.sentMs) * EARLY_MS.roundTrips;
  const trips = Math.min(EARLY_MS.most, Math.max(EARLY_MS.least, wanted));
  return trips + documentedMs(subject) * DRIFT;
}

/** The end of the time of a job, at the earliest and at the latest. */
export const guaranteedMs = (job: Ended, subject: Subject): number => job.earliestMs + documentedMs(subject);
export const overMs = (job: Ended, subject: Subject): number => job.latestMs + documentedMs(subject) * (1 + LATE_SHARE);

/** One job, by all operations that can show it. */
interface Shown {
  readonly status: Reply;
  readonly 'status-sync': Reply;
  readonly stream: Reply;
}

async function shown(jobs: JobsClient, id: string): Promise<Shown> {
  const [status, sync, stream] = [await jobs.status(id), await jobs.statusSync(id), await jobs.stream(id)];
  return { status, 'status-sync': sync, stream };
}

export interface Aged {
  /** A job as soon as it had ended, and just before its time was over. */
  readonly fresh: Shown;
  readonly early: Shown;
  /** Whether all of `early` was answered in time. */
  readonly inTime: boolean;
  /** Another job after its time, which nobody had asked for in between. */
  readonly late: Shown;
  readonly lateCancel: Reply;
  /** A job that was asked for in between, just before and after the end of its time. */
  readonly read: { readonly early: Reply; readonly inTime: boolean; readonly late: Reply };
  /** Jobs that failed and were cancelled, at the same moments; null where the target has no such workload. */
  readonly failed: { readonly early: Reply; readonly late: Reply } | null;
  readonly cancelled: { readonly early: Reply; readonly late: Reply } | null;
  /** The id of the job that is looked at late. */
  readonly lateId: string;
}

async function failedJob(t: CheckContext): Promise<Submitted | null> {
  if (inputFor(t.target.config.workloads, { fail: '' }) === null) return null;
  const job = await submit(t, { fail: t.word() });
  await poll(t, job, hasEnded);
  return job;
}

async function cancelledJob(t: CheckContext, delayMs: number): Promise<Submitted | null> {
  if (inputFor(t.target.config.workloads, { delay_ms: delayMs }) === null) return null;
  const job = await submitSlow(t, { delay_ms: delayMs });
  await t.jobs.cancel(job.id);
  return job;
}

/** One wait for all that is asked about the end of a job's time. */
export function aged(t: CheckContext, subject: Subject): Promise<Aged> {
  return t.once(`aged-${subject}`, (own) => grow(own, subject), 'ground');
}

async function grow(t: CheckContext, subject: Subject): Promise<Aged> {
  const value = documentedMs(subject);
  const until = (atMs: number): Promise<void> => t.sleep(atMs - t.clock.now());
  const failed = await failedJob(t);
  const cancelled = await cancelledJob(t, value);
  const [asked, left, often] = [await justEnded(t, subject), await justEnded(t, subject), await justEnded(t, subject)];
  const fresh = await shown(asked.jobs, asked.id);
  const margin = earlyMs(fresh['status-sync'], subject) + earlyMs(fresh.stream, subject);
  for (const share of READINGS) {
    await until(often.earliestMs + value * share);
    await t.jobs.status(often.id);
  }
  await until(guaranteedMs(asked, subject) - margin);
  const early = await shown(asked.jobs, asked.id);
  const inTime = early.stream.endMs <= guaranteedMs(asked, subject);
  await until(guaranteedMs(often, subject) - margin);
  const readEarly = await t.jobs.status(often.id);
  const readInTime = readEarly.endMs <= guaranteedMs(often, subject);
  const at = async (job: Submitted | null): Promise<Reply | null> => (job ? t.jobs.status(job.id) : null);
  const ends = { failed: await at(failed), cancelled: await at(cancelled) };
  await until(Math.max(...[asked, left, often].map((job) => overMs(job, subject))));
  const late = await shown(left.jobs, left.id);
  const pair = async (job: Submitted | null, before: Reply | null): Promise<Aged['failed']> =>
    job && before ? { early: before, late: await t.jobs.status(job.id) } : null;
  return {
    fresh,
    early,
    inTime,
    late,
    lateCancel: await left.jobs.cancel(left.id),
    read: { early: readEarly, inTime: readInTime, late: await t.jobs.status(often.id) },
    failed: await pair(failed, ends.failed),
    cancelled: await pair(cancelled, ends.cancelled),
    lateId: left.id,
  };
}
