/** Every operation that shows an ended job reports the same about it, at once and later. */
import { isFinal, jobIdOf, stateOf } from '../../schemas/job-answer.ts';
import { show } from '../../schemas/json.ts';
import { handlerThat } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import { everywhere, expectSame, type Part, type Report } from '../fixtures/everywhere.ts';
import { type Ending, lived } from '../fixtures/life.ts';
import { listed } from '../fixtures/listed.ts';
import { lastStateIn } from '../reading/chunks.ts';
import { rowsOf } from '../reading/listing.ts';

const SYNC = ' status-sync';

interface Case {
  readonly name: string;
  readonly ending: Ending;
  readonly words: string;
  readonly parts: readonly Part[];
}

const cases: readonly Case[] = [
  { name: 'completed', ending: 'quick', words: 'a completed job', parts: ['id', 'state', 'output'] },
  { name: 'failed', ending: 'failing', words: 'a failed job', parts: ['id', 'state', 'error'] },
  { name: 'cancelled', ending: 'cancelled', words: 'a cancelled job', parts: ['id', 'state'] },
  { name: 'streamed', ending: 'streaming', words: 'a job that streamed', parts: ['id', 'state', 'output'] },
];

const last = (where: string, job: { readonly last: { readonly reply: Report['reply'] } }): Report => ({
  where,
  reply: job.last.reply,
});

const onRoutes = cases.map(
  ({ name, ending, words, parts }): CheckDefinition => ({
    id: `status-sync.same.${name}`,
    title: `GET and POST of status and status-sync report the same about ${words}`,
    clauses: ['jobs.same-everywhere'],
    async run(t) {
      const { job, routes } = await everywhere(t, ending);
      expectSame(t, last('status', job), routes, parts);
    },
  }),
);

const onLaterReads = cases.map(
  ({ name, ending, words, parts }): CheckDefinition => ({
    id: `status.stays.${name}`,
    title: `The record of ${words} does not change while it is read and other jobs run`,
    clauses: ['status.job-status', 'status.outputs', 'jobs.final-state-stays'],
    async run(t) {
      const { job, again } = await everywhere(t, ending);
      expectSame(t, last('status', job), again, parts);
    },
  }),
);

export const checks: readonly CheckDefinition[] = [
  ...onRoutes,
  ...onLaterReads,
  {
    id: 'status-sync.state',
    title: 'status-sync reports the same state as status of jobs that completed, failed and were cancelled',
    clauses: ['status-sync.job-status'],
    async run(t) {
      for (const ending of ['quick', 'failing', 'cancelled'] as const) {
        const { job, routes } = await everywhere(t, ending);
        const sync = routes.filter(({ where }) => where.endsWith(SYNC));
        expectSame(t, last('status', job), sync, ['state']);
      }
    },
  },
  {
    id: 'status-sync.same.times',
    title: 'status and status-sync report the same times of a job',
    clauses: ['jobs.same-everywhere', 'status.times'],
    async run(t) {
      for (const ending of ['quick', 'failing'] as const) {
        const { job, routes } = await everywhere(t, ending);
        for (const { where, reply } of routes) t.requireAnswer(where.endsWith(SYNC) ? 'status-sync' : 'status', reply);
        expectSame(t, last('status', job), routes, ['times']);
      }
    },
  },
  {
    id: 'status.times.stay',
    title: 'The times of an ended job do not change',
    clauses: ['status.times', 'jobs.final-state-stays'],
    async run(t) {
      const { job, again } = await everywhere(t, 'quick');
      expectSame(t, last('status', job), again, ['times']);
    },
  },
  {
    id: 'runsync.same',
    title: 'status reports the same about a synchronous job as runsync',
    clauses: ['jobs.same-everywhere', 'runsync.job'],
    async run(t) {
      t.needWorkers();
      const reply = await t.jobs.runsync({ echo: t.word() });
      t.requireAnswer('runsync', reply);
      const id = jobIdOf(reply.json);
      t.precondition(
        'a synchronous job has an id and has ended',
        'both in the response',
        show(reply.json),
        id !== null && isFinal(stateOf(reply.json)),
      );
      const reported = [
        { where: 'status', reply: await t.jobs.status(id ?? '') },
        { where: 'status-sync', reply: await t.jobs.statusSync(id ?? '') },
      ];
      expectSame(t, { where: 'runsync', reply }, reported, ['id', 'state', 'output', 'times']);
    },
  },
  {
    id: 'runsync.same.failed',
    title: 'status reports the same about a failed synchronous job as runsync',
    clauses: ['jobs.same-everywhere', 'jobs.failure'],
    async run(t) {
      t.needWorkers();
      const reply = await t.jobs.runsync({ fail: t.word() });
      const id = jobIdOf(reply.json);
      t.precondition(
        'a synchronous job whose input makes it fail',
        'its id and that it failed',
        show(reply.json),
        id !== null && stateOf(reply.json) === 'failed',
        handlerThat('fails with input.fail'),
      );
      const reported = [{ where: 'status', reply: await t.jobs.status(id ?? '') }];
      expectSame(t, { where: 'runsync', reply }, reported, ['id', 'state', 'error']);
    },
  },
  {
    id: 'stream.same',
    title: 'stream ends with the state that status reports',
    clauses: ['jobs.same-everywhere', 'stream.envelope'],
    async run(t) {
      for (const ending of ['quick', 'failing', 'cancelled'] as const) {
        const job = await lived(t, ending);
        const reply = await t.jobs.stream(job.id);
        const reported = { ...reply, json: lastStateIn(reply.text) };
        expectSame(t, last('status', job), [{ where: 'stream', reply: reported }], ['state']);
      }
    },
  },
  {
    id: 'requests.same',
    title: 'requests reports the same states of ended jobs as status',
    clauses: ['jobs.same-everywhere', 'requests.envelope'],
    async run(t) {
      const { reply, jobs } = await listed(t);
      t.requireOk(reply);
      for (const job of Object.values(jobs)) {
        const [row] = rowsOf(reply.json, job.id);
        if (row === undefined) continue;
        expectSame(t, last('status', job), [{ where: 'requests', reply: { ...reply, json: row } }], ['state', 'times']);
      }
      if (t.expectations.length === 0) {
        t.inconclusive(
          `the list has none of the ${Object.keys(jobs).length} jobs of this run that ended`,
          'it may hold unfinished jobs only; if not, run it while fewer other clients use the endpoint',
        );
      }
    },
  },
];
