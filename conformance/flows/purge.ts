/**
 * One scene on an endpoint without other users, looked at from all sides: some jobs have ended, some run, some wait;
 * then the queue is purged, and once more while it is empty. The budgets of purge-queue and requests are so small that
 * all checks share it.
 */
import type { EndpointConfig } from '../../schemas/target.ts';
import { inputFor } from '../../schemas/workloads.ts';
import type { CheckContext } from '../context.ts';
import { at } from '../reading/json.ts';
import type { JobsClient } from '../target/jobs.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import { fillQueue, queueEndpoint, runningJob } from './queue.ts';
import { adopt, finish, hasEnded, poll, type Seen, type Submitted, submit, submitSlow } from './submit.ts';

const QUEUED = 2;
/** The running job must outlast everything up to the look after the purge, which is some fifty exchanges. */
const HOLD_MS = 2500;
const EXCHANGES = 50;
const SETTLE_MS = 300;
/** So long that whoever looks sees the one ended and the other not, also while others keep this machine busy. */
const BRIEF_MS = 600;
/** How long a job may take to fail, and how many times as long as one that completes. */
const LEAST_FAILING_MS = 5000;
const FAILING_TIMES = 5;
/** Counts may be gathered from several places: so long they may take to follow. */
const COUNTS_MS = 700;
/** How late the statistics of a sound service may be. */
const LATE_COUNTS_MS = 5000;
const COUNTS_PAUSE_MS = 100;
/** Keeping so many workers of another endpoint busy is worth it to see a job wait there. */
const MOST_ELSEWHERE = 4;
/** They have to outlast those of the endpoint itself, which start later. */
const HOLDS_ELSEWHERE = 3;

/** What the endpoint says of everything at one moment. */
interface Look {
  readonly health: Reply;
  readonly requests: Reply;
  readonly done: Seen | null;
  readonly running: readonly Seen[];
  readonly queued: readonly Seen[];
}

export interface Purge {
  readonly instId: string;
  /** The ids of our jobs on it, by what they were doing before the purge. */
  readonly ids: {
    readonly done: string | null;
    readonly running: readonly string[];
    readonly queued: readonly string[];
  };
  /** Before any of the jobs. */
  readonly idle: Reply;
  /** When one of them has completed, and none has failed yet. */
  readonly completed: Reply;
  /** Whether a job was made to fail before `before`. */
  readonly failed: boolean;
  readonly before: Look;
  readonly answer: Reply;
  /** Whether it was answered while the workers were certainly busy: otherwise the queue may have been worked off. */
  readonly inTime: boolean;
  readonly after: Look;
  /** A purge of the empty queue. */
  readonly again: Reply;
  /**
   * A job in the queue of another endpoint before and after the purge of this one, each null where a worker may have
   * become free; null where there is no endpoint to have it on. `later`: when the jobs that kept its workers busy had
   * ended, or null where they had not.
   */
  readonly elsewhere: {
    readonly before: Seen | null;
    readonly after: Seen | null;
    readonly later: Seen | null;
  } | null;
  /** A job that ran while its endpoint was purged, when it had ended or should have; null where none could be had. */
  readonly running: Seen | null;
  /** The purged jobs, long after workers have become free. */
  readonly later: readonly Seen[];
  /** A submission afterwards. */
  readonly next: Reply;
  /** Whether the first of two jobs that waited was the first to be worked off; null where nobody could tell. */
  readonly firstFirst: boolean | null;
}

/** The counts that clients read: `counted(reply, 'jobs', 'inQueue')`, or null. */
export function counted(reply: Reply, of: 'jobs' | 'workers', key: string): number | null {
  const value = at(reply.json, of, key);
  return typeof value === 'number' ? value : null;
}

/**
 * The health of an endpoint as soon as it counts at least so many, or after a while; inconclusive where the service has no
 * such count at any time.
 */
export async function countsAtLeast(t: CheckContext, jobs: JobsClient, key: string, least: number): Promise<Reply> {
  const usual = await t.once('health', (own) => own.jobs.health());
  t.requireAnswer('health', usual);
  t.ground(
    'health counts jobs in fields that clients read',
    `a number jobs.${key}`,
    describe(usual),
    counted(usual, 'jobs', key) !== null,
    'see health.answers.fields',
  );
  return healthUntil(t, jobs, LATE_COUNTS_MS, (reply) => (counted(reply, 'jobs', key) ?? 0) >= least);
}

/** The health of an endpoint as soon as it counts so many, or after a while. */
const settled = (t: CheckContext, jobs: JobsClient, running: number, queued: number): Promise<Reply> =>
  healthUntil(t, jobs, COUNTS_MS, (reply) => {
    const [inProgress, inQueue] = [counted(reply, 'jobs', 'inProgress'), counted(reply, 'jobs', 'inQueue')];
    const agrees = inProgress === running && inQueue === queued && (counted(reply, 'workers', 'running') ?? 1) > 0;
    return inProgress === null || agrees;
  });

async function healthUntil(
  t: CheckContext,
  jobs: JobsClient,
  patienceMs: number,
  enough: (reply: Reply) => boolean,
): Promise<Reply> {
  const until = t.clock.now() + patienceMs;
  for (;;) {
    const reply = await jobs.health();
    if (enough(reply) || t.clock.now() >= until) return reply;
    await t.sleep(COUNTS_PAUSE_MS);
  }
}

const nowOf = (t: CheckContext, jobs: readonly Submitted[]): Promise<Seen[]> =>
  Promise.all(jobs.map((job) => poll(t, job, () => true)));

interface Elsewhere {
  readonly waiting: Submitted;
  readonly held: readonly Submitted[];
}

/** A job that waits on another endpoint: one without workers, or one of our own whose few workers are all busy. */
async function waitingElsewhere(t: CheckContext, instId: string, holdMs: number): Promise<Elsewhere | null> {
  const others = t.target.config.endpoints.filter((one) => one.instId !== instId);
  const few = (one: EndpointConfig): boolean =>
    one.dedicated && (one.workersMax ?? MOST_ELSEWHERE + 1) <= MOST_ELSEWHERE;
  const other = others.find((one) => one.workersMax === 0) ?? others.find(few);
  if (!other) return null;
  const jobs = t.jobs.at(other.instId);
  const starting = Array.from({ length: other.workersMax ?? 0 }, () => runningJob(t, holdMs, jobs));
  const started = await Promise.allSettled(starting);
  const held = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  // That its workers can't be kept busy is no reason to leave the purge itself alone.
  if (held.length < started.length) return null;
  return { held, waiting: await submitSlow(t, { echo: t.word() }, jobs) };
}

/** What the other endpoint's job was doing; null where its workers may have become free meanwhile. */
async function stillWaiting(t: CheckContext, { waiting, held }: Elsewhere): Promise<Seen | null> {
  const seen = await poll(t, waiting, () => true);
  return (await nowOf(t, held)).every(({ state }) => state === 'running') ? seen : null;
}

/** The same job some time after its workers have become free; null where that was not seen. */
async function onceFree(t: CheckContext, { waiting, held }: Elsewhere, patienceMs: number): Promise<Seen | null> {
  const ended = await Promise.all(held.map((one) => poll(t, one, hasEnded, patienceMs)));
  if (held.length === 0 || !ended.every(hasEnded)) return null;
  return poll(t, waiting, ({ state }) => state !== 'queued', patienceMs);
}

/** A job that fails, followed to its end; false where the target has no such workload, or no end of it comes. */
async function failOnce(t: CheckContext, jobs: JobsClient, patienceMs: number): Promise<boolean> {
  if (inputFor(t.target.config.workloads, { fail: '' }) === null) return false;
  const job = await submit(t, { fail: t.word() }, jobs);
  const seen = await poll(t, job, hasEnded, patienceMs);
  // One that hangs would keep its worker from all that follows.
  if (!hasEnded(seen)) await jobs.cancel(job.id);
  return seen.state === 'failed';
}

/** Two jobs, one after the other, for workers that are busy: whether the first one ends first. */
async function inOrder(t: CheckContext, first: Submitted, second: Submitted): Promise<boolean> {
  await poll(t, first, hasEnded);
  return !hasEnded(await poll(t, second, () => true));
}

export function purge(t: CheckContext): Promise<Purge> {
  return t.once('purge', scene);
}

async function scene(t: CheckContext): Promise<Purge> {
  await t.room('purge-queue', 2);
  const { instId, workersMax } = queueEndpoint(t, { count: QUEUED, dedicated: true, busy: true });
  const jobs = t.jobs.at(instId);
  const works = workersMax !== null && workersMax > 0;
  const idle = await jobs.health();
  const done = works ? await submit(t, { echo: t.word() }, jobs) : null;
  const sinceMs = t.clock.now();
  if (done) await finish(t, done);
  const failsMs = Math.max(LEAST_FAILING_MS, FAILING_TIMES * (t.clock.now() - sinceMs));
  // The first of all is slow, for it opens the connection.
  const tookMs = [idle, ...(done ? [done.reply] : [])].map(({ sentMs, endMs }) => endMs - sentMs);
  const holdMs = HOLD_MS + Math.round(Math.min(...tookMs) * EXCHANGES);
  const was = counted(idle, 'jobs', 'completed');
  // Where there is no count, nothing is waited for.
  const grew = (reply: Reply): boolean =>
    was === null || (counted(reply, 'jobs', 'completed') ?? Number.POSITIVE_INFINITY) > was;
  const completed = done ? await healthUntil(t, jobs, LATE_COUNTS_MS, grew) : idle;
  const failed = works && (await failOnce(t, jobs, failsMs));
  await t.room('requests', 2);
  const other = await waitingElsewhere(t, instId, holdMs * HOLDS_ELSEWHERE);
  const { held, queued } = await fillQueue(t, { count: QUEUED, dedicated: true, busy: true, holdMs });
  const look = async (inQueue: number): Promise<Look> => ({
    queued: await nowOf(t, queued),
    health: await settled(t, jobs, held.length, inQueue),
    requests: await jobs.requests(),
    done: done ? await poll(t, done, () => true) : null,
    running: await nowOf(t, held),
  });
  const before = await look(QUEUED);
  const elsewhereBefore = other ? await stillWaiting(t, other) : null;
  const answer = await jobs.purgeQueue();
  const inTime = held.every(({ reply }) => answer.endMs < reply.sentMs + holdMs);
  await t.sleep(SETTLE_MS);
  const after = await look(0);
  const again = await jobs.call('purge-queue', { expects429: true });
  const elsewhereAfter = other ? await stillWaiting(t, other) : null;
  const next = await jobs.run({ echo: t.word(), delay_ms: BRIEF_MS });
  const second = await jobs.run({ echo: t.word(), delay_ms: BRIEF_MS });
  // The other checks have their jobs where nothing of this is in their way.
  const busy = [instId, ...(other?.held.length ? [other.waiting.jobs.instId] : [])];
  if (!busy.includes(t.endpoint.instId)) t.target.crowd.open();
  const [first] = held;
  const running = first ? await poll(t, first, hasEnded, holdMs * 2) : null;
  const both = workersMax === 1 && isOk(next) && isOk(second);
  const firstFirst = both ? await inOrder(t, adopt(t, next, jobs), adopt(t, second, jobs)) : null;
  const ids = {
    done: done?.id ?? null,
    running: held.map((one) => one.id),
    queued: queued.map((one) => one.id),
  };
  const later = await nowOf(t, queued);
  const elsewhereLater = other ? await onceFree(t, other, holdMs * HOLDS_ELSEWHERE) : null;
  return {
    instId,
    ids,
    idle,
    completed,
    failed,
    before,
    answer,
    inTime,
    after,
    again,
    elsewhere: other ? { before: elsewhereBefore, after: elsewhereAfter, later: elsewhereLater } : null,
    running,
    later,
    next,
    firstFirst,
  };
}
