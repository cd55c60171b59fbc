/** status: how a job stands, and its outputs, by GET and by POST. */
import { jobIdOf, notUnderstood, outputOf, stateWordOf } from '../../schemas/job-answer.ts';
import { at, saysSomething, show } from '../../schemas/json.ts';
import type { HttpMethod } from '../../schemas/operations.ts';
import { handlerThat } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import { requireTime } from '../fixtures/everywhere.ts';
import { courses, life, whatChanges } from '../fixtures/life.ts';
import { CONTROL_MS, delays, expectOutput, NEARLY, quickJob } from '../fixtures/quick.ts';
import { anyJob, finish, hasEnded, poll, submit, submitSlow, submittedIds } from '../fixtures/submit.ts';
import { describe } from '../target/reply.ts';

const DELAY_MS = 4000;
const methods: readonly HttpMethod[] = ['GET', 'POST'];

const byMethod = methods.map(
  (method): CheckDefinition => ({
    id: `status.route.${method.toLowerCase()}`,
    title: `${method} status returns 2xx`,
    clauses: ['status.route', 'jobs.id-in-paths', 'jobs.operations'],
    run: async (t) => t.expectOk(await t.jobs.status(await anyJob(t), { method })),
  }),
);

export const checks: readonly CheckDefinition[] = [
  ...byMethod,
  {
    id: 'status.methods-agree',
    title: 'GET and POST status report the same',
    clauses: ['status.route'],
    async run(t) {
      const job = await quickJob(t);
      const read = await t.jobs.status(job.id, { method: 'GET' });
      const posted = await t.jobs.status(job.id, { method: 'POST' });
      t.requireOk(read);
      t.requireOk(posted, 'assertion');
      const words = [stateWordOf(read.json), stateWordOf(posted.json)];
      t.expect('the states', 'the same', show(words), words[0] === words[1]);
      const outputs = [show(outputOf(read.json), 2000), show(outputOf(posted.json), 2000)];
      t.expect('the outputs', 'the same', show(outputs), outputs[0] === outputs[1]);
    },
  },
  {
    id: 'status.job-status',
    title: 'status reports the state of the job',
    clauses: ['status.job-status'],
    async run(t) {
      const { seen } = await quickJob(t, 'assertion');
      const word = stateWordOf(seen.reply.json);
      const changes = word === null ? await whatChanges(t) : null;
      const observed = word ?? changes ?? describe(seen.reply);
      t.expect('a status of the job', 'in the response', observed, word !== null || changes !== null);
    },
  },
  {
    id: 'status.outputs',
    title: 'status returns the output of a completed job',
    clauses: ['status.outputs'],
    run: async (t) => await expectOutput(t, 'the record of a quick job'),
  },
  {
    id: 'status.follows',
    title: 'status does not report a job as completed while its handler runs',
    clauses: ['status.job-status'],
    async run(t) {
      const job = await submitSlow(t, { delay_ms: DELAY_MS, echo: t.word() });
      const { reply, state } = await poll(t, job, () => true);
      t.requireAnswer('status', reply);
      const early = reply.endMs - job.reply.sentMs < DELAY_MS / 2;
      if (state === 'completed' && (!early || !(await delays(t)))) {
        t.inconclusive(`a job of ${DELAY_MS} ms had ended`, handlerThat('waits input.delay_ms'));
      }
      const what = `the state of a job of ${DELAY_MS} ms, just submitted`;
      t.expect(what, 'none that means completed', describe(reply), state !== 'completed');
    },
  },
  {
    id: 'status.running',
    title: 'status reports a running job as IN_PROGRESS',
    clauses: ['jobs.states'],
    async run(t) {
      const { observations } = await life(t, 'slow');
      const over = observations.findIndex(hasEnded);
      const [before, end] = [observations[over - 1], observations[over]];
      const words = notUnderstood(before?.reply.json);
      if (words !== null) t.inconclusive(`it is not known whether a job is running: ${words}`, 'see run.final-state');
      // A handler that works for so long and had ended by the next poll had begun by this one, whatever status says.
      const apartMs = end && before ? end.reply.endMs - before.reply.sentMs : Infinity;
      const runs = apartMs < courses.slow.requestedMs * NEARLY;
      const word = show(stateWordOf(before?.reply.json));
      t.precondition(
        'a job is polled while it runs',
        'shortly before its end',
        before ? describe(before.reply) : 'nothing',
        runs && (before?.state === 'running' || (await delays(t))),
        handlerThat('waits input.delay_ms'),
      );
      t.expect('its state', 'IN_PROGRESS', word, word === show('IN_PROGRESS'));
    },
  },
  {
    id: 'status.stays',
    title: 'A finished job keeps its state and its output',
    clauses: ['status.job-status', 'status.outputs', 'jobs.final-state-stays'],
    async run(t) {
      const { id, seen } = await quickJob(t);
      const again = await t.jobs.status(id);
      t.requireOk(again, 'assertion');
      t.precondition(
        'the finished job',
        'an output',
        show(seen.reply.json),
        [seen.reply.json, again.json].map(outputOf).some(saysSomething),
      );
      const before = show([stateWordOf(seen.reply.json), outputOf(seen.reply.json)]);
      const after = show([stateWordOf(again.json), outputOf(again.json)]);
      t.expect('state and output', before, after, before === after);
    },
  },
  {
    id: 'status.right-job',
    title: 'status reports the requested job, not another one',
    clauses: ['jobs.id-in-paths', 'status.job-status'],
    async run(t) {
      const known = await quickJob(t);
      for (const job of [known, await submit(t, { echo: t.word() }), await submit(t, { echo: t.word() })]) {
        const reply = await t.jobs.status(job.id);
        t.requireOk(reply);
        const named = jobIdOf(reply.json);
        if (named === null) continue;
        const another = named !== job.id && submittedIds(t).has(named);
        t.expect('the job in the response', job.id, named, !another);
      }
      if (t.expectations.length === 0) t.notObservable('a service whose status names the job');
    },
  },
  {
    id: 'status.own-id',
    title: 'A status record has the id of the requested job',
    clauses: ['status.envelope'],
    async run(t) {
      const { id, seen } = await quickJob(t);
      t.expect('id', show(id), show(at(seen.reply.json, 'id')), at(seen.reply.json, 'id') === id);
    },
  },
  {
    id: 'status.times',
    title: 'A completed record has delayTime and executionTime',
    clauses: ['status.times'],
    async run(t) {
      const { reply, state } = (await quickJob(t)).seen;
      if (state === 'failed') t.inconclusive(`the quick job failed: ${describe(reply)}`, 'see run.completes');
      t.expectShape(reply, 'status-complete', 'convention');
    },
  },
  {
    id: 'status.times.unit',
    title: 'executionTime is in milliseconds',
    clauses: ['status.times'],
    async run(t) {
      const job = await submit(t, { delay_ms: CONTROL_MS, echo: t.word() });
      const { reply } = await finish(t, job);
      const ran = requireTime(t, reply.json, 'executionTime');
      if (!(await delays(t))) {
        t.inconclusive(
          `a job of ${CONTROL_MS} ms took less, or no longer than one of 0 ms`,
          handlerThat('waits input.delay_ms'),
        );
      }
      const least = CONTROL_MS * NEARLY;
      t.expect(`executionTime of a job of ${CONTROL_MS} ms`, `${least} or more`, show(ran), ran >= least);
    },
  },
];
