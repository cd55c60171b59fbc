/**
 * Answers that are held back for jobs that take long, and what others are answered meanwhile. Each holds a limited
 * time, as asked by ?wait=; the jobs are cancelled afterwards.
 */
import { type CheckContext, shared } from '../context.ts';
import { isFinal, jobIdOf, stateOf } from '../reading/job.ts';
import type { Reply } from '../target/reply.ts';
import { runningJob } from './queue.ts';

/** The shortest wait that clients ask for, milliseconds. */
export const WAIT_MS = 1000;
/** Far longer than a request that waits for a second. */
const JOB_MS = 8000;
/** Until the held ones have arrived. */
const ARRIVED_MS = 200;

export interface Held {
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

const query = `wait=${WAIT_MS}`;

/** A synchronous job that takes too long, and how it stands as soon as it was answered. */
async function synchronous(t: CheckContext): Promise<Pick<Held, 'runsync' | 'syncJob'>> {
  const runsync = await t.jobs.runsync({ delay_ms: JOB_MS, echo: t.word() }, { query });
  const id = jobIdOf(runsync.json);
  if (id === null) return { runsync, syncJob: null };
  if (!isFinal(stateOf(runsync.json))) t.defer((jobs) => jobs.cancel(id));
  return { runsync, syncJob: await t.jobs.status(id) };
}

export const held = shared('held', 'ground', async (t): Promise<Held> => {
  const job = await runningJob(t, JOB_MS);
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
  return { runsync, statusSync, stream, meanwhile, syncJob, roundTripMs };
});
