/** run: an id at once, a job that is worked off later, and outputs that belong to it. */
import { isFinal, jobIdOf, outputOf, stateOf, stateWordOf } from '../../schemas/job-answer.ts';
import { mentions, show } from '../../schemas/json.ts';
import { handlerThat, workloadOf } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import { crowd, crowdWork } from '../fixtures/crowd.ts';
import { expectUnchanged } from '../fixtures/echo.ts';
import { expectReason, failedJob, failedSync, hasNoEcho } from '../fixtures/failure.ts';
import { describeOutput, expectOutput, expectTaken, quickJob, requireEcho } from '../fixtures/quick.ts';
import { adopt, finish, firstRun, hasEnded, poll, statusOf, submit, submitSlow } from '../fixtures/submit.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe, durationOf, isOk } from '../target/reply.ts';

const MANY = 20;
const SEVERAL = 4;
const SLOW_MS = 3000;

export const checks: readonly CheckDefinition[] = [
  {
    id: 'run.route',
    title: 'POST run returns 2xx at its versioned path',
    clauses: ['run.route', 'versioning.jobs', 'jobs.instance'],
    async run(t) {
      const reply = await firstRun(t);
      await expectTaken(t, reply);
      t.requireAnswer('run', reply);
    },
  },
  {
    id: 'run.job-id',
    title: 'run returns a job id',
    clauses: ['run.job-id', 'jobs.asynchronous'],
    async run(t) {
      const reply = await firstRun(t);
      await expectTaken(t, reply);
      const id = jobIdOf(reply.json);
      t.expect('a job id', 'in the response', id ?? describe(reply), id !== null);
    },
  },
  {
    id: 'run.asynchronous',
    title: 'run responds before the job has ended',
    clauses: ['jobs.asynchronous'],
    // Where run waits for its job, those of other checks would keep it from responding at all.
    alone: true,
    first: true,
    async run(t) {
      const job = await submitSlow(t, { delay_ms: SLOW_MS, echo: t.word() });
      const took = Math.round(durationOf(job.reply));
      const seen = await poll(t, job, () => true);
      if (took >= SLOW_MS) {
        t.expect(`run with a job of ${SLOW_MS} ms`, 'a response before the job ends', `${took} ms`, false);
        return;
      }
      if (hasEnded(seen)) {
        t.inconclusive(
          `a job of ${SLOW_MS} ms had ended ${took} ms after its submission`,
          handlerThat('waits input.delay_ms'),
        );
      }
      t.expect(`run with a job of ${SLOW_MS} ms`, 'a response before the job ends', `${took} ms`, true);
    },
  },
  {
    id: 'run.found',
    title: 'status finds a job right after the run response',
    clauses: ['jobs.id-in-paths', 'status.job-status'],
    async run(t) {
      for (let count = 0; count < SEVERAL; count += 1) {
        const job = adopt(t, await t.jobs.run({ echo: t.word() }));
        t.defer((client) => client.at(job.jobs.instId).cancel(job.id));
        const first = await t.jobs.status(job.id);
        const found = first.status === 404 ? await statusOf(t, job) : first;
        t.requireOk(found);
        const afterMs = Math.round(found.sentMs - job.reply.endMs);
        const later = found === first ? '' : `, and ${afterMs} ms after the response it was found`;
        t.expect('status at once', 'a job that is found', `${describe(first)}${later}`, found === first);
      }
    },
  },
  {
    id: 'run.completes',
    title: 'A submitted job completes, and its output can be retrieved by its id',
    clauses: ['jobs.asynchronous', 'jobs.id-in-paths', 'status.outputs'],
    run: async (t) => await expectOutput(t, 'the output of a quick job'),
  },
  {
    id: 'run.none-lost',
    title: 'No submitted job is lost',
    clauses: ['jobs.asynchronous', 'jobs.id-in-paths', 'status.outputs'],
    alone: true,
    async run(t) {
      await quickJob(t);
      const all = await crowd(t);
      const ended = all.filter(({ seen }) => hasEnded(seen)).length;
      t.expect(`of ${all.length} jobs`, 'all end, and each id finds its job', `${ended} ended`, ended === all.length);
    },
  },
  {
    id: 'run.outputs-crowd',
    title: 'Each of 200 concurrent jobs gets its own output',
    clauses: ['status.outputs', 'jobs.id-in-paths'],
    alone: true,
    async run(t) {
      await requireEcho(t, workloadOf(await crowdWork(t)));
      const all = await t.shared('crowd-read', () => crowd(t), 'precondition');
      const mixed = all.filter(
        ({ word, seen }) =>
          !mentions(outputOf(seen.reply.json), word) ||
          all.some((other) => other.word !== word && seen.reply.text.includes(other.word)),
      );
      const [first] = mixed;
      const observed = first ? `${mixed.length} did not: ${describe(first.seen.reply)}` : `all ${all.length} did`;
      t.expect('the outputs', 'each job returns its own word', observed, mixed.length === 0 && all.length > 0);
    },
  },
  {
    id: 'run.ids-unique',
    title: 'No two jobs have the same id',
    clauses: ['jobs.id-unique'],
    async run(t) {
      const ids: string[] = [];
      while (ids.length < MANY) ids.push((await submit(t, { echo: t.word() })).id);
      const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
      t.expect(
        `the ids of ${MANY} jobs`,
        'all different',
        doubled.length > 0 ? show(doubled) : 'all different',
        doubled.length === 0,
      );
    },
  },
  {
    id: 'run.outputs-apart',
    title: 'Each of several jobs gets its own output',
    clauses: ['status.outputs', 'jobs.id-in-paths'],
    async run(t) {
      await requireEcho(t);
      const words = [t.word(), t.word(), t.word()];
      const jobs = await Promise.all(words.map((word) => submit(t, { echo: word })));
      for (const [index, job] of jobs.entries()) {
        const { reply } = await finish(t, job);
        const others = words.filter((word, other) => other !== index && mentions(reply.json, word));
        const own = mentions(outputOf(reply.json), words[index] ?? '');
        t.expect(`the output of job ${index + 1}`, 'its own output', describeOutput(reply), own && others.length === 0);
      }
    },
  },
  {
    id: 'run.output-exact',
    title: 'Input and output with any characters are passed unchanged',
    clauses: ['jobs.input'],
    async run(t) {
      const echo = { text: 'żółć 漢字 🙂 "quoted" \\ \n end', list: [1, 2.5, null, true], nested: { empty: {} } };
      await expectUnchanged(t, 'run', echo, false);
    },
  },
  {
    id: 'run.status-200',
    title: 'run returns status 200',
    clauses: ['run.status-200'],
    async run(t) {
      const { reply } = await quickJob(t);
      t.expectStatus(reply, 200);
    },
  },
  {
    id: 'run.failure',
    title: 'A job whose handler fails ends as FAILED with an error',
    clauses: ['jobs.failure', 'jobs.states'],
    async run(t) {
      const failed = await failedJob(t, 'assertion');
      const { reply } = failed;
      if (stateOf(reply.json) === 'completed' && !(await hasNoEcho(t, failed))) {
        t.inconclusive('the job whose input makes it fail completed', handlerThat('fails with input.fail'));
      }
      t.expect('its state', 'FAILED', show(stateWordOf(reply.json)), stateWordOf(reply.json) === 'FAILED');
      expectReason(t, failed, await failedSync(t));
    },
  },
  {
    id: 'run.same-job-everywhere',
    title: 'A job is not found on another endpoint',
    clauses: ['jobs.foreign-job', 'jobs.instance'],
    level: 'convention',
    because: 'the path implies that a job belongs to its instance, but the documentation does not say so',
    needs: ['two-endpoints'],
    async run(t) {
      const job = await quickJob(t);
      const other = t.target.config.endpoints.find((one) => one.instId !== t.endpoint.instId);
      const reply = await t.jobs.at(other?.instId ?? '').status(job.id);
      t.expect('a job of another endpoint', REFUSAL, describe(reply), isRefusal(reply));
      t.expect('its output', 'not returned', describe(reply), !(isOk(reply) && mentions(reply.json, job.word)));
    },
  },
  {
    id: 'run.final-state',
    title: 'A job ends with a conventional state',
    clauses: ['jobs.states'],
    async run(t) {
      const { seen } = await quickJob(t);
      const word = stateWordOf(seen.reply.json);
      const expected = seen.state === 'failed' ? 'FAILED' : 'COMPLETED';
      t.expect('the state of a quick job', expected, show(word), word === expected && isFinal(seen.state));
    },
  },
];
