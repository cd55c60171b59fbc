import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { operations } from '../operations.ts';
import { type ResponseName, responses } from './index.ts';

const ajv = new Ajv2020({ strict: false });

function valid(name: ResponseName, layer: 'documented' | 'convention', body: unknown): boolean {
  return ajv.validate(responses[name][layer], body);
}

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const STATS = { jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0 }, workers: { idle: 1, running: 0 } };

const typical: Record<ResponseName, unknown> = {
  models: { object: 'list', data: [{ id: 'a/b', object: 'model', created: 1, owned_by: 'a', context_length: 8 }] },
  model: { id: 'a/b', object: 'model' },
  chat: {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'a/b',
    choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop', logprobs: null }],
    usage: USAGE,
  },
  'chat-chunk': {
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'a/b',
    choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }],
  },
  completions: {
    id: 'c1',
    object: 'text_completion',
    created: 1,
    model: 'a/b',
    choices: [{ index: 0, text: 'x', finish_reason: 'length', logprobs: null }],
    usage: USAGE,
  },
  'completions-chunk': {
    id: 'c',
    object: 'text_completion',
    created: 1,
    model: 'a/b',
    choices: [{ index: 0, text: 'x' }],
  },
  run: { id: 'j', status: 'IN_QUEUE' },
  runsync: { id: 'j', status: 'COMPLETED', output: 1, delayTime: 1, executionTime: 2 },
  status: { id: 'j', status: 'IN_PROGRESS' },
  'status-complete': { id: 'j', status: 'COMPLETED', output: null, delayTime: 0, executionTime: 0 },
  'status-sync': { id: 'j', status: 'FAILED', error: 'x' },
  stream: { status: 'IN_PROGRESS', stream: [{ output: { chunk: 0 } }] },
  cancel: { id: 'j', status: 'CANCELLED' },
  'purge-queue': { removed: 2, status: 'completed' },
  health: STATS,
  requests: { requests: [{ id: 'j', status: 'COMPLETED' }], total: 1 },
  'inference-error': { error: { message: 'no', type: 'invalid_request_error', param: null, code: null } },
  'jobs-error': { error: 'no' },
};

const names = Object.keys(responses) as ResponseName[];

test.each(names)('%s: a typical answer satisfies both layers', (name) => {
  expect(valid(name, 'documented', typical[name])).toBe(true);
  expect(valid(name, 'convention', typical[name])).toBe(true);
});

test.each(names)('%s: an empty object satisfies neither', (name) => {
  expect(valid(name, 'documented', {})).toBe(false);
  expect(valid(name, 'convention', {})).toBe(false);
});

test.each(names)('%s: schemas are plain JSON', (name) => {
  expect(JSON.parse(JSON.stringify(responses[name]))).toEqual(responses[name]);
});

test.each(operations.map((one) => one.id))('operation %s has a response', (id) => {
  expect(names).toContain(id);
});

test('a different but documented answer breaks convention only', () => {
  const bare = [{ id: 'a/b' }];
  expect([valid('models', 'documented', bare), valid('models', 'convention', bare)]).toEqual([true, false]);
  const nested = { page: { items: [] } };
  expect([valid('requests', 'documented', nested), valid('requests', 'convention', nested)]).toEqual([true, false]);
  expect(valid('run', 'documented', { job: 'x1' })).toBe(true);
});

test('a list is not found where there is none', () => {
  expect(valid('requests', 'documented', { requests: 'none' })).toBe(false);
  expect(valid('requests', 'documented', 'x')).toBe(false);
});

test('a record that is complete must have an output; one that is not may lack it', () => {
  expect(valid('status', 'convention', { id: 'j', status: 'COMPLETED' })).toBe(false);
  expect(valid('status', 'convention', { id: 'j', status: 'IN_QUEUE' })).toBe(true);
  expect(valid('status', 'convention', { id: 'j', status: 'RUNNING' })).toBe(false);
});

test('a chat choice without a message is not a chat completion', () => {
  expect(valid('chat', 'documented', { choices: [] })).toBe(false);
  expect(valid('chat', 'documented', { choices: [{ text: 'x' }] })).toBe(false);
  expect(valid('chat', 'documented', { choices: [{ message: { content: 'x' } }] })).toBe(true);
});
