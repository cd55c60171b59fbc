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

export const run: ResponseSchema = {
  documented: saysSomething,
  convention: object({ id: nonEmptyText, status: { enum: ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'] } }),
};

export const runsync: ResponseSchema = {
  documented: saysSomething,
  convention: { ...record, anyOf: outputOnceComplete },
};

export const status: ResponseSchema = {
  documented: saysSomething,
  convention: { ...record, anyOf: outputOnceComplete },
};

export const statusComplete: ResponseSchema = {
  documented: saysSomething,
  convention: object({
    id: nonEmptyText,
    status: { const: 'COMPLETED' },
    output: anything,
    delayTime: milliseconds,
    executionTime: milliseconds,
  }),
};

export const stream: ResponseSchema = {
  documented: saysSomething,
  convention: object({ status: state, stream: list(object({ output: anything })) }),
};

export const cancel: ResponseSchema = {
  documented: saysSomething,
  convention: object({ id: nonEmptyText, status: { enum: ['CANCELLED', 'COMPLETED', 'FAILED', 'TIMED_OUT'] } }),
};

export const purgeQueue: ResponseSchema = {
  documented: saysSomething,
  convention: object({ removed: count, status: nonEmptyText }),
};

export const health: ResponseSchema = {
  documented: saysSomething,
  convention: object({
    jobs: object({ completed: count, failed: count, inProgress: count, inQueue: count }, { retried: count }),
    workers: object({ idle: count, running: count }, { initializing: count, throttled: count, unhealthy: count }),
  }),
};

export const requests: ResponseSchema = {
  documented: holdsList,
  convention: object({ requests: list(object({ id: nonEmptyText, status: state })) }),
};
