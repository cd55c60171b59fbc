/** status-sync: the same record as status, held back until there is something to say. */
import { hasOutput, isFinal, outputOf, stateOf, stateWordOf } from '../../schemas/job-answer.ts';
import { show } from '../../schemas/json.ts';
import type { HttpMethod } from '../../schemas/operations.ts';
import { changeBetween } from '../../schemas/our-words.ts';
import { handlerThat } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { whatChanges } from '../fixtures/life.ts';
import { type QuickJob, quickJob } from '../fixtures/quick.ts';
import { anyJob, submitSlow } from '../fixtures/submit.ts';
import { describe, durationOf, type Reply } from '../target/reply.ts';

const SLOW_MS = 2000;
/** An answer about a finished job that takes longer was waiting for something. */
const PROMPT_MS = 3000;
const methods: readonly HttpMethod[] = ['GET', 'POST'];

const byMethod = methods.map(
  (method): CheckDefinition => ({
    id: `status-sync.route.${method.toLowerCase()}`,
    title: `${method} status-sync returns 2xx`,
    clauses: ['status-sync.route', 'jobs.id-in-paths', 'jobs.operations'],
    run: async (t) => t.expectOk(await t.jobs.statusSync(await anyJob(t), { method })),
  }),
);

/** Where no word for the state is found: status has it in some form, and what it says is said here. */
async function isSameRecord(t: CheckContext, { seen }: QuickJob, reply: Reply): Promise<boolean> {
  const [status, sync] = [seen.reply.json, reply.json];
  const same = changeBetween(status, sync) === null && changeBetween(sync, status) === null;
  return same && (await whatChanges(t)) !== null;
}

export const checks: readonly CheckDefinition[] = [
  ...byMethod,
  {
    id: 'status-sync.job-status',
    title: 'status-sync reports the state of the job',
    clauses: ['status-sync.job-status'],
    async run(t) {
      const job = await quickJob(t);
      const reply = await t.jobs.statusSync(job.id);
      t.requireOk(reply, 'assertion');
      const [word, plain] = [stateWordOf(reply.json), stateWordOf(job.seen.reply.json)];
      const holds =
        word === null && plain === null ? await isSameRecord(t, job, reply) : word !== null && (plain ?? word) === word;
      t.expect('a status of the job', plain ?? 'in the response', word ?? describe(reply), holds);
    },
  },
  {
    id: 'status-sync.waits',
    title: 'status-sync of an unfinished job responds when the job has ended',
    clauses: ['status-sync.waits'],
    async run(t) {
      t.needWorkers();
      const job = await submitSlow(t, { delay_ms: SLOW_MS, echo: t.word() });
      const reply = await t.jobs.statusSync(job.id);
      t.requireOk(reply, 'assertion');
      const state = stateOf(reply.json);
      const took = Math.round(reply.endMs - job.reply.endMs);
      const ended = isFinal(state) || (state === 'unknown' && hasOutput(reply.json));
      if (ended && took < SLOW_MS * 0.5) {
        t.inconclusive(`a job of ${SLOW_MS} ms had ended after ${took} ms`, handlerThat('waits input.delay_ms'));
      }
      const observed = `${stateWordOf(reply.json) ?? describe(reply)} after ${took} ms`;
      // It held its response for longer than the job should take: that the job has not ended is not its fault.
      if (!ended && took > SLOW_MS && !isFinal(stateOf((await t.jobs.status(job.id)).json)))
        t.inconclusive(`the job of ${SLOW_MS} ms had not ended: ${observed}`, 'see the checks of run');
      t.expect(`the response for a job of ${SLOW_MS} ms`, 'a final state', observed, ended);
    },
  },
  {
    id: 'status-sync.prompt',
    title: 'status-sync of a finished job responds at once',
    clauses: ['status-sync.waits'],
    async run(t) {
      const job = await quickJob(t);
      const reply = await t.jobs.statusSync(job.id);
      t.requireAnswer('status-sync', reply);
      const took = Math.round(durationOf(reply));
      t.expect('the answer', `within ${PROMPT_MS} ms`, `${took} ms`, took <= PROMPT_MS);
    },
  },
  {
    id: 'status-sync.output',
    title: 'status-sync of a finished job returns the output',
    clauses: ['status.envelope', 'status-sync.waits'],
    async run(t) {
      const job = await quickJob(t);
      const reply = await t.jobs.statusSync(job.id);
      t.requireOk(reply);
      const [here, there] = [show(outputOf(reply.json), 2000), show(outputOf(job.seen.reply.json), 2000)];
      t.expect('the output', there, here, here === there);
    },
  },
];
