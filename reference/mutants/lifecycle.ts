/** Faults in a job's life: its states, its failure, its cancelling, and how long it stays (spec part 3, 4.2, 8.2). */
import { limitFor, limitsOf } from '../../schemas/limits.ts';
import { isFinal } from '../jobs/states.ts';
import { json } from '../reply.ts';
import type { Rules } from '../rules.ts';
import { bodyOf, bodyWithMemory, succeeded, withBody, withMemory } from './answers.ts';
import { limitValues, type Mutant, rules, rulesWithMemory } from './mutant.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

const isOver = (record: Readonly<Record<string, unknown>>): boolean =>
  record.status === 'COMPLETED' || record.status === 'FAILED';

/** The row's value less a second, which a client that reads seconds too early can't notice. */
const secondShort = limitsOf('retention').map(
  ({ id, budget, value }): Mutant => ({
    name: `${budget}-retention-1s-short`,
    clauses: [id],
    does: `forgets a job of ${budget} one second too early`,
    apply: limitValues({ [id]: value - SECOND_MS }),
  }),
);

const forEver = limitsOf('retention').map(
  ({ id, budget }): Mutant => ({
    name: `${budget}-jobs-kept-for-ever`,
    clauses: ['jobs.expired'],
    does: `never forgets a job of ${budget}`,
    apply: limitValues({ [id]: 'off' }),
  }),
);

/** @param when calls `lose` where a worker is lost */
const workerLost = (what: string, does: string, when: (sound: Rules, lose: () => void) => Partial<Rules>): Mutant => ({
  name: `worker-lost-with-each-${what}`,
  clauses: ['jobs.asynchronous'],
  does: `loses a worker with each ${does}`,
  apply: rulesWithMemory(({ rules: sound }) => {
    let lost = 0;
    return {
      ...when(sound, () => {
        lost += 1;
      }),
      jobsAtOnce: (workersMax) => Math.max(0, sound.jobsAtOnce(workersMax) - lost),
    };
  }),
});

export const lifecycleMutants: readonly Mutant[] = [
  {
    name: 'one-job-more-at-once',
    clauses: ['endpoint.workers-max'],
    does: 'runs one job more at once than the endpoint may have workers',
    apply: rules({ jobsAtOnce: (workersMax) => workersMax + 1 }),
  },
  workerLost('deep-input', 'input of lists a hundred deep', ({ understood }, lose) => ({
    understood: (id, body) => {
      if (JSON.stringify(body)?.includes('['.repeat(100))) lose();
      return understood(id, body);
    },
  })),
  workerLost('cancel', 'running job that is cancelled', ({ cancels }, lose) => ({
    cancels: (state) => {
      if (state === 'IN_PROGRESS') lose();
      return cancels(state);
    },
  })),
  workerLost('failure', 'job that fails', (_, lose) => ({
    handler: (deployed) =>
      async function* (input, sleep) {
        try {
          return yield* deployed(input, sleep);
        } catch (error) {
          lose();
          throw error;
        }
      },
  })),
  {
    name: 'run-retention-20min',
    clauses: ['run.retention'],
    does: 'forgets a job of run 20 minutes after it finished',
    apply: limitValues({ 'run.retention': 20 * MINUTE_MS }),
  },
  {
    name: 'runsync-retention-30s',
    clauses: ['runsync.retention'],
    does: 'forgets a job of runsync 30 seconds after it finished',
    apply: limitValues({ 'runsync.retention': MINUTE_MS / 2 }),
  },
  {
    name: 'run-retention-of-runsync',
    clauses: ['run.retention'],
    does: 'keeps jobs of run no longer than those of runsync',
    apply: limitValues({ 'run.retention': limitFor('retention', 'runsync')?.value ?? MINUTE_MS }),
  },
  ...secondShort,
  ...forEver,
  {
    name: 'state-goes-back',
    clauses: ['jobs.final-state-stays'],
    does: 'says of a job that has ended, the second time it is polled, that it is in progress',
    apply: bodyWithMemory('status', () => {
      const ended = new Set<unknown>();
      return (record) => {
        if (!isOver(record)) return record;
        if (ended.has(record.id)) return { id: record.id, status: 'IN_PROGRESS' };
        ended.add(record.id);
        return record;
      };
    }),
  },
  {
    name: 'output-changes',
    clauses: ['jobs.final-state-stays'],
    does: 'returns another output every time a finished job is polled',
    apply: bodyWithMemory('status', () => {
      const reads = new Map<unknown, number>();
      return (record) => {
        const before = reads.get(record.id) ?? 0;
        if (isOver(record)) reads.set(record.id, before + 1);
        return isOver(record) && before > 0 ? { ...record, output: [record.output, before] } : record;
      };
    }),
  },
  {
    name: 'cancel-does-nothing',
    clauses: ['cancel.cancels'],
    does: 'answers that a job is cancelled and lets it go on',
    apply: rules({ cancels: () => false }),
  },
  {
    name: 'cancel-queued-only',
    clauses: ['cancel.cancels'],
    does: 'cancels queued jobs and lets running ones go on',
    apply: rules({ cancels: (state) => state === 'IN_QUEUE' }),
  },
  {
    name: 'cancel-running-only',
    clauses: ['cancel.cancels'],
    does: 'cancels running jobs and leaves queued ones where they are',
    apply: rules({ cancels: (state) => !isFinal(state) && state !== 'IN_QUEUE' }),
  },
  {
    name: 'cancel-twice-500',
    clauses: ['cancel.finished'],
    does: 'responds 500 when a job is cancelled a second time',
    apply: withMemory(() => {
      const cancelled = new Set<unknown>();
      return (reply, { id }) => {
        const record = id === 'cancel' && succeeded(reply) ? bodyOf(reply) : null;
        if (record?.status !== 'CANCELLED') return reply;
        if (cancelled.has(record.id)) return json(500, { error: 'internal error' });
        cancelled.add(record.id);
        return reply;
      };
    }),
  },
  {
    name: 'cancel-overwrites-finished',
    clauses: ['cancel.finished', 'jobs.final-state-stays'],
    does: 'turns a finished job into a cancelled one',
    apply: withMemory(() => {
      const cancelled = new Set<unknown>();
      return (reply, { id, parameters }) => {
        if (id === 'cancel') cancelled.add(parameters.job_id);
        if (id !== 'status' || !succeeded(reply) || !cancelled.has(parameters.job_id)) return reply;
        return withBody(reply, { id: parameters.job_id, status: 'CANCELLED' });
      };
    }),
  },
];
