/**
 * Requests that sound like the cancel of a job that is not over yet, and are none. After each it is looked whether the
 * job goes on; at the end a real cancel shows that this would have been seen.
 */
import { type CheckContext, shared } from '../context.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import { shortened } from './odd-ids.ts';
import { wrongKey } from './stranger.ts';
import { poll, type Seen, type Submitted, stateIs, submitSlow } from './submit.ts';

/** Longer than all the attempts together. */
const JOB_MS = 30_000;
const SETTLE_MS = 100;
/** A real cancel may take a while to show. */
const CANCELLED_MS = 5000;

type Send = (t: CheckContext, job: Submitted) => Promise<Reply> | null;

const attempts = {
  'no-key': (t, { id }) =>
    t.target.hasKey('jobs') ? t.jobs.call('cancel', { auth: 'none', jobId: id, breaks: 'no credential' }) : null,
  'wrong-key': (t, { id }) =>
    t.target.hasKey('jobs') ? t.jobs.call('cancel', { auth: wrongKey(t), jobId: id, breaks: 'the key' }) : null,
  'longer-id': (t, { id }) => t.jobs.cancel(`${id}x`),
  'shorter-id': (t, { id }) => {
    const shorter = shortened(id);
    return shorter === null ? null : t.jobs.cancel(shorter);
  },
  // The last one: a service may have GET for a cancel too.
  get: (t, { id }) => t.jobs.call('cancel', { method: 'GET', jobId: id, breaks: 'the method' }),
} satisfies Record<string, Send>;
type AttemptId = keyof typeof attempts;

interface Attempted {
  readonly reply: Reply;
  /** The job afterwards. */
  readonly seen: Seen;
}

const alive = stateIs('queued', 'running');

/** @throws Inconclusive where the job is not seen waiting or running. */
async function liveJob(t: CheckContext): Promise<Submitted> {
  const job = await submitSlow(t, { delay_ms: JOB_MS, echo: t.word() });
  const seen = await poll(t, job, () => true);
  t.ground(
    `a job of ${JOB_MS} ms has not ended immediately`,
    'a state that means queued or running',
    describe(seen.reply),
    alive(seen),
    'deploy a handler that waits input.delay_ms',
  );
  return job;
}

async function look(t: CheckContext, job: Submitted): Promise<Seen> {
  await t.sleep(SETTLE_MS);
  return poll(t, job, () => true);
}

const attempted = shared('no-cancels', 'ground', async (t): Promise<ReadonlyMap<AttemptId, Attempted>> => {
  const found = new Map<AttemptId, Attempted>();
  let job = await liveJob(t);
  for (const name of ids) {
    const reply = await attempts[name](t, job);
    if (!reply) continue;
    const seen = await look(t, job);
    found.set(name, { reply, seen });
    if (isOk(reply) || !alive(seen)) job = await liveJob(t);
  }
  await t.jobs.cancel(job.id);
  const seen = await poll(t, job, (one) => !alive(one), CANCELLED_MS);
  t.ground('the same job after a valid cancel', 'no longer queued or running', describe(seen.reply), !alive(seen));
  return found;
});

const isAttempt = (name: string): name is AttemptId => name in attempts;
const ids = Object.keys(attempts).filter(isAttempt);

/** What an attempt was answered and did; `needs` says what a target must have for it to be made. */
export async function attempt(t: CheckContext, name: AttemptId, needs: string): Promise<Attempted> {
  return (await attempted(t)).get(name) ?? t.notObservable(needs);
}

/** The job goes on after it. */
export function expectUntouched(t: CheckContext, { reply, seen }: Attempted): void {
  t.expect(`the job after ${reply.request}`, 'not cancelled', describe(seen.reply), alive(seen));
}
