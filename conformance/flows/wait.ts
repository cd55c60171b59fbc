/**
 * Waiting for a job's end by status-sync, as clients do: asked again for as long as the job is unfinished, without a
 * pause where the answer was held. Each of several who wait for one job must hear of its end.
 */
import type { HttpMethod } from '../../schemas/operations.ts';
import type { WorkloadWish } from '../../schemas/workloads.ts';
import { type CheckContext, shared } from '../context.ts';
import { isFinal, type JobState, jobIdOf, stateOf } from '../reading/job.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import { runningJob } from './queue.ts';
import { hasEnded, poll, type Seen, type Submitted, stateIs, submit } from './submit.ts';

/** The shortest wait that clients ask for, milliseconds. */
export const HOLD_MS = 1000;
/** Far longer than a request that waits for a second. */
const HELD_JOB_MS = 8000;
/** Until the held ones have arrived. */
const ARRIVED_MS = 200;

interface Held {
  /** The answers that were asked to wait. */
  readonly runsync: Reply;
  readonly statusSync: Reply;
  readonly stream: Reply;
  /** What was asked while those were waiting. */
  readonly meanwhile: readonly Reply[];
  /** The status of the job of runsync right after its answer; null where the answer has no id. */
  readonly syncJob: Reply | null;
  /** Of an answer while nothing was held, milliseconds. */
  readonly roundTripMs: number;
}

const query = `wait=${HOLD_MS}`;

/** A synchronous job that takes too long, and how it stands as soon as it was answered. */
async function synchronous(t: CheckContext): Promise<Pick<Held, 'runsync' | 'syncJob'>> {
  const runsync = await t.jobs.runsync({ delay_ms: HELD_JOB_MS, echo: t.word() }, { query });
  const id = jobIdOf(runsync.json);
  if (id === null) return { runsync, syncJob: null };
  if (!isFinal(stateOf(runsync.json))) t.defer((jobs) => jobs.cancel(id));
  return { runsync, syncJob: await t.jobs.status(id) };
}

export const held = shared('held', 'ground', async (t): Promise<Held> => {
  const job = await runningJob(t, HELD_JOB_MS);
  const before = await t.jobs.health();
  const roundTripMs = before.endMs - before.sentMs;
  const waiting = Promise.all([
    synchronous(t),
    t.jobs.statusSync(job.id, 'GET', { query }),
    t.jobs.stream(job.id, 'GET', { query }),
  ]);
  // When one of those below fails first, the failure of these is not an unhandled one.
  waiting.catch(() => undefined);
  await t.sleep(ARRIVED_MS);
  const asked = [t.jobs.health(), t.jobs.status(job.id), t.jobs.run({ echo: t.word() })];
  const meanwhile = await Promise.all(asked);
  const [{ runsync, syncJob }, statusSync, stream] = await waiting;
  // The job still runs, and all answers of a run are compared: one that told of an end too early shows.
  await t.jobs.status(job.id);
  return { runsync, statusSync, stream, meanwhile, syncJob, roundTripMs };
});

/** What the waiting ones ask for, and when they give up, milliseconds. */
const WAIT_MS = 8000;
const GIVE_UP_MS = 20_000;
/** So many answers that were not held are enough to see that it doesn't wait. */
const MOST_AT_ONCE = 3;
const HELD_MS = 50;
const JOB_MS = 500;
const CANCELLED_MS = 5000;
const UNTIL_CANCEL_MS = 200;

export interface Waiter {
  readonly method: HttpMethod;
  readonly last: Reply;
  /** Unfinished answers that came about as fast as status answers, so that they were not held. */
  readonly atOnce: number;
}

/** Follows a job by status-sync until it has ended, it is seen that nothing is held, or patience ends. */
export async function follow(job: Submitted, method: HttpMethod, roundTripMs: number): Promise<Waiter> {
  const ask = (): Promise<Reply> =>
    job.jobs.statusSync(job.id, method, { query: `wait=${WAIT_MS}`, timeoutMs: GIVE_UP_MS });
  let last = await ask();
  const until = last.sentMs + GIVE_UP_MS;
  for (let atOnce = 0; ; last = await ask()) {
    if (last.endMs - last.sentMs < HELD_MS + 2 * roundTripMs) atOnce += 1;
    const over = !isOk(last) || isFinal(stateOf(last.json)) || atOnce > MOST_AT_ONCE || last.endMs > until;
    if (over) return { method, last, atOnce };
  }
}

export type Waking = 'completed' | 'failed' | 'cancelled';

export interface Woken {
  /** When a look at status first showed the end. */
  readonly endedMs: number;
  readonly ended: Seen;
  readonly waiters: readonly Waiter[];
}

const wishes: Readonly<Record<Waking, (word: string) => WorkloadWish>> = {
  completed: (word) => ({ delay_ms: JOB_MS, echo: word }),
  failed: (word) => ({ delay_ms: JOB_MS, fail: word }),
  cancelled: (word) => ({ delay_ms: CANCELLED_MS, echo: word }),
};

/** A job that three wait for, beside one who keeps looking at its status. */
export const woken = shared('woken', 'finding', async (t, end: Waking): Promise<Woken> => {
  t.needWorkers();
  const job = await submit(t, wishes[end](t.word()));
  const first = await poll(t, job, ({ state }) => state !== 'queued');
  t.ground(
    'a job that occupies the worker is seen running',
    'a state that means running',
    describe(first.reply),
    stateIs('running')(first),
    'deploy a handler that waits input.delay_ms, also before it fails',
  );
  const roundTripMs = first.reply.endMs - first.reply.sentMs;
  const waiting = Promise.all((['GET', 'POST', 'GET'] as const).map((method) => follow(job, method, roundTripMs)));
  const ending = async (): Promise<Seen> => {
    if (end === 'cancelled') {
      await t.sleep(UNTIL_CANCEL_MS);
      t.requireOk(await job.jobs.cancel(job.id));
    }
    return poll(t, job, hasEnded, GIVE_UP_MS);
  };
  const [waiters, ended] = await Promise.all([waiting, ending()]);
  t.ground(`a job whose input leads to ${end}`, end satisfies JobState, describe(ended.reply), ended.state === end);
  return { waiters, ended, endedMs: ended.reply.endMs };
});
