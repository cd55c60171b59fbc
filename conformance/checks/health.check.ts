/** health: statistics of the workers, and counts that follow what happens to jobs. */
import type { CheckDefinition } from '../check.ts';
import { canonical } from '../fixtures/canonical.ts';
import { counted, countsAtLeast } from '../fixtures/purge.ts';
import { fillQueue, runningJob } from '../fixtures/queue.ts';
import { show, walk } from '../reading/json.ts';
import { describe } from '../target/reply.ts';

const SLOW_MS = 20_000;

const numbersIn = (body: unknown): number => [...walk(body)].filter(({ value }) => typeof value === 'number').length;

export const checks: readonly CheckDefinition[] = [
  {
    id: 'health.route',
    title: 'GET health returns 2xx',
    clauses: ['health.route', 'jobs.operations', 'versioning.jobs'],
    run: async (t) => t.expectAnswered('health', await canonical(t, 'health')),
  },
  {
    id: 'health.statistics',
    title: 'A health response contains statistics',
    clauses: ['health.statistics', 'health.endpoint'],
    async run(t) {
      const reply = await canonical(t, 'health');
      t.requireOk(reply, 'assertion');
      t.expect('numbers', 'at least one', describe(reply), numbersIn(reply.json) > 0);
    },
  },
  {
    id: 'health.workers',
    title: 'The statistics of health are about workers',
    clauses: ['health.statistics'],
    level: 'convention',
    because: 'information about workers is documented, the name of the field is not',
    async run(t) {
      const reply = await canonical(t, 'health');
      t.requireAnswer('health', reply);
      const fields = [...walk(reply.json)].filter(({ key }) => key !== '');
      t.expect(
        'a field about workers',
        'one with numbers',
        show(fields.map(({ key }) => key)),
        fields.some(({ key, value }) => /worker/i.test(key) && numbersIn(value) > 0),
      );
    },
  },
  {
    id: 'health.counts-queued',
    title: 'health counts a waiting job',
    clauses: ['health.statistics', 'health.agrees'],
    alone: true,
    async run(t) {
      const { jobs } = await fillQueue(t, { count: 1 });
      const reply = await countsAtLeast(t, jobs, 'inQueue', 1);
      const value = counted(reply, 'jobs', 'inQueue') ?? 0;
      t.expect('jobs.inQueue while a job waits', '1 or more', `${value} in ${describe(reply)}`, value >= 1);
    },
  },
  {
    id: 'health.counts-running',
    title: 'health counts a running job',
    clauses: ['health.statistics', 'health.agrees'],
    alone: true,
    async run(t) {
      await runningJob(t, SLOW_MS);
      const reply = await countsAtLeast(t, t.jobs, 'inProgress', 1);
      const value = counted(reply, 'jobs', 'inProgress') ?? 0;
      t.expect('jobs.inProgress while a job runs', '1 or more', `${value} in ${describe(reply)}`, value >= 1);
    },
  },
];
