/** Responses of interface B. The documentation names no field of them, so nearly everything here is convention. */
import {
  anything,
  count,
  holdsList,
  type JsonSchema,
  list,
  nonEmptyText,
  object,
  type ResponseSchema,
  saysSomething,
  text,
} from './schema.ts';

const JOB_STATES = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;

const state: JsonSchema = { enum: JOB_STATES };
const milliseconds: JsonSchema = { type: 'number', minimum: 0 };

const record: JsonSchema = object(
  { id: nonEmptyText, status: state },
  { output: anything, error: anything, delayTime: milliseconds, executionTime: milliseconds, workerId: text },
);

const outputOnceComplete: readonly JsonSchema[] = [
  { required: ['output'] },
  { properties: { status: { not: { const: 'COMPLETED' } } } },
];

const status: ResponseSchema = {
  documented: saysSomething,
  convention: { ...record, anyOf: outputOnceComplete },
};

export const jobs = {
  run: {
    documented: saysSomething,
    convention: object({ id: nonEmptyText, status: { enum: ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] } }),
  },
  runsync: {
    documented: saysSomething,
    convention: { ...record, anyOf: outputOnceComplete },
  },
  status,
  'status-sync': status,
  'status-complete': {
    documented: saysSomething,
    convention: object({
      id: nonEmptyText,
      status: { const: 'COMPLETED' },
      output: anything,
      delayTime: milliseconds,
      executionTime: milliseconds,
    }),
  },
  stream: {
    documented: saysSomething,
    convention: object({ status: state, stream: list(object({ output: anything })) }),
  },
  cancel: {
    documented: saysSomething,
    convention: object({ id: nonEmptyText, status: { enum: ['CANCELLED', 'COMPLETED', 'FAILED', 'TIMED_OUT'] } }),
  },
  'purge-queue': {
    documented: saysSomething,
    convention: object({ removed: count, status: nonEmptyText }),
  },
  health: {
    documented: saysSomething,
    convention: object({
      jobs: object({ completed: count, failed: count, inProgress: count, inQueue: count }, { retried: count }),
      workers: object({ idle: count, running: count }, { initializing: count, throttled: count, unhealthy: count }),
    }),
  },
  requests: {
    documented: holdsList,
    convention: object({ requests: list(object({ id: nonEmptyText, status: state })) }),
  },
} satisfies Record<string, ResponseSchema>;
