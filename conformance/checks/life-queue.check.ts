/** Jobs that wait in the queue: one is cancelled there, the other runs as soon as a worker is free. */
import { countedJobs, hasOutput, isFinal, stateOf } from '../../schemas/job-answer.ts';
import { show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import { requireTime } from '../fixtures/everywhere.ts';
import { oneJobMore } from '../fixtures/queue.ts';
import { queueLife, requireCancelled, requireRan } from '../fixtures/queue-life.ts';
import { isStopped } from '../fixtures/submit.ts';
import { describe, durationOf } from '../target/reply.ts';

const needs = ['dedicated'] as const;
const alone = true;
const common = { needs, alone } as const;
/** How much later than the end an answer may come that waited for it, milliseconds. */
const PROMPT_MS = 3000;
const TOLERANCE_MS = 50;

export const checks: readonly CheckDefinition[] = [
  {
    id: 'cancel.queued.stays',
    title: 'A job cancelled in the queue never runs',
    clauses: ['cancel.cancels'],
    ...common,
    async run(t) {
      const life = await queueLife(t);
      requireCancelled(t, life);
      requireRan(t, life);
      const last = life.observations.dropped.at(-1);
      const unread = last?.state === 'unknown' && hasOutput(last.reply.json);
      const ran = last?.state === 'running' || last?.state === 'completed' || unread;
      t.expect('the cancelled job', 'never ran', last ? describe(last.reply) : 'no poll', last !== undefined && !ran);
    },
  },
  {
    id: 'run.workers-max',
    title: 'No more jobs run at once than the endpoint has workers',
    clauses: ['endpoint.workers-max'],
    ...common,
    level: 'convention',
    because: 'how many jobs a worker runs at once is not documented; a handler that is made for one breaks',
    async run(t) {
      const { workers, seen } = await oneJobMore(t);
      const runs = seen.state === 'running' || seen.state === 'completed';
      t.expect(`one job more while ${workers} run`, 'waits', describe(seen.reply), !runs);
    },
  },
  {
    id: 'cancel.frees',
    title: 'A worker whose job is cancelled takes the next job',
    clauses: ['cancel.cancels'],
    ...common,
    // Where it doesn't, those that others cancel keep all workers busy in the end, which would hide why.
    first: true,
    level: 'convention',
    because: 'when a worker becomes free is not documented; clients pay for a worker that goes on',
    async run(t) {
      const life = await queueLife(t);
      requireCancelled(t, life);
      const { cancels, observations, heldUntilMs } = life;
      for (const reply of cancels) t.requireOk(reply);
      const ran = observations.waits.find(({ state }) => state === 'running' || state === 'completed');
      const early = ran === undefined ? -1 : Math.round(heldUntilMs - ran.reply.endMs);
      const when = `${Math.abs(early)} ms ${early > 0 ? 'before' : 'after'}`;
      const observed = ran ? `${describe(ran.reply)}, ${when}` : 'never';
      t.expect('a waiting job runs', 'before the cancelled jobs would have ended', observed, early > 0);
    },
  },
  {
    id: 'cancel.health',
    title: 'health no longer counts a cancelled job as waiting or running',
    clauses: ['health.agrees'],
    ...common,
    async run(t) {
      const life = await queueLife(t);
      const { cancels, health } = life;
      for (const reply of [...cancels, ...health]) t.requireOk(reply);
      requireRan(t, life);
      const [before, between, after] = health;
      for (const [name, earlier, later] of [
        ['queued', before, between],
        ['running', between, after],
      ] as const) {
        const [was, is] = [countedJobs(earlier?.json, name), countedJobs(later?.json, name)];
        t.precondition(
          `health counts ${name} jobs`,
          'at least the jobs of this check',
          show([was, is]),
          was !== null && was > 0 && is !== null,
          'see health.whole-counts and health.counts-queued',
        );
        t.expect(`${name} jobs`, `fewer than ${show(was)}`, show(is), Number(is) < Number(was));
      }
    },
  },
  {
    id: 'status-sync.wakes.queued',
    title: 'status-sync of a queued job responds when the job has run',
    clauses: ['status-sync.waits'],
    ...common,
    async run(t) {
      const life = await queueLife(t);
      requireRan(t, life);
      const { last } = await life.waiter;
      const end = life.observations.waits.find(({ state }) => isFinal(state));
      const late = Math.round(last.endMs - (end?.reply.endMs ?? 0));
      const heard = stateOf(last.json) === 'completed' && late <= PROMPT_MS;
      t.expect('the response of status-sync', 'a completed job', `${describe(last)} after ${late} ms`, heard);
    },
  },
  {
    id: 'status-sync.wakes.cancelled-queued',
    title: 'status-sync of a queued job responds when the job is cancelled',
    clauses: ['status-sync.waits'],
    ...common,
    async run(t) {
      const life = await queueLife(t);
      const answer = requireCancelled(t, life);
      const { last } = await life.droppedWaiter;
      const late = Math.round(last.endMs - answer.endMs);
      const state = stateOf(last.json);
      const isSame = state === life.observations.dropped[life.beforeCancel]?.state;
      const heard = isStopped({ state }) && isSame && late <= PROMPT_MS;
      const expected = `a cancelled job, within ${PROMPT_MS} ms`;
      t.expect('the response of status-sync', expected, `${describe(last)} after ${late} ms`, heard);
    },
  },
  {
    id: 'status.times.waited',
    title: 'delayTime is the time a job waited for a worker',
    clauses: ['status.times'],
    ...common,
    async run(t) {
      const life = await queueLife(t);
      requireRan(t, life);
      const delayTime = requireTime(t, life.observations.waits.at(-1)?.reply.json, 'delayTime');
      const least = life.waitedMs - TOLERANCE_MS;
      t.expect(
        `delayTime of a job seen waiting ${life.waitedMs} ms`,
        `${least} or more`,
        show(delayTime),
        delayTime >= least,
      );
    },
  },
  {
    id: 'stream.queued',
    title: 'stream answers while the job is still queued',
    clauses: ['stream.envelope'],
    ...common,
    async run(t) {
      const streamed = await (await queueLife(t)).streamed;
      t.expectAnswered('stream', streamed);
      t.note('time that stream took for a queued job', `${Math.round(durationOf(streamed))} ms`);
    },
  },
];
