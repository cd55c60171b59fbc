/** Faults in status and status-sync: methods, states, outputs, times (spec 4.2). */
import { answers, type Body, body, bodyIf, succeeded } from './answers.ts';
import { type Mutant, settings } from './mutant.ts';

const SLOW_ANSWER_MS = 5000;

const isPost = ({ method }: { readonly method: string }): boolean => method === 'POST';
const isComplete = (record: Body): boolean => record.status === 'COMPLETED';

export const statusMutants: readonly Mutant[] = [
  {
    name: 'status-post-without-output',
    clauses: ['status.route'],
    does: 'leaves the output out where status is called by POST',
    apply: body('status', ({ output: _output, ...rest }) => rest, isPost),
  },
  {
    name: 'times-negative',
    clauses: ['status.times'],
    does: 'gives a waiting time below zero',
    apply: bodyIf('status', isComplete, (record) => ({ ...record, delayTime: -5 })),
  },
  {
    name: 'times-in-seconds',
    clauses: ['status.times'],
    does: 'gives the times of a job in seconds',
    apply: bodyIf('status', isComplete, (record) => ({
      ...record,
      delayTime: Number(record.delayTime) / 1000,
      executionTime: Number(record.executionTime) / 1000,
    })),
  },
  {
    name: 'status-sync-does-not-wait',
    clauses: ['status-sync.waits'],
    does: 'answers status-sync at once whatever the job does',
    apply: settings({ statusSyncWait: { default: 0, min: 0, max: 0 } }),
  },
  {
    name: 'status-sync-waits-for-nothing',
    clauses: ['status-sync.waits'],
    does: 'holds status-sync back although the job has ended',
    apply: answers(async (reply, { id, clock }) => {
      if (id === 'status-sync' && succeeded(reply)) await clock.sleep(SLOW_ANSWER_MS);
      return reply;
    }),
  },
];
