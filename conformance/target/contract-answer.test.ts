import { expect, test } from 'vitest';
import { parseJson } from '../../schemas/json.ts';
import type { RequestName } from '../../schemas/requests/index.ts';
import { conventionBreak, documentedBreak, errorBreak, requestsStream, streamBreak } from './contract-answer.ts';
import type { Reply } from './reply.ts';

function reply(text: string, type = 'application/json'): Reply {
  const times = { sentMs: 0, headersMs: 1, endMs: 2 };
  const headers = { 'content-type': type };
  const pieces = [{ atMs: 1, text }];
  return { request: 'GET /x', status: 200, headers, text, json: parseJson(text), ...times, pieces };
}
const saying = (body: unknown): Reply => reply(JSON.stringify(body));

test.each<[RequestName, Reply]>([
  ['models', saying([{ id: 'a' }])],
  ['run', saying({ jobId: 'x-1' })],
  ['run', reply('job-0001', 'text/plain')],
  ['cancel', reply('cancelled', 'text/plain')],
  ['status', saying({ job: { state: 'done' } })],
  ['stream', saying([])],
  ['stream', reply('')],
  ['model', saying({})],
  ['requests', saying([])],
])('%s: an unusual answer that keeps what is documented', (name, answer) => {
  expect(documentedBreak(name, answer, '')).toBeNull();
});

test.each<[RequestName, Reply, string]>([
  ['chat', saying({ choices: [] }), 'chat/documented#/properties/choices/minItems'],
  ['chat', reply('hello', 'text/plain'), 'chat/documented#'],
  ['run', saying({ status: 'IN_QUEUE' }), 'run/documented/job-id#'],
  ['run', saying({}), 'run/documented#/anyOf/0/minProperties'],
  ['cancel', reply(' '), 'cancel/documented#'],
  ['status', saying(null), 'status/documented#/anyOf/0/type'],
  ['requests', saying({ none: 1 }), 'requests/documented#/anyOf/0/type'],
])('%s: an answer that breaks what is documented', (name, answer, schemaPath) => {
  expect(documentedBreak(name, answer, '')).toMatchObject({ schemaPath });
});

test('runsync may answer with the bare results, and those may be nothing', () => {
  expect(documentedBreak('runsync', saying({}), '{"input":{"echo":{}}}')).toBeNull();
  expect(documentedBreak('runsync', saying({}), '{"input":{"echo":1}}')).not.toBeNull();
});

test('what clients read, and on interface A that it is JSON', () => {
  expect(conventionBreak('run', saying({ id: 'x', status: 'IN_QUEUE' }))).toBeNull();
  expect(conventionBreak('run', reply('{"id":"x","status":"IN_QUEUE"}', 'text/plain'))).toBeNull();
  expect(conventionBreak('run', saying({ jobId: 'x' }))).toMatchObject({ schemaPath: 'run/convention#/required' });
  const list = JSON.stringify({ object: 'list', data: [{ id: 'a', object: 'model' }] });
  expect(conventionBreak('models', reply(list, 'application/json; charset=utf-8'))).toBeNull();
  const found = { schemaPath: 'models/convention/content-type#' };
  expect(conventionBreak('models', reply(list, 'text/plain'))).toMatchObject(found);
  const marked = { schemaPath: 'models/convention/byte-order-mark#' };
  expect(conventionBreak('models', reply(`\ufeff${list}`))).toMatchObject(marked);
});

test('where a body stops being JSON is said', () => {
  const found = conventionBreak('status', reply('{"id":"x","status":"COMPLETED","output":Infinity}'));
  expect(found).toMatchObject({
    schemaPath: 'status/convention#',
    words: expect.stringMatching(/^not JSON: .*Infinity/) as string,
  });
});

test('errors have the form of their interface', () => {
  const inference = saying({ error: { message: 'no', type: 'x' } });
  expect([errorBreak('chat', inference), errorBreak('run', saying({ error: 'no' }))]).toEqual([null, null]);
  expect(errorBreak('chat', saying({ error: 'no' }))).toMatchObject({
    schemaPath: expect.stringMatching(/^inference-error/) as string,
  });
  expect(errorBreak('run', inference)).toMatchObject({ schemaPath: expect.stringMatching(/^jobs-error/) as string });
});

const chunk = (more: object = {}): string =>
  JSON.stringify({
    id: 'c',
    object: 'text_completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, text: 'x' }],
    ...more,
  });
const stream = (...data: readonly string[]): Reply =>
  reply(data.map((one) => `data: ${one}\n\n`).join(''), 'text/event-stream; charset=utf-8');
const error = JSON.stringify({ error: { message: 'broke down', type: 'server_error' } });

test('a stream is checked event by event', () => {
  expect(streamBreak('completions', stream(chunk(), chunk(), '[DONE]'))).toEqual({ events: 3, id: 'c', found: null });
  const { found } = streamBreak('completions', stream(chunk(), chunk({ choices: 'x' }), '[DONE]'));
  expect(found).toMatchObject({ schemaPath: 'completions-chunk/convention#/properties/choices/type' });
  expect(found?.words).toMatch(/^event 2 of 2: choices must be array/);
  expect(streamBreak('completions', stream(chunk(), '{"cut', '[DONE]')).found?.words).toBe('event 2 of 2: not JSON');
});

test('a stream ends with [DONE], once, unless it says that something went wrong', () => {
  const end = 'completions-chunk/convention/end#';
  expect(streamBreak('completions', stream(chunk())).found).toMatchObject({ schemaPath: end });
  expect(streamBreak('completions', stream(chunk(), '[DONE]', '[DONE]')).found).toMatchObject({ schemaPath: end });
  expect(streamBreak('completions', stream('[DONE]', chunk())).found).toMatchObject({ schemaPath: end });
  expect(streamBreak('completions', stream(chunk(), error)).found).toBeNull();
  expect(streamBreak('completions', stream(chunk({ id: 7 }), error)).found?.words).toMatch(/^event 1 of 1: id/);
});

test('a response that is no stream is reported as one', () => {
  const { events, found } = streamBreak('chat', saying({ choices: [] }));
  expect([events, found?.words]).toEqual([0, 'content-type application/json instead of text/event-stream']);
});

test('which requests are for a stream', () => {
  expect(['{"stream":true}', '{"stream":false}', '{', ''].map(requestsStream)).toEqual([true, false, false, false]);
});
