/**
 * Answers that are held back for jobs that take long, and what others are answered meanwhile. Each holds a limited
 * time, as asked by ?wait=; the jobs are cancelled afterwards.
 */
import type { CheckContext } from '../context.ts';
import { jobIdOf, stateOf } from '../reading/job.ts';
import type { Reply } from '../target/reply.ts';
import { runningJob } from './queue.ts';
import type { Submitted } from './submit.ts';

/** The shortest wait that clients ask for, milliseconds. */
export const WAIT_MS = 1000;
/** So long that nobody would wait for its end who was asked to wait a second. */
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
  /** The running job that status-sync and stream were asked about. */
  readonly job: Submitted;
  /** The status of the job of runsync right after its answer; null where the answer has no id. */
  readonly syncJob: Reply | null;
}

export function held(t: CheckContext): Promise<Held> {
  const make = async (own: CheckContext): Promise<Held> => {
    const job = await runningJob(own, JOB_MS);
    const query = `wait=${WAIT_MS}`;
    const waiting = Promise.all([
      own.jobs.runsync({ delay_ms: JOB_MS, echo: own.word() }, { query }),
      own.jobs.statusSync(job.id, 'GET', { query }),
      own.jobs.stream(job.id, 'GET', { query }),
    ]);
    // Whatever happens to those below, nobody is left without a listener.
    waiting.catch(() => undefined);
    await own.sleep(ARRIVED_MS);
    const asked = [own.jobs.health(), own.jobs.status(job.id), own.jobs.run({ echo: own.word() })];
    const meanwhile = await Promise.all(asked);
    const [runsync, statusSync, stream] = await waiting;
    const id = jobIdOf(runsync.json);
    const unfinished = ['queued', 'running'].includes(stateOf(runsync.json));
    if (id !== null && unfinished) own.defer((jobs) => jobs.cancel(id));
    const syncJob = id === null ? null : await own.jobs.status(id);
    return { runsync, statusSync, stream, meanwhile, job, syncJob };
  };
  return t.once('held', make, 'ground');
}
