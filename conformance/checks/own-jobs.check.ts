/**
 * What became of all jobs of a run, whichever check submitted them: no id twice, no result of another job, no way back,
 * none forgotten before its time, none listed twice. These run after all others; alone they first submit
 * something themselves.
 */
import type { Exchange } from '../../schemas/facts.ts';
import { jobIdOf } from '../../schemas/job-answer.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { lived } from '../fixtures/life.ts';
import { quickJob, quickSync } from '../fixtures/quick.ts';
import { submitAny, submitSlow } from '../fixtures/submit.ts';
import type { JobFinding } from '../target/job-log.ts';

const FEWEST = 2;
const SLOW_MS = 30_000;

interface Observed {
  readonly found: JobFinding | null;
  readonly count: number;
  readonly example: Exchange | undefined;
}

/** Asserts something of all requests of the run; the requests that show a break are the evidence. */
function expectNone(t: CheckContext, { found, count, example }: Observed, what: string, expected: string): void {
  t.precondition(what, 'at least one response to check', 'nothing', count > 0);
  for (const exchange of found?.exchanges ?? (example ? [example] : [])) t.evidence.add(exchange);
  const observed = found === null ? `all ${count}` : t.target.masker.text(found.words);
  t.expect(what, expected, observed, found === null);
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'run.answers.ids',
    title: 'No two jobs of this run have the same id',
    clauses: ['jobs.id-unique', 'run.job-id'],
    last: true,
    async run(t) {
      const { jobs: log } = t.target.answers;
      for (let count = log.ids; count < FEWEST; count += 1) await submitAny(t, {});
      expectNone(
        t,
        { found: log.twice, count: log.ids, example: log.examples.ids },
        'the ids returned by run',
        'each returned once',
      );
    },
  },
  {
    id: 'status.answers.own-results',
    title: 'No response about a job contains data of another job',
    clauses: ['status.outputs', 'runsync.results', 'jobs.id-in-paths'],
    last: true,
    async run(t) {
      const { jobs: log } = t.target.answers;
      if (log.ownWords === 0 && log.foreignWord === null) await quickJob(t);
      const count = log.ownWords + (log.foreignWord === null ? 0 : 1);
      const observed = { found: log.foreignWord, count, example: log.examples.words };
      expectNone(
        t,
        observed,
        'the echoed words of this run in responses about its jobs',
        'each in responses about its own job',
      );
    },
  },
  {
    id: 'status.answers.forward',
    title: 'No response about a job of this run leads back to an earlier state, or from one end to another',
    clauses: ['jobs.forward', 'jobs.states'],
    last: true,
    async run(t) {
      const { jobs: log } = t.target.answers;
      if (log.moves === 0) await lived(t, 'slow');
      const observed = { found: log.back, count: log.moves, example: log.examples.moves };
      expectNone(t, observed, 'the responses about jobs that were in another state before', 'each in a later state');
    },
  },
  {
    id: 'run.answers.kept',
    title: 'No run job of this run disappears within its documented retention',
    clauses: ['run.retention', 'jobs.id-in-paths'],
    last: true,
    async run(t) {
      const { jobs: log } = t.target.answers;
      const { id } = await quickJob(t);
      await t.jobs.status(id);
      const observed = { found: log.forgotten.run, count: log.requested.run, example: log.examples.run };
      expectNone(t, observed, 'the jobs that run accepted', 'available for the documented time');
    },
  },
  {
    id: 'runsync.answers.kept',
    title: 'No runsync job of this run disappears within its documented retention',
    clauses: ['runsync.retention'],
    last: true,
    async run(t) {
      const { jobs: log } = t.target.answers;
      const known = log.found(t.endpoint.instId, 'runsync');
      const id = known ?? jobIdOf((await quickSync(t, 'precondition')).reply.json);
      if (id !== null) await t.jobs.status(id);
      const observed = { found: log.forgotten.runsync, count: log.requested.runsync, example: log.examples.runsync };
      expectNone(t, observed, 'the jobs that runsync accepted', 'available for the documented time');
    },
  },
  {
    id: 'requests.once',
    title: 'requests lists no job twice',
    clauses: ['requests.list', 'requests.own'],
    last: true,
    async run(t) {
      const { jobs: log } = t.target.answers;
      if (log.rows === 0) {
        await submitSlow(t, { delay_ms: SLOW_MS });
        await t.room('requests', 1);
        await t.jobs.requests();
      }
      const observed = { found: log.listedTwice, count: log.rows, example: log.examples.rows };
      expectNone(t, observed, 'the jobs of this run in lists of requests', 'each in one row of a list');
    },
  },
];
