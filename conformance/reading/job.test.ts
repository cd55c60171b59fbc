import { expect, test } from 'vitest';
import { errorOf, isFinal, jobIdOf, outputOf, stateOf, stateWordOf, timesOf } from './job.ts';

test.each([
  [{ id: 'j-1', status: 'IN_QUEUE' }, 'j-1'],
  [{ job_id: 'j-1' }, 'j-1'],
  [{ jobId: 7 }, '7'],
  [{ data: { id: 'j-1' } }, 'j-1'],
  [{ job: { uuid: 'j-1' } }, 'j-1'],
  [{ workerId: 'w', endpoint_id: 'e', ticketId: 'j-1' }, 'j-1'],
  ['6e1f-aa', '6e1f-aa'],
])('an id is found in %j', (body, id) => {
  expect(jobIdOf(body)).toBe(id);
});

test.each([{}, [], null, undefined, { id: '' }, { id: null }, { workerId: 'w' }, { status: 'ok' }, '<html>', 'a b', 3])(
  'no id in %j',
  (body) => {
    expect(jobIdOf(body)).toBeNull();
  },
);

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
  ['whatever', 'unknown'],
] as const)('%s means %s', (word, state) => {
  expect(stateOf({ status: word })).toBe(state);
  expect(stateOf({ data: { state: word } })).toBe(state);
});

test('a body without a state is unknown, and nothing is final by accident', () => {
  expect(stateWordOf({ ok: true })).toBeNull();
  expect(stateOf({})).toBe('unknown');
  expect((['queued', 'running', 'unknown'] as const).some(isFinal)).toBe(false);
  expect((['completed', 'failed', 'cancelled', 'timed-out'] as const).every(isFinal)).toBe(true);
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
