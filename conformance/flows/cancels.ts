/** Cancels of jobs in several states, made once: cancel has a small budget, and its answers serve several checks. */
import { shared } from '../context.ts';
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
export const cancelEnded = shared('cancel', 'ground', async (t, ending: Ending): Promise<LateCancel> => {
  const job = await lived(t, ending, 'to be cancelled');
  const held = await t.jobs.statusSync(job.id);
  const answer = await t.jobs.cancel(job.id);
  const looks = [
    { where: 'status', before: job.last.reply, after: await t.jobs.status(job.id) },
    { where: 'status-sync', before: held, after: await t.jobs.statusSync(job.id) },
  ];
  return { job, answer, looks };
});

export interface Siblings {
  /** Answers of two cancels of it that were sent together. */
  readonly answers: readonly Reply[];
  readonly victimAfter: Seen;
  /** Another job that ran at the same time, at its end. */
  readonly sibling: Seen;
}

/** Two running jobs, one of which is cancelled, by two at the same moment. */
export const siblings = shared('siblings', 'ground', async (t): Promise<Siblings> => {
  const victim = await runningJob(t, SLOW_MS);
  const other = await submit(t, { delay_ms: SIBLING_MS, echo: t.word() });
  // With one worker it waits, and may be left alone in the queue.
  await poll(t, other, ({ state }) => state !== 'queued', BEGUN_MS);
  const answers = await Promise.all([t.jobs.cancel(victim.id), t.jobs.cancel(victim.id)]);
  const unfinished = ({ state }: Seen): boolean => state === 'queued' || state === 'running';
  const victimAfter = await poll(t, victim, (seen) => !unfinished(seen), SETTLED_MS);
  const sibling = await finish(t, other);
  return { answers, victimAfter, sibling };
});
