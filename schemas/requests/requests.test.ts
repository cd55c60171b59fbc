import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { operation, operations } from '../operations.ts';
import { type Fields, type RequestName, requests } from './index.ts';

const ajv = new Ajv2020({ strict: false });
const names = Object.keys(requests) as RequestName[];

test.each(operations.map((one) => one.id))('operation %s has a request', (id) => {
  const known = operation(id);
  const parameters = [...known.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(requests[id].path)).toEqual(parameters);
  expect(requests[id].body !== null).toBe(known.methods.includes('POST'));
});

test.each(names)('%s: schemas are plain JSON and hold against the meta-schema', (name) => {
  expect(JSON.parse(JSON.stringify(requests[name]))).toEqual(requests[name]);
  const { path, query, body } = requests[name];
  const all = [...Object.values(path), ...Object.values(query), ...(body ? [body.schema] : [])];
  for (const schema of all) expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
});

function fieldsOf(name: RequestName): Fields {
  const properties = requests[name].body?.schema.properties;
  return { ...(properties ?? {}), ...requests[name].path, ...requests[name].query };
}

test.each(names)('%s: every field says whether it is documented', (name) => {
  for (const [field, schema] of Object.entries(fieldsOf(name))) {
    const level = schema['x-proofload-level'];
    expect(['documented', 'convention'], field).toContain(level);
    expect(String(schema.description).startsWith('Convention: '), field).toBe(level === 'convention');
  }
});

test('what the documentation shows of bodies and paths is documented, and nothing else', () => {
  const shown = names.flatMap((name) =>
    Object.entries(fieldsOf(name)).flatMap(([field, schema]) =>
      schema['x-proofload-level'] === 'documented' ? [field] : [],
    ),
  );
  expect([...new Set(shown)].sort()).toEqual(['inst_id', 'job_id', 'messages', 'model', 'prompt']);
});

const messages = (...list: readonly object[]) => ({ model: 'a/b', messages: list });
const user = { role: 'user', content: 'x' };
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

test.each<[RequestName, object]>([
  ['chat', messages(user, { role: 'assistant', content: null, tool_calls: [call] })],
  ['chat', messages(user, { role: 'tool', content: 'x', tool_call_id: 'c' })],
  ['chat', { ...messages(user), tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'auto' }],
  ['chat', { ...messages(user), response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } } }],
  ['completions', { model: 'a/b', prompt: 'x', max_tokens: 0, echo: true, logprobs: 0 }],
  ['run', { input: { a: 1 }, webhook: 'https://a.example/b', policy: { ttl: 1, lowPriority: true }, other: 1 }],
  ['cancel', {}],
])('%s may have the body %j', (name, body) => {
  expect(ajv.validate(requests[name].body?.schema ?? false, body), ajv.errorsText()).toBe(true);
});

test.each<[RequestName, unknown]>([
  ['chat', []],
  ['chat', messages()],
  ['chat', messages({ role: 'user' })],
  ['chat', messages({ role: 'user', content: null })],
  ['chat', messages({ role: 'nobody', content: 'x' })],
  ['chat', messages({ role: 'tool', content: 'x' })],
  ['chat', messages({ role: 'user', content: [{ type: 'text' }] })],
  ['chat', { ...messages(user), temperature: 3 }],
  ['chat', { ...messages(user), max_tokens: 0 }],
  ['chat', { ...messages(user), response_format: { type: 'json_schema' } }],
  ['chat', { ...messages(user), stream: false, stream_options: {} }],
  ['completions', { model: 'a/b', prompt: [] }],
  ['completions', { model: '', prompt: 'x' }],
  ['runsync', { input: 1, webhook: 'nowhere' }],
  ['runsync', { input: 1, policy: { ttl: 'long' } }],
  ['status', 'text'],
])('%s may not have the body %j', (name, body) => {
  expect(ajv.validate(requests[name].body?.schema ?? false, body)).toBe(false);
});
