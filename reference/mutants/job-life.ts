/** Faults in what is told of a job's life: its states, look by look, its times, and what each operation says of it. */
import { type Body, body, bodyIf, bodyWithMemory, succeeded, withBody, withMemory, without } from './answers.ts';
import { isObject, type Mutant } from './mutant.ts';

const SECOND_MS = 1000;
const MANY_LOOKS = 8;

const has =
  (state: string): ((record: Body) => boolean) =>
  (record) =>
    record.status === state;
const isOver = ({ status }: Body): boolean =>
  ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'].includes(String(status));

/** Changes a record of status by how often the job was looked at in this kind of state. */
const byLook = (counts: (record: Body) => boolean, change: (record: Body, look: number) => Body) =>
  bodyWithMemory('status', () => {
    const looks = new Map<unknown, number>();
    return (record) => {
      if (!counts(record)) return record;
      const look = (looks.get(record.id) ?? 0) + 1;
      looks.set(record.id, look);
      return change(record, look);
    };
  });

const inSeconds = (record: Body): Body => ({ ...record, executionTime: Number(record.executionTime) / SECOND_MS });
const timed = ({ executionTime }: Body): boolean => typeof executionTime === 'number';

/** Changes the rows of the list of requests. */
const eachRow = (change: (row: Body) => Body) =>
  body('requests', (list) => ({
    ...list,
    requests: Array.isArray(list.requests) ? list.requests.map((one) => (isObject(one) ? change(one) : one)) : [],
  }));

type Told = Omit<Mutant, 'turnsRed'> & Partial<Pick<Mutant, 'turnsRed'>>;

const told: readonly Told[] = [
  {
    name: 'state-back-once',
    clauses: ['jobs.forward', 'jobs.states'],
    does: 'says of a running job, the second time it is looked at, that it is queued',
    warns: ['status.forward.slow', 'status.forward.failing', 'status.forward.streaming'],
    apply: byLook(has('IN_PROGRESS'), (record, look) => (look === 2 ? { id: record.id, status: 'IN_QUEUE' } : record)),
  },
  {
    name: 'state-queued-after-the-end',
    clauses: ['jobs.forward', 'jobs.states'],
    does: 'says of a complete job, the second time it is looked at, that it is queued',
    warns: ['status.forward.quick'],
    apply: byLook(has('COMPLETED'), (record, look) => (look === 2 ? { id: record.id, status: 'IN_QUEUE' } : record)),
  },
  {
    name: 'state-failed-then-complete',
    clauses: ['jobs.forward'],
    does: 'says that a failed job is complete from the second look on',
    warns: ['status.forward.failing'],
    apply: byLook(has('FAILED'), (record, look) => (look > 1 ? { ...record, status: 'COMPLETED' } : record)),
  },
  {
    name: 'state-queued-seen-running',
    clauses: ['jobs.forward', 'jobs.states'],
    does: 'says of a queued job, the third time it is looked at, that it is in progress',
    warns: ['status.forward.queued'],
    apply: byLook(has('IN_QUEUE'), (record, look) => (look === 3 ? { ...record, status: 'IN_PROGRESS' } : record)),
  },
  {
    name: 'output-after-the-end',
    clauses: ['status.envelope'],
    does: 'leaves the output out of the first record that says that a job is complete',
    warns: ['status.output-at-end'],
    apply: byLook(has('COMPLETED'), ({ output, ...record }, look) => (look === 1 ? record : { ...record, output })),
  },
  {
    name: 'times-in-fractions',
    clauses: ['jobs.whole-times', 'status.times'],
    does: 'tells times with fractions of milliseconds',
    warns: ['status.times.whole'],
    apply: bodyIf('status', timed, (record) => ({ ...record, delayTime: Number(record.delayTime) + 0.25 })),
  },
  {
    name: 'times-in-microseconds',
    clauses: ['status.times'],
    does: 'tells times in microseconds',
    warns: ['status.times.possible'],
    apply: bodyIf('status', timed, (record) => ({
      ...record,
      executionTime: Number(record.executionTime) * SECOND_MS,
    })),
  },
  {
    name: 'execution-time-zero',
    clauses: ['status.times'],
    does: 'says that every job ran for no time at all',
    warns: ['status.times.ran'],
    apply: bodyIf('status', timed, (record) => ({ ...record, executionTime: 0 })),
  },
  {
    name: 'delay-time-zero',
    clauses: ['status.times'],
    does: 'says that no job had to wait',
    warns: ['status.times.waited'],
    apply: bodyIf('status', timed, (record) => ({ ...record, delayTime: 0 })),
  },
  {
    name: 'runsync-times-in-seconds',
    clauses: ['status.times'],
    does: 'tells times in seconds in the answer of runsync',
    warns: ['runsync.times'],
    apply: bodyIf('runsync', timed, inSeconds),
  },
  {
    name: 'status-sync-times-in-seconds',
    clauses: ['jobs.same-everywhere', 'status.times'],
    does: 'tells times in seconds by status-sync',
    warns: ['status-sync.same.times'],
    apply: bodyIf('status-sync', timed, inSeconds),
  },
  {
    name: 'times-go-on',
    clauses: ['status.times', 'jobs.final-state-stays'],
    does: 'adds a millisecond to the times of a job with every look at it',
    warns: ['status.times.stay'],
    apply: byLook(isOver, (record, look) =>
      timed(record) ? { ...record, executionTime: Number(record.executionTime) + look } : record,
    ),
  },
  {
    name: 'status-sync-output-wrapped',
    clauses: ['jobs.same-everywhere'],
    does: 'puts the output into a list where it is told by status-sync',
    warns: ['status-sync.same.completed', 'status-sync.same.streamed'],
    apply: bodyIf('status-sync', has('COMPLETED'), (record) => ({ ...record, output: [record.output] })),
  },
  {
    name: 'status-sync-without-error',
    clauses: ['jobs.same-everywhere'],
    does: 'does not say by status-sync why a job failed',
    warns: ['status-sync.same.failed'],
    apply: without('status-sync', 'error'),
  },
  {
    name: 'status-sync-cancelled-as-failed',
    clauses: ['status-sync.job-status', 'jobs.same-everywhere'],
    does: 'says by status-sync that a cancelled job failed',
    turnsRed: ['status-sync.state'],
    warns: ['status-sync.same.cancelled'],
    apply: bodyIf('status-sync', has('CANCELLED'), (record) => ({ ...record, status: 'FAILED' })),
  },
  {
    name: 'output-gone-after-many-looks',
    clauses: ['jobs.final-state-stays'],
    does: `forgets the output of a job that was looked at ${MANY_LOOKS} times`,
    turnsRed: ['status.stays.completed', 'status.stays.streamed'],
    apply: byLook(has('COMPLETED'), (record, look) => (look > MANY_LOOKS ? { ...record, output: null } : record)),
  },
  {
    name: 'cancelled-then-failed',
    clauses: ['jobs.final-state-stays'],
    does: `says that a cancelled job failed once it was looked at ${MANY_LOOKS} times`,
    turnsRed: ['status.stays.cancelled'],
    apply: byLook(has('CANCELLED'), (record, look) => (look > MANY_LOOKS ? { ...record, status: 'FAILED' } : record)),
  },
  {
    name: 'error-gone-after-many-looks',
    clauses: ['jobs.final-state-stays'],
    does: `forgets why a job failed that was looked at ${MANY_LOOKS} times`,
    turnsRed: ['status.stays.failed'],
    apply: byLook(has('FAILED'), ({ error, ...record }, look) => (look > MANY_LOOKS ? record : { ...record, error })),
  },
  {
    name: 'stream-takes-the-output',
    clauses: ['jobs.final-state-stays'],
    does: 'has no output any more for a job whose stream was read',
    turnsRed: ['status.stays.streamed'],
    apply: withMemory(() => {
      const read = new Set<unknown>();
      return (reply, { id, parameters }) => {
        if (id === 'stream') read.add(parameters.job_id);
        if (id !== 'status' || !succeeded(reply) || !read.has(parameters.job_id)) return reply;
        return typeof reply.body === 'string' ? withBody(reply, { ...JSON.parse(reply.body), output: [] }) : reply;
      };
    }),
  },
  {
    name: 'sync-output-not-kept',
    clauses: ['jobs.same-everywhere', 'runsync.job'],
    does: 'tells the output of a synchronous job only in the answer of runsync',
    warns: ['runsync.same'],
    apply: bodyIf(
      'status',
      ({ id }) => String(id).startsWith('sync-'),
      ({ output: _output, ...record }) => record,
    ),
  },
  {
    name: 'sync-error-in-general',
    clauses: ['jobs.same-everywhere', 'jobs.failure'],
    does: 'tells the error of a synchronous job in other words by status',
    warns: ['runsync.same.failed'],
    apply: bodyIf(
      'status',
      ({ id, status }) => String(id).startsWith('sync-') && status === 'FAILED',
      (record) => ({ ...record, error: 'the handler failed' }),
    ),
  },
  {
    name: 'stream-always-complete',
    clauses: ['jobs.same-everywhere', 'jobs.states'],
    does: 'ends every stream with COMPLETED, however its job ended',
    warns: ['stream.same', 'stream.failing.state'],
    apply: bodyIf('stream', isOver, (answer) => ({ ...answer, status: 'COMPLETED' })),
  },
  {
    name: 'list-says-complete',
    clauses: ['jobs.same-everywhere'],
    does: 'lists every job that has ended as complete',
    warns: ['requests.same'],
    apply: eachRow((row) => (isOver(row) ? { ...row, status: 'COMPLETED' } : row)),
  },
];

export const jobLifeMutants: readonly Mutant[] = told.map((one) => ({ turnsRed: [], ...one }));
