/** cancel: queued and running jobs are stopped, finished ones stay as they are. */
import { outputOf, stateWordOf } from '../../schemas/job-answer.ts';
import { show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { cancelEnded, cancelUnfinished } from '../fixtures/cancels.ts';
import { fillQueue, runningJob } from '../fixtures/queue.ts';
import { requireLasting } from '../fixtures/quick.ts';
import { hasEnded, isAlive, isCompleted, poll, type Seen, stateIs } from '../fixtures/submit.ts';
import { isRefusal } from '../reading/refusal.ts';
import { describe } from '../target/reply.ts';

const SLOW_MS = 4000;
const MARGIN_MS = 1500;

/** Gone, cancelled, or at least still unfinished when its time is over. */
function expectStopped(t: CheckContext, seen: Seen): void {
  t.expect('the cancelled job', 'not completed at any time', describe(seen.reply), !isCompleted(seen));
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'cancel.route',
    title: 'POST cancel returns 2xx for an unfinished job',
    clauses: ['cancel.route', 'jobs.operations', 'jobs.id-in-paths'],
    run: async (t) => t.expectOk((await cancelUnfinished(t)).answer),
  },
  {
    id: 'cancel.result',
    title: 'cancel reports the result of the cancellation',
    clauses: ['cancel.result'],
    async run(t) {
      const { answer } = await cancelUnfinished(t);
      t.requireOk(answer, 'assertion');
      t.expectContent('cancel', answer);
    },
  },
  {
    id: 'cancel.running',
    title: 'cancel stops a running job',
    clauses: ['cancel.cancels'],
    async run(t) {
      const job = await runningJob(t, SLOW_MS);
      const endsMs = t.clock.now() + SLOW_MS + MARGIN_MS;
      t.requireOk(await t.jobs.cancel(job.id), 'assertion');
      const settled = (seen: Seen): boolean => hasEnded(seen) || isRefusal(seen.reply);
      const seen = await poll(t, job, settled, endsMs - t.clock.now());
      await requireLasting(t, seen, SLOW_MS);
      expectStopped(t, seen);
    },
  },
  {
    id: 'cancel.queued',
    title: 'cancel removes a waiting job from the queue',
    clauses: ['cancel.cancels'],
    alone: true,
    async run(t) {
      const { queued } = await fillQueue(t, { count: 1 });
      const [job] = queued;
      if (!job) return;
      t.requireOk(await job.jobs.cancel(job.id), 'assertion');
      const seen = await poll(t, job, (one) => !isAlive(one), MARGIN_MS);
      expectStopped(t, seen);
      t.expect('the cancelled job', 'no longer queued', describe(seen.reply), !stateIs('queued', 'unfinished')(seen));
    },
  },
  {
    id: 'cancel.state',
    title: 'status reports a cancelled job as CANCELLED',
    clauses: ['jobs.states', 'cancel.envelope'],
    async run(t) {
      const { job, answer } = await cancelUnfinished(t);
      t.requireOk(answer);
      const seen = await poll(t, job, hasEnded, SLOW_MS + MARGIN_MS);
      await requireLasting(t, seen, SLOW_MS);
      const { reply } = seen;
      t.expect('its state', 'CANCELLED', describe(reply), stateWordOf(reply.json) === 'CANCELLED');
    },
  },
  {
    id: 'cancel.twice',
    title: 'cancel never returns 5xx for a cancelled job',
    clauses: ['cancel.finished'],
    async run(t) {
      const { answer } = await cancelEnded(t, 'cancelled');
      t.expect('the answer', 'no 5xx', describe(answer), answer.status < 500);
    },
  },
  {
    id: 'cancel.finished',
    title: 'cancel does not change a finished job or its output',
    clauses: ['status.job-status', 'status.outputs', 'cancel.finished', 'jobs.final-state-stays'],
    async run(t) {
      const [status] = (await cancelEnded(t, 'quick')).observations;
      if (status === undefined) return t.inconclusive('no status was read in between', 'see status.stays');
      t.requireOk(status.after, 'assertion');
      const words = [status.before, status.after].map(({ json }) => show([stateWordOf(json), outputOf(json)]));
      t.expect('state and output', words[0] ?? '', words[1] ?? '', words[0] === words[1]);
    },
  },
];
