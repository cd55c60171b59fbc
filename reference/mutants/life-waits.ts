/** Faults in waiting for jobs: who is not woken, who is held too long, what gets mixed up in a crowd. */
import { json } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { answers, type Body, bodyOf, succeeded } from './answers.ts';
import { type Mutant, type Plant, rules } from './mutant.ts';

const LATE_MS = 5000;
const LONG_MS = 90_000;
const BLOCKED_MS = 2000;

const isOver = ({ status }: Body): boolean => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(status));
const isSync = (jobId: string | undefined): boolean => String(jobId).startsWith('sync-');

/** Answers status-sync late where its record is such. */
const late = (applies: (record: Body, about: Outgoing) => boolean): Plant =>
  answers(async (reply, about) => {
    const record = about.id === 'status-sync' && succeeded(reply) ? bodyOf(reply) : null;
    if (record && applies(record, about)) await about.clock.sleep(LATE_MS);
    return reply;
  });

export const lifeWaitMutants: readonly Mutant[] = [
  {
    name: 'waiter-not-woken-by-failure',
    clauses: ['status-sync.waits'],
    does: 'goes on holding status-sync for seconds when a job has failed',
    apply: late(({ status }) => status === 'FAILED'),
  },
  {
    name: 'waiter-not-woken-by-cancel',
    clauses: ['status-sync.waits'],
    does: 'goes on holding status-sync for seconds when a running job was cancelled',
    apply: late(({ status, delayTime }) => status === 'CANCELLED' && delayTime !== undefined),
  },
  {
    name: 'status-sync-ignores-wait',
    clauses: ['status-sync.wait'],
    does: 'holds status-sync for a minute and a half, whatever wait is asked for',
    apply: rules({ statusSyncWait: () => LONG_MS }),
  },
  {
    name: 'running-sync-job-unknown',
    clauses: ['runsync.wait', 'runsync.job'],
    does: 'does not know the job of a runsync before it has ended',
    apply: answers((reply, { id, parameters }) => {
      const record = id === 'status' && isSync(parameters.job_id) && succeeded(reply) ? bodyOf(reply) : null;
      return record && !isOver(record) ? json(404, { error: 'job not found' }) : reply;
    }),
  },
  {
    name: 'health-held-up',
    clauses: ['jobs.held-alone'],
    does: 'answers health only after those who wait for jobs',
    apply: answers(async (reply, { id, inFlight, clock }) => {
      if (id === 'health' && inFlight > 3) await clock.sleep(BLOCKED_MS);
      return reply;
    }),
  },
];
