/** Faults in waiting for jobs: who is not woken, who is held too long, what gets mixed up in a crowd. */
import { json } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { answers, type Body, bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { type Mutant, type Plant, rules } from './mutant.ts';

const LATE_MS = 5000;
const LONG_MS = 90_000;
const BLOCKED_MS = 2000;
const CROWD = 50;
const BURST_MS = 20;

const isOver = ({ status }: Body): boolean => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(status));
const isSync = (jobId: string | undefined): boolean => String(jobId).startsWith('sync-');

/** Answers status-sync late where its record is such. */
const late = (applies: (record: Body, about: Outgoing) => boolean): Plant =>
  answers(async (reply, about) => {
    const record = about.id === 'status-sync' && succeeded(reply) ? bodyOf(reply) : null;
    if (record && applies(record, about)) await about.clock.sleep(LATE_MS);
    return reply;
  });

/** Of several who wait for one job only the first is woken in time. */
const oneWoken: Plant = withMemory(() => {
  const woken = new Map<unknown, number>();
  return async (reply, { id, clock, inFlight }) => {
    const record = id === 'status-sync' && succeeded(reply) ? bodyOf(reply) : null;
    if (!record || !isOver(record) || inFlight < 2) return reply;
    if (woken.get(record.id) === clock.now()) await clock.sleep(LATE_MS);
    else woken.set(record.id, clock.now());
    return reply;
  };
});

/** Has jobs of runsync that were not waited for cancelled, as far as anybody can see. */
const givesUp: Plant = withMemory(() => {
  const left = new Set<unknown>();
  return (reply, { id, parameters }) => {
    const record = id === 'runsync' && succeeded(reply) ? bodyOf(reply) : null;
    if (record && !isOver(record)) left.add(record.id);
    const asked = (id === 'status' || id === 'status-sync') && left.has(parameters.job_id);
    return asked ? withBody(reply, { id: parameters.job_id, status: 'CANCELLED' }) : reply;
  };
});

/** Gives jobs of a burst of submissions the output of the one that was looked at before. */
const mixedInABurst: Plant = withMemory(() => {
  const submitted: number[] = [];
  const burst = new Set<unknown>();
  let last: unknown = null;
  return (reply, { id, clock }) => {
    const record = (id === 'run' || id === 'status') && succeeded(reply) ? bodyOf(reply) : null;
    if (!record) return reply;
    if (id === 'run') {
      submitted.push(clock.now());
      if (clock.now() - (submitted.at(-CROWD) ?? 0) < BURST_MS) burst.add(record.id);
      return reply;
    }
    if (record.status !== 'COMPLETED' || !burst.has(record.id)) return reply;
    const other = last;
    last = record.output;
    return withBody(reply, { ...record, output: other });
  };
});

type Fault = Omit<Mutant, 'turnsRed'> & { readonly turnsRed?: readonly string[] };

const faults: readonly Fault[] = [
  {
    name: 'second-waiter-starves',
    clauses: ['status-sync.waits'],
    does: 'wakes one of several who wait for the same job, and the others seconds later',
    warns: ['status-sync.wakes.completed'],
    apply: oneWoken,
  },
  {
    name: 'waiter-not-woken-by-failure',
    clauses: ['status-sync.waits'],
    does: 'goes on holding status-sync for seconds when a job has failed',
    warns: ['status-sync.wakes.failed', 'status-sync.prompt.failing'],
    apply: late(({ status }) => status === 'FAILED'),
  },
  {
    name: 'waiter-not-woken-by-cancel',
    clauses: ['status-sync.waits'],
    does: 'goes on holding status-sync for seconds when a running job was cancelled',
    warns: ['status-sync.wakes.cancelled', 'status-sync.prompt.cancelled'],
    apply: late(({ status, delayTime }) => status === 'CANCELLED' && delayTime !== undefined),
  },
  {
    name: 'waiter-in-the-queue-not-woken-by-cancel',
    clauses: ['status-sync.waits'],
    does: 'goes on holding status-sync for seconds when a queued job was cancelled',
    warns: ['status-sync.wakes.cancelled-queued'],
    apply: late(({ status, delayTime }) => status === 'CANCELLED' && delayTime === undefined),
  },
  {
    name: 'waiter-in-the-queue-starves',
    clauses: ['status-sync.waits'],
    does: 'goes on holding status-sync for seconds when a job has ended that had to wait for a worker',
    warns: ['status-sync.wakes.queued'],
    apply: late(({ status, delayTime }) => status === 'COMPLETED' && Number(delayTime) > 100),
  },
  {
    name: 'status-sync-post-does-not-wait',
    clauses: ['status-sync.waits'],
    does: 'answers POST status-sync at once',
    warns: ['status-sync.waits.post'],
    apply: rules({ statusSyncWait: (askedMs, method) => (method === 'POST' ? 0 : askedMs) }),
  },
  {
    name: 'status-sync-ignores-wait',
    clauses: ['status-sync.wait'],
    does: 'holds status-sync for a minute and a half, whatever wait is asked for',
    warns: ['status-sync.wait'],
    apply: rules({ statusSyncWait: () => LONG_MS }),
  },
  {
    name: 'runsync-ignores-wait',
    clauses: ['runsync.wait'],
    does: 'holds runsync for a minute and a half, whatever wait is asked for',
    warns: ['runsync.wait'],
    apply: rules({ runsyncWait: () => LONG_MS }),
  },
  {
    name: 'runsync-gives-up-the-job',
    clauses: ['runsync.wait', 'runsync.job'],
    does: 'cancels the job of a runsync that is answered before its end',
    warns: ['runsync.goes-on', 'runsync.found'],
    apply: givesUp,
  },
  {
    name: 'running-sync-job-unknown',
    clauses: ['runsync.wait', 'runsync.job'],
    does: 'does not know the job of a runsync before it has ended',
    warns: ['runsync.found'],
    apply: answers((reply, { id, parameters }) => {
      const record = id === 'status' && isSync(parameters.job_id) && succeeded(reply) ? bodyOf(reply) : null;
      return record && !isOver(record) ? json(404, { error: 'job not found' }) : reply;
    }),
  },
  {
    name: 'health-held-up',
    clauses: ['jobs.held-alone'],
    does: 'answers health only after those who wait for jobs',
    warns: ['status.while-others-wait'],
    apply: answers(async (reply, { id, inFlight, clock }) => {
      if (id === 'health' && inFlight > 3) await clock.sleep(BLOCKED_MS);
      return reply;
    }),
  },
  {
    name: 'outputs-mixed-up-in-a-burst',
    clauses: ['status.outputs', 'jobs.id-in-paths'],
    does: `gives jobs each other's outputs when ${CROWD} were submitted at the same time`,
    turnsRed: ['run.outputs-crowd'],
    apply: mixedInABurst,
  },
];

export const lifeWaitMutants: readonly Mutant[] = faults.map((one) => ({ turnsRed: [], ...one }));
