/**
 * Faults in what is reported of a job's life: its states, poll by poll, its times, and what each operation reports of
 * it.
 */
import { type Body, bodyIf, bodyWithMemory, succeeded, withBody, withMemory } from './answers.ts';
import { type Mutant, rules } from './mutant.ts';

const MANY_READS = 8;

const has =
  (state: string): ((record: Body) => boolean) =>
  (record) =>
    record.status === state;
const isOver = ({ status }: Body): boolean =>
  ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'].includes(String(status));

/** Changes a record of status by how often the job was read in this kind of state. */
const byRead = (counts: (record: Body) => boolean, change: (record: Body, read: number) => Body) =>
  bodyWithMemory('status', () => {
    const reads = new Map<unknown, number>();
    return (record) => {
      if (!counts(record)) return record;
      const read = (reads.get(record.id) ?? 0) + 1;
      reads.set(record.id, read);
      return change(record, read);
    };
  });
const timed = ({ executionTime }: Body): boolean => typeof executionTime === 'number';

export const jobLifeMutants: readonly Mutant[] = [
  {
    name: 'failures-complete',
    clauses: ['jobs.failure', 'jobs.states'],
    does: 'says of a job whose handler failed that it is complete, without an output',
    apply: rules({
      handler: (deployed) =>
        async function* (input, sleep) {
          try {
            return yield* deployed(input, sleep);
          } catch {
            return null;
          }
        },
    }),
  },
  {
    name: 'state-back-once',
    clauses: ['jobs.forward', 'jobs.states'],
    does: 'says of a running job, the second time it is polled, that it is queued',
    apply: byRead(has('IN_PROGRESS'), (record, read) => (read === 2 ? { id: record.id, status: 'IN_QUEUE' } : record)),
  },
  {
    name: 'state-never-running',
    clauses: ['jobs.states'],
    does: 'says of a running job that it is queued',
    apply: bodyIf('status', has('IN_PROGRESS'), ({ id }) => ({ id, status: 'IN_QUEUE' })),
  },
  {
    name: 'state-queued-after-the-end',
    clauses: ['jobs.forward', 'jobs.states'],
    does: 'says of a complete job, the second time it is polled, that it is queued',
    apply: byRead(has('COMPLETED'), (record, read) => (read === 2 ? { id: record.id, status: 'IN_QUEUE' } : record)),
  },
  {
    name: 'state-failed-then-complete',
    clauses: ['jobs.forward'],
    does: 'says that a failed job is complete from the second poll on',
    apply: byRead(has('FAILED'), (record, read) => (read > 1 ? { ...record, status: 'COMPLETED' } : record)),
  },
  {
    name: 'state-queued-seen-running',
    clauses: ['jobs.forward', 'jobs.states'],
    does: 'says of a queued job, the third time it is polled, that it is in progress',
    apply: byRead(has('IN_QUEUE'), (record, read) => (read === 3 ? { ...record, status: 'IN_PROGRESS' } : record)),
  },
  {
    name: 'output-after-the-end',
    clauses: ['status.envelope'],
    does: 'leaves the output out of the first record that says that a job is complete',
    apply: byRead(has('COMPLETED'), ({ output, ...record }, read) => (read === 1 ? record : { ...record, output })),
  },
  {
    name: 'times-in-fractions',
    clauses: ['jobs.whole-times', 'status.times'],
    does: 'reports times with fractions of milliseconds',
    apply: bodyIf('status', timed, (record) => ({ ...record, delayTime: Number(record.delayTime) + 0.25 })),
  },
  {
    name: 'times-go-on',
    clauses: ['status.times', 'jobs.final-state-stays'],
    does: 'adds a millisecond to the times of a job with every poll of it',
    apply: byRead(isOver, (record, read) =>
      timed(record) ? { ...record, executionTime: Number(record.executionTime) + read } : record,
    ),
  },
  {
    name: 'output-gone-after-many-looks',
    clauses: ['jobs.final-state-stays'],
    does: `forgets the output of a job that was polled ${MANY_READS} times`,
    apply: byRead(has('COMPLETED'), (record, read) => (read > MANY_READS ? { ...record, output: null } : record)),
  },
  {
    name: 'cancelled-then-failed',
    clauses: ['jobs.final-state-stays'],
    does: `says that a cancelled job failed once it was polled ${MANY_READS} times`,
    apply: byRead(has('CANCELLED'), (record, read) => (read > MANY_READS ? { ...record, status: 'FAILED' } : record)),
  },
  {
    name: 'error-gone-after-many-looks',
    clauses: ['jobs.final-state-stays'],
    does: `forgets why a job failed that was polled ${MANY_READS} times`,
    apply: byRead(has('FAILED'), ({ error, ...record }, read) => (read > MANY_READS ? record : { ...record, error })),
  },
  {
    name: 'stream-takes-the-output',
    clauses: ['jobs.final-state-stays'],
    does: 'has no output any more for a job whose stream was read',
    apply: withMemory(() => {
      const read = new Set<unknown>();
      return (reply, { id, parameters }) => {
        if (id === 'stream') read.add(parameters.job_id);
        if (id !== 'status' || !succeeded(reply) || !read.has(parameters.job_id)) return reply;
        return typeof reply.body === 'string' ? withBody(reply, { ...JSON.parse(reply.body), output: [] }) : reply;
      };
    }),
  },
];
