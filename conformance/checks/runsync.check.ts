/** runsync: the results of the job in the answer itself. */
import { idKeyOf, jobIdOf, stateOf, stateWordOf } from '../../schemas/job-answer.ts';
import { mentions, saysSomething, show } from '../../schemas/json.ts';
import { handlerThat, type WorkloadWish, workloadOf } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { CROWD, crowdWork } from '../fixtures/crowd.ts';
import { expectReason, failedJob, failedSync } from '../fixtures/failure.ts';
import { lived } from '../fixtures/life.ts';
import { CONTROL_MS, delays, expectTaken, quickJob, quickSync, requireEcho, requireOutput } from '../fixtures/quick.ts';
import { firstRun, isAlive } from '../fixtures/submit.ts';
import { resultsOf } from '../reading/answer.ts';
import { describe, durationOf, isOk, type Reply } from '../target/reply.ts';

const SLOW_MS = 1000;
const SEVERAL = 4;
/** For a record that is kept elsewhere to get there. */
const MOMENT_MS = 500;

/**
 * A response before the job's end has no result: how long runsync waits is the subject of another check. Not so where
 * it comes at once, and runsync waits for a job that takes a second.
 *
 * @throws Inconclusive
 */
async function excuseUnfinished(t: CheckContext, reply: Reply): Promise<void> {
  const state = stateOf(reply.json);
  // Without a state that can be read it may be either.
  if (!isAlive({ state }) && (state !== 'unknown' || saysSomething(resultsOf(reply)))) return;
  if (durationOf(reply) < CONTROL_MS / 2 && (await delays(t))) return;
  t.inconclusive(`runsync did not wait for all of them: ${describe(reply)}`, 'use an endpoint with faster workers');
}

/**
 * One that did wait, and responded before the end of a job that may take longer than that: it is there for shorter ones.
 *
 * @param delayMs for which the job was to wait
 * @throws Inconclusive
 */
async function excuseLong(t: CheckContext, reply: Reply, delayMs: number): Promise<void> {
  const waitedMs = Math.round(durationOf(reply));
  if (!isAlive({ state: stateOf(reply.json) }) || waitedMs < SLOW_MS) return;
  const { reply: submitted, seen } = await quickJob(t);
  const tookMs = Math.round(seen.reply.endMs - submitted.sentMs);
  if (tookMs + delayMs < waitedMs) return;
  const what = `runsync responded after ${waitedMs} ms, and a job of ${delayMs} ms may take ${tookMs + delayMs} ms`;
  t.inconclusive(`${what}: ${describe(reply)}`, 'deploy a quicker handler');
}

/** Each of so many synchronous jobs at the same time must get its own result, and not that of another. */
async function together(t: CheckContext, count: number, workload: WorkloadWish): Promise<void> {
  await requireEcho(t, workloadOf(workload));
  const words = Array.from({ length: count }, () => t.word());
  const replies = await Promise.all(words.map((word) => t.jobs.runsync({ ...workload, echo: word })));
  for (const [index, reply] of replies.entries()) {
    t.requireOk(reply, 'assertion');
    const others = words.filter((word, other) => other !== index && reply.text.includes(word));
    const own = mentions(resultsOf(reply), words[index] ?? '');
    await excuseUnfinished(t, reply);
    t.expect(`the result of job ${index + 1}`, 'its own output', describe(reply), own && others.length === 0);
  }
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'runsync.route',
    title: 'POST runsync returns 2xx',
    clauses: ['runsync.route'],
    async run(t) {
      const { reply } = await quickSync(t);
      await expectTaken(t, reply);
      t.requireAnswer('runsync', reply);
    },
  },
  {
    id: 'runsync.results',
    title: 'runsync returns the output of a quick job',
    clauses: ['runsync.results', 'jobs.synchronous'],
    async run(t) {
      const { reply } = await quickSync(t);
      await expectTaken(t, reply);
      const holds = saysSomething(resultsOf(reply));
      if (!holds) await requireOutput(t, (await quickJob(t)).seen.reply);
      await excuseLong(t, reply, 0);
      t.expect('the results', 'in the response', describe(reply), holds);
    },
  },
  {
    id: 'runsync.waits',
    title: 'runsync waits for a job that takes a second',
    clauses: ['runsync.results', 'jobs.synchronous'],
    async run(t) {
      t.needWorkers();
      const word = t.word();
      const reply = await t.jobs.runsync({ delay_ms: SLOW_MS, echo: word });
      const took = Math.round(durationOf(reply));
      const output = isOk(reply) ? resultsOf(reply) : undefined;
      if (took < SLOW_MS * 0.9 && saysSomething(output)) {
        t.inconclusive(`a job of ${SLOW_MS} ms had a result after ${took} ms`, handlerThat('waits input.delay_ms'));
      }
      if (!saysSomething(output)) await requireOutput(t, (await lived(t, 'slow')).last.reply);
      await excuseLong(t, reply, SLOW_MS);
      t.expect('the results', 'in the response', `${describe(reply)} after ${took} ms`, saysSomething(output));
    },
  },
  {
    id: 'runsync.results-apart',
    title: 'Each of several concurrent synchronous jobs returns its own output',
    clauses: ['runsync.results', 'jobs.synchronous'],
    run: (t) => together(t, SEVERAL, {}),
  },
  {
    id: 'runsync.results-crowd',
    title: 'Each of many concurrent synchronous jobs returns its own output',
    clauses: ['runsync.results', 'jobs.synchronous'],
    alone: true,
    run: async (t) => together(t, CROWD, await crowdWork(t)),
  },
  {
    id: 'runsync.status-200',
    title: 'runsync returns status 200',
    clauses: ['run.status-200'],
    async run(t) {
      const { reply } = await quickSync(t);
      t.requireAnswer('runsync', reply);
      t.expectStatus(reply, 200);
    },
  },
  {
    id: 'runsync.job',
    title: 'status finds a synchronous job by its id',
    clauses: ['runsync.job'],
    async run(t) {
      t.needWorkers();
      const word = t.word();
      const reply = await t.jobs.runsync({ echo: word });
      t.requireOk(reply);
      const id = jobIdOf(reply.json);
      t.expect('its id', 'in the response', id ?? describe(reply), id !== null);
      if (id === null) return;
      for (const method of t.jobs.methods('status')) t.expectOk(await t.jobs.call('status', { method, jobId: id }));
    },
  },
  {
    id: 'runsync.available',
    title: 'status finds a synchronous job right after the runsync response',
    clauses: ['runsync.retention'],
    async run(t) {
      t.needWorkers();
      await requireEcho(t);
      const [word, key] = [t.word(), idKeyOf((await firstRun(t)).json)];
      const reply = await t.jobs.runsync({ echo: word });
      t.requireOk(reply);
      t.precondition(
        'the job has ended',
        'its own results',
        describe(reply),
        mentions(resultsOf(reply), word),
        'see runsync.results-apart',
      );
      const id = jobIdOf(reply.json) ?? t.inconclusive(`runsync returns no id: ${describe(reply)}`, 'see runsync.job');
      const first = await t.jobs.status(id);
      if (!isOk(first)) await t.sleep(MOMENT_MS);
      const found = isOk(first) ? first : await t.jobs.status(id);
      // What stands under the name that run has for the id of a job is one; another may be the number of a request.
      const isIt = isOk(found) && found.text.includes(word);
      if (!isIt && (key === null || idKeyOf(reply.json) !== key)) {
        t.inconclusive(`runsync returns no id in the field that run uses: ${describe(reply)}`, 'see runsync.job');
      }
      t.expectOk(found);
    },
  },
  {
    id: 'runsync.ids-unique',
    title: 'Two synchronous jobs have different ids',
    clauses: ['jobs.id-unique', 'runsync.job'],
    level: 'convention',
    because: 'only the response of run is documented to have an id',
    async run(t) {
      const first = jobIdOf((await quickSync(t)).reply.json);
      const second = jobIdOf((await t.jobs.runsync({ echo: t.word() })).json);
      if (first === null || second === null) t.inconclusive('runsync returns no id', 'see runsync.job');
      t.expect('the ids of two jobs', 'two different ids', show([first, second]), first !== second);
    },
  },
  {
    id: 'runsync.failure',
    title: 'runsync reports a failed handler as FAILED with an error',
    clauses: ['jobs.failure', 'jobs.states'],
    async run(t) {
      t.requireAnswer('runsync', (await quickSync(t)).reply);
      const failed = await failedSync(t);
      const { reply } = failed;
      const state = stateWordOf(reply.json);
      await excuseUnfinished(t, reply);
      if (state === 'COMPLETED') {
        t.inconclusive('the job whose input makes it fail completed', handlerThat('fails with input.fail'));
      }
      t.expect('its state', 'FAILED', show(state), state === 'FAILED');
      expectReason(t, failed, await failedJob(t));
    },
  },
];
