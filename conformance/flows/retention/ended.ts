/**
 * Jobs that have ended. When one ended is known as an interval: not before it was last seen unfinished, else submitted,
 * and not after it was first seen finished.
 */
import { inputFor } from '../../../schemas/workloads.ts';
import type { CheckContext } from '../../context.ts';
import { hasOutput, isFinal, jobIdOf, stateOf } from '../../reading/job.ts';

import { describe } from '../../target/reply.ts';
import { finish, hasEnded, poll, type Seen, type Submitted, stateIs, submit, submitSlow } from '../submit.ts';
import type { Terms } from './terms.ts';

/** What a handler may take less than it was told, as a share: its clock is not ours. */
const NEARLY = 0.9;
const HALF = 0.5;
/** A job that takes no longer is asked for from the start. */
const SOON_MS = 200;
/** The first one may have waited for a worker to start, which the others do not. */
const LATE_MS = 10_000;

export interface Left extends Submitted {
  readonly earliestMs: number;
  /** null where nobody has seen it finished. */
  readonly latestMs: number | null;
}

export interface Ended extends Left {
  readonly latestMs: number;
}

/** A job that somebody cancels or purges meanwhile ended all the same, but nobody promised how long it stays. */
function requireOwnEnd(t: CheckContext, { state, reply }: Seen): void {
  const expected = 'no state that means cancelled';
  const what = 'a job that was not cancelled ended by itself';
  t.ground(what, expected, describe(reply), state !== 'cancelled');
}

/** Nobody needs to ask before a job can have ended: as long as others took, but for a part. */
const untilNearly = (t: CheckContext, tookMs: number): Promise<void> =>
  tookMs < SOON_MS ? Promise.resolve() : t.sleep(Math.min(tookMs, LATE_MS) * NEARLY);

async function byRun(t: CheckContext, tookMs: number): Promise<Ended> {
  const job = await submit(t, { echo: t.word() });
  await untilNearly(t, tookMs);
  return endOf(t, job);
}

async function endOf(t: CheckContext, job: Submitted): Promise<Ended> {
  let openMs = job.reply.sentMs;
  const seen = await finish(t, job, 'ground', (one) => {
    if (!isFinal(one.state)) openMs = one.reply.sentMs;
  });
  requireOwnEnd(t, seen);
  return { ...job, earliestMs: openMs, latestMs: seen.reply.endMs };
}

async function byRunsync(t: CheckContext, delayMs = 0): Promise<Ended> {
  t.needWorkers();
  const wish = delayMs > 0 ? { echo: t.word(), delay_ms: delayMs } : { echo: t.word() };
  const reply = await t.jobs.runsync(wish);
  t.requireOk(reply);
  const id = jobIdOf(reply.json);
  if (id === null) return t.notObservable('a job id in the response of runsync, to read the job later');
  requireOwnEnd(t, { reply, state: stateOf(reply.json) });
  t.ground('the job ended', 'a result', describe(reply), hasOutput(reply.json));
  t.ground(
    `a job of ${delayMs} ms takes that long`,
    `${delayMs} ms or more`,
    `${Math.round(reply.endMs - reply.sentMs)} ms`,
    reply.endMs - reply.sentMs >= delayMs,
    'deploy a handler that waits input.delay_ms',
  );
  return { id, reply, jobs: t.jobs, earliestMs: reply.sentMs + delayMs * NEARLY, latestMs: reply.endMs };
}

/**
 * A job that has just ended.
 *
 * @param tookMs how long another one took; 0 where that is not known
 */
export const justEnded = (t: CheckContext, { subject }: Terms, tookMs = 0): Promise<Ended> =>
  subject === 'run' ? byRun(t, tookMs) : byRunsync(t);

/** Several of which nobody needs to know to the moment when they ended: the last one is awaited first. */
export async function someEnded(t: CheckContext, { subject }: Terms, count: number, tookMs: number): Promise<Ended[]> {
  const indices = Array.from({ length: count }, (_, index) => index);
  if (subject === 'runsync') return Promise.all(indices.map(() => byRunsync(t)));
  const jobs = await Promise.all(indices.map(() => submit(t, { echo: t.word() })));
  await untilNearly(t, tookMs);
  const ended: Ended[] = [];
  for (const job of jobs.toReversed()) ended.push(await endOf(t, job));
  return ended.reverse();
}

/** A job that nobody asks for: of one of run it is only known that it was taken. */
export async function leftAlone(t: CheckContext, { subject }: Terms): Promise<Left> {
  if (subject === 'runsync') return byRunsync(t);
  const job = await submit(t, { echo: t.word() });
  return { ...job, earliestMs: job.reply.sentMs, latestMs: null };
}

/** A job that ran for long: its time is not over where one that counts from its submission would have it. */
export async function longEnded(t: CheckContext, { subject, longMs }: Terms): Promise<Ended> {
  if (subject === 'runsync') return byRunsync(t, longMs);
  t.needWorkers();
  const job = await submitSlow(t, { echo: t.word(), delay_ms: longMs });
  await t.sleep(longMs * HALF);
  let running = await poll(t, job, () => true);
  t.ground(
    `a job of ${longMs} ms is seen running after half of that`,
    'a state that means running',
    describe(running.reply),
    stateIs('running')(running),
    'deploy a handler that waits input.delay_ms',
  );
  await t.sleep(longMs * (NEARLY - HALF));
  const over = (seen: Seen): boolean => {
    if (seen.state === 'running') running = seen;
    return hasEnded(seen) || seen.reply.status >= 400;
  };
  const seen = await poll(t, job, over, longMs);
  t.finding('a job that was seen running, after its end', 'available', describe(seen.reply), seen.reply.status < 400);
  t.ground('it completes', 'a state that means completed', describe(seen.reply), seen.state === 'completed');
  return { ...job, earliestMs: running.reply.sentMs, latestMs: seen.reply.endMs };
}

/** A job that has failed; null where the target has no such workload. */
export async function failedJob(t: CheckContext, tookMs: number): Promise<Submitted | null> {
  if (inputFor(t.target.config.workloads, { fail: '' }) === null) return null;
  const job = await submit(t, { fail: t.word() });
  await untilNearly(t, tookMs);
  await poll(t, job, hasEnded);
  return job;
}

/** A job that was cancelled while it ran or waited. */
export async function cancelledJob(t: CheckContext, { longMs }: Terms): Promise<Submitted | null> {
  if (inputFor(t.target.config.workloads, { delay_ms: longMs }) === null) return null;
  const job = await submitSlow(t, { delay_ms: longMs });
  await t.jobs.cancel(job.id);
  return job;
}
