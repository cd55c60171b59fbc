import { expect, test } from 'vitest';
import { finalState, jobIdOf, jobState, queuedJobs } from './job-state.ts';

test.each([
  ['{"id":"1","status":"IN_QUEUE"}', 'queued', ''],
  ['{"id":"1","status":"IN_PROGRESS","delayTime":3}', 'running', ''],
  ['{"status":"RUNNING"}', 'running', ''],
  ['{"status":"COMPLETED","output":{"status":"IN_QUEUE"}}', 'finished', 'COMPLETED'],
  ['{"status":"failed"}', 'finished', 'FAILED'],
  ['{"status":"CANCELLED"}', 'finished', 'CANCELLED'],
  ['{"status":"TIMED_OUT"}', 'finished', 'TIMED_OUT'],
  ['{"status":"PAUSED"}', 'unknown', ''],
  ['{"status":7}', 'unknown', ''],
  ['{"error":"job not found"}', 'unknown', ''],
  ['[]', 'unknown', ''],
  ['null', 'unknown', ''],
  ['<html>', 'unknown', ''],
  ['', 'unknown', ''],
])('%s is %s', (body, state, final) => {
  expect(jobState(body)).toBe(state);
  expect(finalState(body)).toBe(final);
});

test.each([
  ['{"id":"abc-u1","status":"IN_QUEUE"}', 'abc-u1'],
  ['{"id":""}', null],
  ['{"id":12}', null],
  ['oops', null],
])('the id in %s is %s', (body, id) => {
  expect(jobIdOf(body)).toBe(id);
});

test.each([
  ['{"jobs":{"inQueue":7,"inProgress":1}}', '7'],
  ['{"jobs":{"inQueue":0}}', '0'],
  ['{"jobs":{"inQueue":"7"}}', ''],
  ['{"jobs":{"inQueue":-1}}', ''],
  ['{"jobs":7}', ''],
  ['[]', ''],
  ['not JSON', ''],
])('health %s has %j in the queue', (body, expected) => {
  expect(queuedJobs(body)).toBe(expected);
});
