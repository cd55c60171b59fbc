import { expect, test } from 'vitest';
import { afterPurge, hasEnded, jobIdIn, jobState, queuedJobs } from './job-state.ts';

test.each([
  ['{"id":"1","status":"IN_QUEUE"}', 'queued'],
  ['{"id":"1","status":"IN_PROGRESS","delayTime":3}', 'running'],
  ['{"data":{"job_id":"1","state":"executing"}}', 'running'],
  ['{"status":"COMPLETED","output":{"status":"IN_QUEUE"}}', 'completed'],
  ['{"status":"failed"}', 'failed'],
  ['{"status":"PAUSED"}', 'unknown'],
  ['{"status":7}', 'unknown'],
  ['{"name":"job-1","done":false}', 'unknown'],
  ['{"error":"job not found"}', 'unknown'],
  ['[]', 'unknown'],
  ['null', 'unknown'],
  ['<html>', 'unknown'],
  ['', 'unknown'],
])('%s is %s', (body, state) => {
  expect(jobState(body)).toBe(state);
  expect(hasEnded(body)).toBe(state === 'completed' || state === 'failed');
});

test.each([
  ['{"id":"abc-u1","status":"IN_QUEUE"}', 'abc-u1'],
  ['{"job_id":"abc-u1","state":"queued"}', 'abc-u1'],
  ['{"id":""}', null],
  ['task-7\n', 'task-7'],
  ['/api/v1/sl/i/status/abc-u1', 'abc-u1'],
  ['try again', null],
])('the id in %s is %s', (body, id) => {
  expect(jobIdIn(body)).toBe(id);
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

test.each([
  [404, '', 'cleared'],
  [200, '{"state":"canceled"}', 'cleared'],
  [200, '{"state":"pending"}', 'queued'],
  [200, '{"state":"succeeded"}', 'unknown'],
  [500, '', 'unknown'],
] as const)('after a purge, %i %s is %s', (status, body, word) => {
  expect(afterPurge(status, body)).toBe(word);
});
