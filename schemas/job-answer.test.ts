import { expect, test } from 'vitest';
import {
  countedInAll,
  countedJobs,
  errorOf,
  isFinal,
  jobIdOf,
  listedIds,
  notUnderstood,
  outputOf,
  stateOf,
  stateWordOf,
  timesOf,
} from './job-answer.ts';
import { parseJson } from './json.ts';

test.each([
  [{ id: 'j-1', status: 'IN_QUEUE' }, 'j-1'],
  [{ job_id: 'j-1' }, 'j-1'],
  [{ jobId: 7 }, '7'],
  [{ data: { id: 'j-1' } }, 'j-1'],
  [{ job: { uuid: 'j-1' } }, 'j-1'],
  [{ workerId: 'w', endpoint_id: 'e', ticketId: 'j-1' }, 'j-1'],
  ['6e1f-aa', '6e1f-aa'],
  [{ type: 'jobs', links: { self: 'https://h/api/v1/sl/i/status/j-1' } }, 'j-1'],
  [{ name: 'job-1', done: false }, 'job-1'],
  [{ ticket: 'job-1', state: 'new' }, 'job-1'],
  [{ job_ids: ['j-1'] }, 'j-1'],
])('an id is found in %j', (body, id) => {
  expect(jobIdOf(body)).toBe(id);
});

test.each([
  {},
  [],
  null,
  undefined,
  { id: '' },
  { id: null },
  { workerId: 'w' },
  { job_ids: ['j-1', 'j-2'] },
  { worker_ids: ['w'] },
  { status: 'ok' },
  { name: 'a b' },
  { see: '/docs/status/' },
  '<html>',
  'a b',
  3,
])('no id in %j', (body) => {
  expect(jobIdOf(body)).toBeNull();
});

test.each([
  ['IN_QUEUE', 'queued'],
  ['queued', 'queued'],
  ['In Progress', 'running'],
  ['in-progress', 'running'],
  ['RUNNING', 'running'],
  ['COMPLETED', 'completed'],
  ['succeeded', 'completed'],
  ['FAILED', 'failed'],
  ['canceled', 'cancelled'],
  ['CANCELLED', 'cancelled'],
  ['TIMED_OUT', 'timed-out'],
  ['NotStarted', 'queued'],
  ['delayed', 'queued'],
  ['inactive', 'queued'],
  ['initializing', 'unfinished'],
  ['RETRYING', 'unfinished'],
  ['dead', 'failed'],
  ['retryable', 'unfinished'],
  ['available', 'queued'],
  ['discarded', 'failed'],
  ['OUT_OF_MEMORY', 'failed'],
  ['Deleted', 'cancelled'],
  ['DEADLINE', 'timed-out'],
  ['JOB_STATE_TERMINATING', 'cancelled'],
  ['whatever', 'unknown'],
] as const)('%s means %s', (word, state) => {
  expect(stateOf({ status: word })).toBe(state);
  expect(stateOf({ data: { state: word } })).toBe(state);
  expect(stateOf({ code: 0, data: [{ state: word }] })).toBe(state);
  expect(stateOf({ data: { type: 'jobs', id: 'j-1', attributes: { state: word } } })).toBe(state);
});

test.each([
  [{ input: { status: 'done' }, status: 'queued' }, 'queued'],
  [{ request: { status: 'done' } }, 'unknown'],
  [{ output: { status: 'done' }, record: { status: 'running' } }, 'running'],
  [{ worker: { status: 'running' }, id: 'j-1' }, 'unknown'],
  [{ data: [{ status: 'running' }, { status: 'queued' }] }, 'unknown'],
  [{ outputs: [{ status: 'done' }] }, 'unknown'],
  [{ error: { status: 'failed' } }, 'unknown'],
  [{ metadata: { name: 'j-1' }, status: { phase: 'Running' } }, 'running'],
  [{ a: { b: { c: { d: { status: 'done' } } } } }, 'unknown'],
] as const)('the state in %j is that of the job: %s', (body, state) => {
  expect(stateOf(body)).toBe(state);
});

test('a body without a state is unknown, and nothing is final by accident', () => {
  expect(stateWordOf({ ok: true })).toBeNull();
  expect(stateOf({})).toBe('unknown');
  expect((['queued', 'running', 'unknown'] as const).some(isFinal)).toBe(false);
  expect((['completed', 'failed', 'cancelled', 'timed-out'] as const).every(isFinal)).toBe(true);
});

test.each([
  [{ name: 'job-1', done: false }, 'unfinished', null],
  [{ name: 'job-1', done: true, response: 1 }, 'completed', null],
  [{ name: 'job-1', done: true, error: { code: 3 } }, 'failed', null],
  [{ name: 'job-1', done: true, error: { message: 'It was cancelled.' } }, 'cancelled', null],
  [{ status: 'running', done: true }, 'running', null],
  [{ completed: 7 }, 'unknown', null],
] as const)('%j is %s', (body, state, words) => {
  expect([stateOf(body), notUnderstood(body)]).toEqual([state, words]);
});

test('a number under status is not a state', () => {
  expect(stateWordOf({ status: 200, state: 'done' })).toBe('done');
});

test.each([
  [{ output: 1 }, 1],
  [{ result: { a: 1 } }, { a: 1 }],
  [{ data: { results: ['x'] } }, ['x']],
  [{ output: false }, false],
])('the output of %j', (body, output) => {
  expect(outputOf(body)).toEqual(output);
});

test('null is no output', () => {
  expect(outputOf({ output: null })).toBeUndefined();
  expect(outputOf({})).toBeUndefined();
});

test.each([
  [{ error: 'no' }, 'no'],
  [{ job: { reason: { code: 3 } } }, { code: 3 }],
  [{ error: null, failure: 'no' }, 'no'],
  [{ status: 'FAILED' }, undefined],
])('the error of %j', (body, error) => {
  expect(errorOf(body)).toEqual(error);
});

test('times are read unchanged, and only from the fields that clients read', () => {
  expect(timesOf({ delayTime: 3, executionTime: '4 s' })).toEqual({ delayTime: 3, executionTime: '4 s' });
  expect(timesOf({ job: { delayTime: 3 } })).toEqual({ delayTime: undefined, executionTime: undefined });
});

test.each([
  [{ jobs: { inQueue: 7, inProgress: 2, completed: 30, failed: 1 }, workers: { running: 3 } }, [7, 2, 30, 1]],
  [{ workers: { busy: 3, running: 9 }, jobs: { queued: 0, running: 2, succeeded: 5, errors: 4 } }, [0, 2, 5, 4]],
  [{ data: { queue: { max: 1500, size: 12 }, in_flight: 3 } }, [12, 3, null, null]],
  [{ data: { attributes: { jobs: { enqueued: 4, working: 3, done: 8, errored: 1 } } } }, [4, 3, 8, 1]],
  [{ queue_length: 4, jobsRunning: 1, finished_jobs: 8 }, [4, 1, 8, null]],
  [{ queue: 4 }, [4, null, null, null]],
  [{ workers: { busy: 3 }, backlog: 2 }, [2, null, null, null]],
  [{ jobs: { created: 9, submitted: 9, started: 8, max_pending: 50 } }, [null, null, null, null]],
  [{ jobs: { queued: '4' } }, [null, null, null, null]],
  ['queued', [null, null, null, null]],
])('the jobs that %j counts', (health, counts) => {
  expect((['queued', 'running', 'completed', 'failed'] as const).map((state) => countedJobs(health, state))).toEqual(
    counts,
  );
});

test.each([
  ['{"jobs":{"completed":3,"inQueue":1,"note":"x"},"workers":{"idle":9}}', 4],
  ['{"jobs":{}}', null],
  ['{"jobs":[1,2]}', null],
  ['{}', null],
  ['', null],
])('health %s counts %j jobs', (text, jobs) => {
  expect(countedInAll(parseJson(text))).toBe(jobs);
});

test.each([
  ['[{"id":"a"},{"id":"b"}]', ['a', 'b']],
  ['{"total":2,"requests":[{"id":"a","status":"x"}]}', ['a']],
  ['{"requests":[]}', []],
  ['{"data":{"items":[{"taskId":1,"tags":[]},{"taskId":2}]}}', ['1', '2']],
  ['{"requests":[{"name":"a"}]}', null],
  ['{"requests":7}', null],
  ['nothing', null],
])('the list %s holds the ids %j', (text, ids) => {
  expect(listedIds(parseJson(text))).toEqual(ids);
});
