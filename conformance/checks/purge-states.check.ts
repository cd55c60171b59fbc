/** What a purge does to jobs in every state, to the counts and the list, to an empty queue and to other endpoints. */
import { hasOutput, isFinal, outputOf } from '../../schemas/job-answer.ts';
import { at, show } from '../../schemas/json.ts';
import { handlerThat } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { counted, FEW_WORKERS, type Purge, purge, purgeInTime } from '../fixtures/purge.ts';
import { describeOutput, echoes, requireFit } from '../fixtures/quick.ts';
import { outcomeOf } from '../fixtures/retention/routes.ts';
import { isAlive, isCompleted } from '../fixtures/submit.ts';
import { statesIn } from '../reading/listing.ts';
import { shapeOfReply } from '../reading/shape.ts';
import { describe, isOk } from '../target/reply.ts';

const common = { needs: ['dedicated'], alone: true } as const;
const OTHER_QUEUE =
  'a second endpoint without workers, or with few and without other users (--inst-id given twice, --workers-max, --dedicated)';

/** A purge that was answered, while two jobs waited. */
async function purged(t: CheckContext): Promise<Purge> {
  const scene = await purgeInTime(t);
  t.requireAnswer('purge-queue', scene.answer);
  return scene;
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'purge-queue.count',
    title: 'purge-queue reports the number of removed jobs',
    clauses: ['purge-queue.envelope'],
    ...common,
    async run(t) {
      const { answer, ids, idle } = await purged(t);
      const removed = at(answer.json, 'removed');
      const waiting = ids.queued.length;
      // Where the queue was not known to be empty before, others of ours may have waited there as well.
      const alone = counted(idle, 'queued') === 0;
      const holds = removed === waiting || (!alone && typeof removed === 'number' && removed > waiting);
      t.expect('removed', `${alone ? '' : 'at least '}${waiting}, as many as waited`, describe(answer), holds);
    },
  },
  {
    id: 'purge-queue.empty',
    title: 'purge-queue of an empty queue removes nothing',
    clauses: ['purge-queue.route', 'purge-queue.envelope'],
    level: 'convention',
    because: 'the response to a purge of an empty queue is not documented',
    ...common,
    async run(t) {
      const again = outcomeOf((await purged(t)).again);
      t.expectOk(again);
      const removed = at(again.json, 'removed');
      t.expect('removed', '0', describe(again), removed === 0 || (isOk(again) && removed === undefined));
      t.requireAnswer('purge-queue', again);
    },
  },
  {
    id: 'purge-queue.not-worked-off',
    title: 'A purged job never runs',
    clauses: ['purge-queue.clears-queued'],
    ...common,
    async run(t) {
      const { later, running } = await purged(t);
      if (!running) return t.notObservable(FEW_WORKERS);
      t.precondition(
        'the job that kept the worker busy has ended',
        'a final state',
        describe(running.reply),
        isFinal(running.state),
      );
      for (const [index, seen] of later.entries()) {
        const gone = !isAlive(seen) && !isCompleted(seen);
        t.expect(`purged job ${index + 1}`, 'neither in the queue nor completed', describe(seen.reply), gone);
      }
    },
  },
  {
    id: 'purge-queue.running-completes',
    title: 'A job that runs during a purge completes with its output',
    clauses: ['purge-queue.keeps-running'],
    ...common,
    async run(t) {
      const { running } = await purged(t);
      if (!running) return t.notObservable(FEW_WORKERS);
      const { state, reply } = running;
      if (state === 'running') {
        t.inconclusive(`the job still runs: ${describe(reply)}`, handlerThat('waits exactly input.delay_ms'));
      }
      await requireFit(t, running);
      if (!t.expect('the running job at the end', 'completed', describe(reply), state === 'completed')) return;
      if (!(await echoes(t))) return;
      t.expect('its output', 'the output of the job', describeOutput(reply), hasOutput(reply.json));
    },
  },
  {
    id: 'purge-queue.finished-stay',
    title: 'The result of an ended job can be retrieved after a purge',
    clauses: ['run.retention', 'status.outputs'],
    ...common,
    async run(t) {
      const { before, after } = await purged(t);
      if (!before.done || !after.done) return t.notObservable(FEW_WORKERS);
      t.requireAnswer('status', before.done.reply);
      const [was, is] = [before.done, after.done].map(({ reply, state }) => show([state, outputOf(reply.json)]));
      t.expect('state and output after the purge', was ?? '', is ?? '', was === is);
    },
  },
  {
    id: 'purge-queue.unlisted',
    title: 'requests does not list a purged job as waiting',
    clauses: ['requests.own'],
    ...common,
    async run(t) {
      const { before, after, ids } = await purged(t);
      const listed = statesIn(before.requests.json, ids.queued);
      t.precondition(
        'a waiting job is listed as waiting',
        'a state that means queued',
        describe(before.requests),
        listed.includes('queued'),
      );
      t.requireAnswer('requests', after.requests);
      const states = statesIn(after.requests.json, ids.queued);
      const none = !states.some((state) => ['queued', 'running', 'unfinished'].includes(state));
      t.expect('the purged jobs in the list', 'not listed, or ended', show(states), none);
    },
  },
  {
    id: 'purge-queue.health',
    title: 'After a purge, health counts no waiting job and the same running jobs',
    clauses: ['health.agrees'],
    ...common,
    async run(t) {
      const { before, after, ids } = await purged(t);
      const waiting = counted(before.health, 'queued');
      t.precondition(
        'health counts queued jobs',
        'some before the purge',
        describe(before.health),
        waiting !== null && waiting > 0,
      );
      const { health } = after;
      t.expect('queued jobs', '0', describe(health), counted(health, 'queued') === 0);
      const running = after.running.filter((one) => one.state === 'running').length;
      if (running < ids.running.length || counted(health, 'running') === null) return;
      t.expect('running jobs', String(running), describe(health), counted(health, 'running') === running);
    },
  },
  {
    id: 'purge-queue.other-endpoint',
    title: 'A purge does not affect the queue of another endpoint',
    clauses: ['purge-queue.clears-queued', 'jobs.instance'],
    ...common,
    needs: ['dedicated', 'two-endpoints'],
    async run(t) {
      const { elsewhere, after } = await purged(t);
      if (!elsewhere) return t.notObservable(OTHER_QUEUE);
      const { before: was, after: is, later } = elsewhere;
      if (was === null || is === null) {
        return t.inconclusive('the workers of the other endpoint became free too soon', 'run it again');
      }
      t.precondition(
        'a job waits on the other endpoint before the purge',
        'a state that means queued',
        describe(was.reply),
        was.state === 'queued',
        'set --workers-max to the value of the endpoints, and keep other clients off them',
      );
      t.precondition(
        'the purge took the jobs of its own endpoint',
        'none in the queue',
        show(after.queued.map((one) => one.state)),
        after.queued.every(({ state }) => state !== 'queued'),
      );
      t.expect('a queued job of the other endpoint', 'still queued', describe(is.reply), is.state === 'queued');
      if (later === null) return;
      const isStuck = later.state === 'queued';
      t.expect('the same job when its workers have become free', 'no longer queued', describe(later.reply), !isStuck);
    },
  },
  {
    id: 'purge-queue.gap.response',
    title: 'Response of purge-queue with queued jobs and without',
    clauses: ['gap.purge-queue-response'],
    ...common,
    async run(t) {
      const { answer, again } = await purge(t);
      t.note('a purge of waiting jobs', shapeOfReply(answer));
      t.note('a purge of an empty queue', shapeOfReply(outcomeOf(again)));
    },
  },
  {
    id: 'purge-queue.gap.jobs',
    title: 'Record of a purged job, at once and seconds later',
    clauses: ['gap.purged-jobs', 'gap.purge-queue-availability', 'gap.job-moves'],
    ...common,
    async run(t) {
      const { after, later, ids } = await purge(t);
      for (const { state, reply } of after.queued.slice(0, 1))
        t.note('status immediately afterwards', `${state}: ${shapeOfReply(reply)}`);
      for (const { state, reply } of later.slice(0, 1)) t.note('status later', `${state}: ${shapeOfReply(reply)}`);
      t.note('in the list', show(statesIn(after.requests.json, ids.queued)));
    },
  },
];
