import { expect, test } from 'vitest';
import { type DocumentedOperationId, operations } from '../../schemas/operations.ts';
import type { Reply } from '../target/reply.ts';
import { isAnswer } from './answer.ts';
import { violation } from './schema.ts';

function reply(json: unknown, status = 200): Reply {
  const times = { sentMs: 0, headersMs: 0, endMs: 0 };
  return { request: 'GET /', status, headers: {}, text: JSON.stringify(json) ?? '', json, ...times, pieces: [] };
}

const answers: Readonly<Record<DocumentedOperationId, unknown>> = {
  models: { data: [{ id: 'a/b' }] },
  chat: { choices: [{ message: {} }] },
  completions: { choices: [{ text: '' }] },
  run: { id: 'j' },
  runsync: { output: 1 },
  status: { status: 'IN_QUEUE' },
  'status-sync': { status: 'IN_QUEUE' },
  stream: { stream: [] },
  cancel: { status: 'CANCELLED' },
  'purge-queue': { removed: 0 },
  health: { workers: { idle: 0 } },
  requests: { requests: [] },
};

test.each(operations.map((one) => one.id))('%s: an answer, a refusal and nothing are distinguished', (id) => {
  expect(isAnswer(id, reply(answers[id]))).toBe(true);
  expect(isAnswer(id, reply(answers[id], 500))).toBe(false);
  for (const nothing of [{}, null, undefined, '']) expect(isAnswer(id, reply(nothing)), String(nothing)).toBe(false);
});

test.each([
  ['events', 'event: end\ndata: {"status":"COMPLETED"}\n\n'],
  ['lines', '{"output":1}\n{"status":"COMPLETED"}\n'],
])('a stream may answer with %s', (_, text) => {
  expect(isAnswer('stream', { ...reply(undefined), text })).toBe(true);
  expect(isAnswer('status', { ...reply(undefined), text })).toBe(false);
  expect(isAnswer('stream', { ...reply(undefined), text: 'event: end\n\n' })).toBe(false);
});

test('a violation says where and what', () => {
  expect(violation('run', 'convention', { id: 'j' })).toMatch(/status/);
  expect(violation('status', 'convention', { id: 'j', status: 'RUNNING' })).toContain('IN_PROGRESS');
  expect(violation('chat', 'documented', { choices: [{ text: 'x' }] })).toMatch(/^choices\.0 must have/);
  expect(violation('run', 'documented', undefined)).toBe('not JSON');
  expect(violation('run', 'convention', { id: 'j', status: 'IN_QUEUE' })).toBeNull();
});
