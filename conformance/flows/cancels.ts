/** Cancels of jobs in several states, made once: cancel has a small budget, and its answers serve several checks. */
import type { CheckContext } from '../context.ts';
import type { Reply } from '../target/reply.ts';
import { type Ending, type Life, lived } from './life.ts';
import { runningJob } from './queue.ts';
import { finish, poll, type Seen, submit } from './submit.ts';

const SLOW_MS = 4000;
const SIBLING_MS = 700;
/** How long it may take to begin, and a cancelled one to be seen as such. */
const BEGUN_MS = 400;
const SETTLED_MS = 2000;

export interface LateCancel {
  readonly job: Life;
  readonly answer: Reply;
  /** What status and status-sync said before and say after, each by itself: where the two differ is not about cancel. */
  readonly looks: readonly { readonly where: string; readonly before: Reply; readonly after: Reply }[];
}

/** A cancel of a job that has ended: one of its own, so that a fault here is no other check's finding. */
export function cancelEnded(t: CheckContext, ending: Ending): Promise<LateCancel> {
  const make = async (own: CheckContext): Promise<LateCancel> => {
    const job = await lived(own, ending, 'to be cancelled');
    const held = await own.jobs.statusSync(job.id);
    const answer = await own.jobs.cancel(job.id);
    const looks = [
      { where: 'status', before: job.last.reply, after: await own.jobs.status(job.id) },
      { where: 'status-sync', before: held, after: await own.jobs.statusSync(job.id) },
    ];
    return { job, answer, looks };
  };
  return t.once(`cancel-${ending}`, make, 'ground');
}

export interface Siblings {
  /** Answers of two cancels of it that were sent together. */
  readonly answers: readonly Reply[];
  readonly victimAfter: Seen;
  /** Another job that ran at the same time, at its end. */
  readonly sibling: Seen;
}

/** Two running jobs, one of which is cancelled, by two at the same moment. */
export function siblings(t: CheckContext): Promise<Siblings> {
  const make = async (own: CheckContext): Promise<Siblings> => {
    const victim = await runningJob(own, SLOW_MS);
    const other = await submit(own, { delay_ms: SIBLING_MS, echo: own.word() });
    // With one worker it waits, and may be left alone in the queue.
    await poll(own, other, ({ state }) => state !== 'queued', BEGUN_MS);
    const answers = await Promise.all([own.jobs.cancel(victim.id), own.jobs.cancel(victim.id)]);
    const unfinished = ({ state }: Seen): boolean => state === 'queued' || state === 'running';
    const victimAfter = await poll(own, victim, (seen) => !unfinished(seen), SETTLED_MS);
    const sibling = await finish(own, other);
    return { answers, victimAfter, sibling };
  };
  return t.once('siblings', make, 'ground');
}
