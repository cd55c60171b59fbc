/** Our own requests: what is wrong without saying so, and what says so without being wrong, is our fault. */
import { expect, test } from 'vitest';
import { limitFor } from '../../schemas/limits.ts';
import { check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { execute } from '../execute.ts';
import { json, openFake } from '../testing/fake-dispatcher.ts';
import { judgeRequest, type OwnRequest, requireOwnRequest } from './contract-request.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const OWN = 'Bearer own-key';

const models: OwnRequest = {
  operation: 'models',
  method: 'GET',
  path: '/v1/models',
  headers: { authorization: OWN },
  ownAuthorization: OWN,
  goodKeys: ['own-key', 'other-key'],
};
const chatBody = { model: 'a/b', messages: [{ role: 'user', content: 'x' }] };

function posting(operation: 'chat' | 'completions', value: unknown): OwnRequest {
  const path = operation === 'chat' ? '/v1/chat/completions' : '/v1/completions';
  const headers = { ...models.headers, ...JSON_TYPE };
  return { ...models, operation, method: 'POST', path, headers, json: value, body: JSON.stringify(value) };
}
const chat = (more: object = {}): OwnRequest => posting('chat', { ...chatBody, ...more });
const completion = (more: object): OwnRequest => posting('completions', { model: 'a/b', prompt: 'x', ...more });
const at = (operation: OwnRequest['operation'], method: string, rest: string, more: Partial<OwnRequest> = {}) => ({
  ...models,
  operation,
  method,
  path: `/api/v1/sl/inst-1/${rest}`,
  ...more,
});
const run = (body: string, more: Partial<OwnRequest> = {}): OwnRequest =>
  at('run', 'POST', 'run', { headers: { ...models.headers, ...JSON_TYPE }, body, ...more });

test.each<[string, OwnRequest]>([
  ['a list of models', models],
  ['a single model', { ...models, path: '/v1/models/acme/base-70b' }],
  ['a chat', chat()],
  ['fields that clients send', chat({ n: 2, stop: ['a'], stream: true, stream_options: { include_usage: true } })],
  ['null for what is not given', chat({ n: null, stop: null, tools: null, stream_options: null })],
  ['an unknown field', chat({ x_unknown: 1 })],
  ['parts', chat({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] })],
  ['several prompts', completion({ prompt: ['x', 'y'] })],
  ['tokens', completion({ prompt: [[1, 2]] })],
  ['a submission', run('{"input":null}')],
  ['an empty body where there is nothing to send', at('status', 'POST', 'status/j', { headers: { ...JSON_TYPE } })],
  ['a wait', run('{"input":1}', { operation: 'runsync', path: '/api/v1/sl/inst-1/runsync?wait=5&other=x' })],
])('%s is valid', (_name, one) => {
  const keyed = { ...one, headers: { ...one.headers, authorization: OWN } };
  expect(judgeRequest(keyed)).toMatchObject({ kind: 'valid' });
  expect(() => requireOwnRequest(keyed)).not.toThrow();
  expect(() => requireOwnRequest({ ...keyed, breaks: 'something' })).toThrow("'something' is wrong, and nothing is");
});

test.each<[string, OwnRequest, string]>([
  ['no operation', { ...models, operation: null }, 'request/path#'],
  ['another path', { ...models, path: '/v2/models' }, 'models/request/path#'],
  ['a longer path', at('run', 'POST', 'run/more'), 'run/request/path#'],
  ['a path that cannot be decoded', at('status', 'GET', 'status/%ZZ'), 'status/request/path#'],
  ['no job id', at('status', 'GET', 'status/'), 'status/request/path/job_id#/minLength'],
  ['another method', { ...models, method: 'POST' }, 'models/request/method#'],
  ['no credential', { ...models, headers: {} }, 'models/request/security#'],
  ['a foreign credential', { ...models, headers: { authorization: 'Bearer x' } }, 'models/request/security#'],
  ['a body of GET', { ...models, body: '{}' }, 'models/request/body#'],
  ['no body', { ...chat(), json: undefined, body: '' }, 'chat/request/body#'],
  ['a body that is not JSON', { ...chat(), json: undefined, body: '{' }, 'chat/request/body#'],
  ['another content type', { ...chat(), headers: { ...models.headers } }, 'chat/request/body#'],
  ['no messages', posting('chat', { model: 'a/b' }), 'chat/request/body#/required'],
  ['an n that is a text', chat({ n: 'two' }), 'chat/request/body#/properties/n/type'],
  ['options of no stream', chat({ stream_options: {} }), 'chat/request/body#/then/properties/stream_options/type'],
  ['no prompt', posting('completions', { model: 'a/b' }), 'completions/request/body#/required'],
  ['no input', run('{"other":1}'), 'run/request/body#/required'],
  ['a policy that is a text', run('{"input":1,"policy":"soon"}'), 'run/request/body#/properties/policy/type'],
  ['a wait that is a word', at('stream', 'GET', 'stream/j?wait=long'), 'stream/request/query/wait#/type'],
])('%s is broken', (_name, one, schemaPath) => {
  expect(judgeRequest(one)).toMatchObject({ kind: 'broken', found: { schemaPath } });
  expect(() => requireOwnRequest(one)).toThrow(`(${schemaPath}), and 'breaks' does not say so`);
  expect(() => requireOwnRequest({ ...one, breaks: 'it' })).not.toThrow();
});

test.each<[string, OwnRequest]>([
  ['HEAD', { ...models, method: 'HEAD' }],
  ['the scheme in lower case', { ...models, headers: { authorization: 'bearer own-key' } }],
  ['the key of another account', { ...models, headers: { Authorization: 'Bearer other-key' } }],
  ['no credential on interface B', at('health', 'GET', 'health', { headers: {} })],
  ['an id of odd characters', at('status', 'GET', 'status/%00%20')],
])('%s may be right or wrong: that is for the check to judge', (_name, one) => {
  expect(judgeRequest(one)).toMatchObject({ kind: 'open' });
  expect(() => requireOwnRequest(one)).not.toThrow();
  expect(() => requireOwnRequest({ ...one, breaks: 'it' })).not.toThrow();
});

test('a body is too large beyond the larger reading of its limit, and open between the two', () => {
  const limit = limitFor('content-bytes', 'run');
  const sized = (bytes: number): OwnRequest => run(`{"input":"${'x'.repeat(bytes - 12)}"}`);
  expect(judgeRequest(sized(limit?.value ?? 0)).kind).toBe('valid');
  expect(judgeRequest(sized((limit?.value ?? 0) + 1)).kind).toBe('open');
  const found = { schemaPath: 'run/request/body#/maxLength' };
  expect(judgeRequest(sized((limit?.upperReading ?? 0) + 1))).toMatchObject({ kind: 'broken', found });
});

async function outcomeOf(send: (t: CheckContext) => Promise<unknown>) {
  const sent: string[] = [];
  const target = openFake(({ path }) => {
    sent.push(path);
    return json(200, {});
  });
  const definition = { id: 'models.x', title: 'A title for it', clauses: ['models.list'] } as const;
  const one = check({
    ...definition,
    run: async (t) => {
      await send(t);
      t.expect('x', 'y', 'y', true);
    },
  });
  const { outcome } = await execute(one, { target, profile: 'gate', signal: new AbortController().signal });
  return { outcome, sent };
}

test('in a check both are errors, never findings, and nothing is sent', async () => {
  const wrong = await outcomeOf((t) => t.inference.models({ auth: 'none' }));
  expect(wrong).toMatchObject({
    outcome: { kind: 'error', message: expect.stringMatching(/own: GET \/v1\/models: no Authorization/) as string },
    sent: [],
  });
  const right = await outcomeOf((t) => t.inference.models({ breaks: 'the method' }));
  expect(right).toMatchObject({
    outcome: { kind: 'error', message: expect.stringMatching(/says that 'the method' is wrong/) as string },
    sent: [],
  });
  const meant = await outcomeOf((t) => t.inference.path('GET', '/nowhere', { breaks: 'the path' }));
  expect(meant).toMatchObject({ outcome: { kind: 'ran' }, sent: ['/nowhere'] });
});
