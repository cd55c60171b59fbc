/** Faults in cancel: jobs that go on after it, others that it stops, and what it does to those that had ended. */
import { json } from '../reply.ts';
import type { HealthCounts, Outgoing } from '../rules.ts';
import { type Alter, answers, type Body, bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { all, type Mutant, type Plant, rules, rulesWithMemory } from './mutant.ts';

const SLOW_MS = 4000;
const LATER_MS = 700;
const IN_QUEUE_LATER_MS = 100;
const READING: readonly Outgoing['id'][] = ['status', 'status-sync'];

/** Changes what is reported of jobs whose cancel had a certain response; `change` gets the time since. */
const afterCancel = (
  meant: (answer: Body) => boolean,
  change: (record: Body, sinceMs: number) => Body,
  ids: readonly Outgoing['id'][] = READING,
): Plant =>
  withMemory(() => {
    const cancelled = new Map<unknown, number>();
    return (reply, { id, parameters, clock }) => {
      const record = succeeded(reply) ? bodyOf(reply) : null;
      if (!record) return reply;
      if (id === 'cancel' && meant(record)) cancelled.set(parameters.job_id, clock.now());
      const atMs = cancelled.get(parameters.job_id);
      return atMs !== undefined && ids.includes(id) ? withBody(reply, change(record, clock.now() - atMs)) : reply;
    };
  });

const wasRunning = ({ status, delayTime }: Body): boolean => status === 'CANCELLED' && delayTime !== undefined;
const wasQueued = ({ status, delayTime }: Body): boolean => status === 'CANCELLED' && delayTime === undefined;

const laterComplete = (afterMs: number) => (record: Body, sinceMs: number) =>
  sinceMs < afterMs ? record : { ...record, status: 'COMPLETED', output: 'late' };

/** Calls the job that was submitted right after a cancelled one cancelled too. */
const withTheNext: Plant = withMemory(() => {
  const next = new Map<unknown, unknown>();
  const taken = new Set<unknown>();
  let last: unknown;
  return (reply, { id, parameters }) => {
    const record = succeeded(reply) ? bodyOf(reply) : null;
    if (record && id === 'run') {
      next.set(last, record.id);
      last = record.id;
    }
    if (id === 'cancel') taken.add(next.get(parameters.job_id));
    const isWithdrawn = record !== null && id === 'status' && taken.has(parameters.job_id);
    return isWithdrawn ? withBody(reply, { id: parameters.job_id, status: 'CANCELLED' }) : reply;
  };
});

/** Counts cancelled jobs as if they were still there. */
const stillCounted: Plant = (options) => {
  let cancelled = 0;
  const counting: Alter = (reply, { id }) => {
    if (id === 'cancel' && succeeded(reply)) cancelled += 1;
    return reply;
  };
  const health = (counts: HealthCounts): HealthCounts => {
    const before = options.rules.health(counts);
    const { inQueue, inProgress } = before.jobs;
    return { ...before, jobs: { ...before.jobs, inQueue: inQueue + cancelled, inProgress: inProgress + cancelled } };
  };
  return all(answers(counting), rules({ health }))(options);
};

/** The worker works on, though every response says that the job is cancelled. */
const worksOn: Plant = all(
  rulesWithMemory(() => ({ cancels: (state) => state === 'IN_QUEUE' })),
  afterCancel(
    ({ status }) => status === 'CANCELLED',
    ({ id }) => ({ id, status: 'CANCELLED' }),
  ),
);

const secondFails: Plant = withMemory(() => {
  const times = new Map<unknown, number>();
  return (reply, { id, parameters }) => {
    const { job_id: jobId } = parameters;
    if (id === 'cancel') times.set(jobId, (times.get(jobId) ?? 0) + 1);
    const record = READING.includes(id) && succeeded(reply) ? bodyOf(reply) : null;
    const changed = record?.status === 'CANCELLED' && (times.get(jobId) ?? 0) > 1;
    return changed ? withBody(reply, { ...record, status: 'FAILED' }) : reply;
  };
});

export const lifeCancelMutants: readonly Mutant[] = [
  {
    name: 'cancelled-completes-later',
    clauses: ['cancel.cancels', 'jobs.forward'],
    does: 'has a cancelled job complete when it would have anyway',
    apply: afterCancel(wasRunning, laterComplete(LATER_MS)),
  },
  {
    name: 'cancelled-in-the-queue-runs-later',
    clauses: ['cancel.cancels', 'jobs.forward'],
    does: 'has a job run that was cancelled in the queue',
    apply: afterCancel(wasQueued, laterComplete(IN_QUEUE_LATER_MS)),
  },
  {
    name: 'cancel-takes-the-next',
    clauses: ['cancel.cancels', 'jobs.id-in-paths'],
    does: 'cancels the job that was submitted after the one that is meant as well',
    apply: withTheNext,
  },
  {
    name: 'cancel-leaves-the-worker-busy',
    clauses: ['cancel.cancels'],
    does: 'says that a running job is cancelled while its worker goes on',
    apply: worksOn,
  },
  {
    name: 'cancelled-still-counted',
    clauses: ['health.agrees'],
    does: 'goes on counting cancelled jobs as queued and in progress',
    apply: stillCounted,
  },
  {
    name: 'cancel-slow',
    clauses: ['cancel.prompt'],
    does: 'answers cancel after seconds',
    apply: answers(async (reply, { id, clock }) => {
      if (id === 'cancel') await clock.sleep(SLOW_MS);
      return reply;
    }),
  },
  {
    name: 'cancel-changes-times',
    clauses: ['cancel.finished', 'jobs.final-state-stays'],
    does: 'counts the time of a finished job on when it is cancelled',
    apply: afterCancel(
      ({ status }) => status === 'COMPLETED',
      (record) => ({ ...record, executionTime: Number(record.executionTime) + 1 }),
    ),
  },
  {
    name: 'cancel-takes-the-error',
    clauses: ['cancel.finished', 'jobs.final-state-stays'],
    does: 'turns a failed job into a cancelled one',
    apply: afterCancel(
      ({ status }) => status === 'FAILED',
      ({ id }) => ({ id, status: 'CANCELLED' }),
    ),
  },
  {
    name: 'cancel-twice-fails-the-job',
    clauses: ['cancel.finished', 'jobs.final-state-stays'],
    does: 'says that a job failed that was cancelled twice',
    apply: secondFails,
  },
  {
    name: 'cancel-refuses-a-body',
    clauses: ['cancel.empty-object'],
    does: 'refuses a cancel that has a body',
    apply: answers((reply, { id, headers }) =>
      id === 'cancel' && headers.get('content-type') !== null ? json(400, { error: 'bad request: body' }) : reply,
    ),
  },
];
