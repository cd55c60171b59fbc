/** health: statistics of the workers, and counts that follow what happens to jobs and can be read at any time. */
import type { CountedState } from '../../schemas/job-answer.ts';
import { at, isObject, show, walk } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { canonical } from '../fixtures/canonical.ts';
import {
  counted,
  countsAtLeast,
  FEW_WORKERS,
  type Purge,
  purgeInTime,
  requireCount,
  workersRunning,
} from '../fixtures/purge.ts';
import { fillQueue, oneJobMore, runningJob } from '../fixtures/queue.ts';
import { requireLasting } from '../fixtures/quick.ts';
import { poll } from '../fixtures/submit.ts';
import { headerNames, shapeOfReply } from '../reading/shape.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const SLOW_MS = 20_000;

const numbersIn = (body: unknown): number => [...walk(body)].filter(({ value }) => typeof value === 'number').length;

const dedicated = { needs: ['dedicated'], alone: true } as const;
/** So few that no service can mean them when it protects itself. */
const BURST = 20;
/** A service that counts a job so soon after its end has counted the earlier ones, milliseconds. */
const AT_ONCE_MS = 100;

/** A scene with jobs that run and wait, whose counts can be read. */
async function counting(t: CheckContext, ...states: readonly CountedState[]): Promise<Purge> {
  const scene = await purgeInTime(t);
  for (const state of states) requireCount(t, scene.before.health, state);
  return scene;
}

const grows = (key: 'completed' | 'failed') => async (t: CheckContext) => {
  const { idle, completed, before, failed } = await counting(t, key);
  const made = key === 'failed' ? failed : before.done !== null && before.done.state !== 'failed';
  if (!made) return t.notObservable(`an endpoint with few workers on which a job ${key}`);
  const [earlier, later] = key === 'failed' ? [completed, before.health] : [idle, completed];
  const [was, is] = [counted(earlier, key) ?? Number.NaN, counted(later, key) ?? Number.NaN];
  t.expect(`${key} jobs after one more`, `more than ${show(was)}, as before it`, describe(later), is > was);
};

function requireUnused(t: CheckContext, idle: Reply): void {
  t.precondition(
    'no other job is on the endpoint',
    'none running and none queued beforehand',
    describe(idle),
    counted(idle, 'running') === 0 && counted(idle, 'queued') === 0,
    'use an endpoint that has no other users and whose workers run its jobs',
  );
}

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
      t.expectContent('health', reply);
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
      const reply = await countsAtLeast(t, jobs, 'queued', 1);
      const value = counted(reply, 'queued') ?? 0;
      t.expect('queued jobs while one waits', '1 or more', `${value} in ${describe(reply)}`, value >= 1);
    },
  },
  {
    id: 'health.counts-running',
    title: 'health counts a running job',
    clauses: ['health.statistics', 'health.agrees'],
    alone: true,
    async run(t) {
      const job = await runningJob(t, SLOW_MS);
      const reply = await countsAtLeast(t, t.jobs, 'running', 1);
      const value = counted(reply, 'running') ?? 0;
      if (value === 0) await requireLasting(t, await poll(t, job, () => true), SLOW_MS);
      t.expect('running jobs while one runs', '1 or more', `${value} in ${describe(reply)}`, value >= 1);
    },
  },
  {
    id: 'health.whole-counts',
    title: 'Every count of jobs and workers in health is a non-negative integer',
    clauses: ['health.envelope'],
    async run(t) {
      const reply = await canonical(t, 'health');
      t.requireAnswer('health', reply);
      const groups = ['jobs', 'workers'].map((key) => at(reply.json, key)).filter(isObject);
      t.precondition(
        'health has counts of jobs or workers',
        'an object jobs or workers',
        describe(reply),
        groups.length > 0,
        'see health.answers.fields',
      );
      for (const [key, value] of groups.flatMap((group) => Object.entries(group))) {
        const whole = typeof value === 'number' && Number.isInteger(value) && value >= 0;
        t.expect(key, 'a whole number, 0 or more', show(value), whole);
      }
    },
  },
  {
    id: 'health.workers-max',
    title: 'health never counts more running workers than WorkersMax',
    clauses: ['endpoint.workers-max', 'health.agrees'],
    ...dedicated,
    async run(t) {
      const { workers, health } = await oneJobMore(t);
      t.requireOk(health);
      const running = workersRunning(health);
      if (running === null) return t.notObservable('a number workers.running in health');
      t.expect('workers.running', `at most ${workers}`, describe(health), running <= workers);
    },
  },
  {
    id: 'health.agrees-with-status',
    title: 'health counts as many running and waiting jobs as status reports',
    clauses: ['health.agrees'],
    ...dedicated,
    async run(t) {
      const { before, idle } = await counting(t, 'queued', 'running');
      requireUnused(t, idle);
      const running = before.running.filter((one) => one.state === 'running').length;
      const waiting = before.queued.filter((one) => one.state === 'queued').length;
      t.precondition('jobs wait', 'at least one', String(waiting), waiting > 0);
      const { health } = before;
      const is = [counted(health, 'running'), counted(health, 'queued')];
      t.expect('running, queued', show([running, waiting]), show(is), is[0] === running && is[1] === waiting);
    },
  },
  {
    id: 'health.counts-completed',
    title: 'health counts a job that completes as completed',
    clauses: ['health.agrees'],
    ...dedicated,
    run: grows('completed'),
  },
  {
    id: 'health.counts-failed',
    title: 'health counts a job that fails as failed',
    clauses: ['health.agrees'],
    ...dedicated,
    run: grows('failed'),
  },
  {
    id: 'health.counts-as-ended',
    title: 'health counts a job once, and neither as completed nor as failed if it was not',
    clauses: ['health.agrees'],
    ...dedicated,
    async run(t) {
      const { idle, completed, before, after, failed, countedMs } = await counting(t, 'completed');
      requireUnused(t, idle);
      if (countedMs === null) return t.notObservable(FEW_WORKERS);
      if (countedMs > AT_ONCE_MS) {
        t.inconclusive(
          `health counts a job ${Math.round(countedMs)} ms after its end, so earlier ones may be among these`,
          'use an endpoint whose health follows at once',
        );
      }
      const purgedOtherwise = after.queued.filter(({ state }) => state !== 'cancelled').length;
      const steps = [
        {
          what: 'one more job',
          from: idle,
          to: completed,
          most: { completed: 1, failed: before.done?.state === 'failed' ? 1 : 0 },
        },
        ...(failed
          ? [{ what: 'one that failed', from: completed, to: before.health, most: { completed: 0, failed: 1 } }]
          : []),
        { what: 'a purge', from: before.health, to: after.health, most: { completed: 0, failed: purgedOtherwise } },
      ];
      for (const { what, from, to, most } of steps) {
        for (const key of ['completed', 'failed'] as const) {
          const [was, is] = [counted(from, key), counted(to, key)];
          // Fewer is no fault: a service may count only the jobs that it still keeps.
          if (was === null || is === null) continue;
          t.expect(`${key} jobs after ${what}`, `at most ${was + most[key]}`, describe(to), is <= was + most[key]);
        }
      }
    },
  },
  {
    id: 'health.workers-busy',
    title: 'health counts a running worker while a job runs',
    clauses: ['health.agrees'],
    ...dedicated,
    async run(t) {
      const { before } = await counting(t, 'queued');
      const busy = before.running.some((one) => one.state === 'running');
      if (!busy) return t.notObservable(FEW_WORKERS);
      const running = workersRunning(before.health);
      t.expect('workers.running', '1 or more', describe(before.health), running !== null && running >= 1);
    },
  },
  {
    id: 'health.burst',
    title: `health answers ${BURST} concurrent requests`,
    clauses: ['health.unlimited'],
    async run(t) {
      t.requireAnswer('health', await canonical(t, 'health'));
      const send = (): Promise<Reply> => t.jobs.call('health', { expects429: true });
      const replies = await Promise.all(Array.from({ length: BURST }, send));
      const refused = replies.find((reply) => !isOk(reply));
      t.expect(`${BURST} answers`, 'all 2xx', refused ? describe(refused) : 'all 2xx', refused === undefined);
    },
  },
  {
    id: 'health.gap.response',
    title: 'Statistics of health on an idle and on a busy endpoint',
    clauses: ['gap.health-response'],
    async run(t) {
      const reply = await canonical(t, 'health');
      t.note('body', shapeOfReply(reply));
      t.note('headers', headerNames(reply));
    },
  },
];
