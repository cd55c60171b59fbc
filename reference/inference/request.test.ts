/** Bodies of chat requests: every fault is a 400 with the path of the field, and what is known but unused is taken. */
import { expect, test } from 'vitest';
import { type Answer, field, harness } from '../testing/harness.ts';

const messages = [{ role: 'user', content: 'Say something.' }];

function chat(more: object): Promise<Answer> {
  return harness().request('/v1/chat/completions', {
    method: 'POST',
    body: { model: 'acme/base-70b', messages, ...more },
  });
}

const said = (message: object): object => ({ messages: [...messages, message] });
const named = (name: string): object => ({ type: 'function', function: { name } });
const format = (json_schema?: object): object => ({ response_format: { type: 'json_schema', json_schema } });
const call = (change: object): object => ({
  id: 'a',
  type: 'function',
  function: { name: 'f', arguments: '{}' },
  ...change,
});

const missing = 'missing_required_parameter';
const wrong = 'invalid_value';

test.for<[string, object, string | null, string]>([
  ['no model', { model: undefined }, 'model', missing],
  ['an empty model', { model: '' }, 'model', wrong],
  ['no messages', { messages: undefined }, 'messages', missing],
  ['empty messages', { messages: [] }, 'messages', wrong],
  ['messages that are none', { messages: 'hi' }, 'messages', wrong],
  ['a message that is none', { messages: ['hi'] }, 'messages.0', wrong],
  ['a message without role', { messages: [{ content: 'x' }] }, 'messages.0.role', missing],
  ['a message without content', { messages: [{ role: 'user' }] }, 'messages.0.content', missing],
  ['a message with null for content', said({ role: 'system', content: null }), 'messages.1.content', wrong],
  ['an unknown role', said({ role: 'robot', content: 'x' }), 'messages.1.role', wrong],
  ['a content that is a number', said({ role: 'user', content: 7 }), 'messages.1.content', wrong],
  ['a content of no parts', said({ role: 'user', content: [] }), 'messages.1.content', wrong],
  ['an unknown part', said({ role: 'user', content: [{ type: 'x' }] }), 'messages.1.content.0.type', wrong],
  ['a part of no type', said({ role: 'user', content: [{}] }), 'messages.1.content.0.type', missing],
  [
    'a text part without text',
    said({ role: 'user', content: [{ type: 'text' }] }),
    'messages.1.content.0.text',
    missing,
  ],
  [
    'an image without an address',
    said({ role: 'user', content: [{ type: 'image_url', image_url: {} }] }),
    'messages.1.content.0.image_url.url',
    missing,
  ],
  ['a tool that answers nobody', said({ role: 'tool', content: 'x' }), 'messages.1.tool_call_id', missing],
  ['a function without a name', said({ role: 'function', content: 'x' }), 'messages.1.name', missing],
  [
    'a tool call without an id',
    said({ role: 'assistant', tool_calls: [call({ id: undefined })] }),
    'messages.1.tool_calls.0.id',
    missing,
  ],
  [
    'arguments that are no text',
    said({ role: 'assistant', tool_calls: [call({ function: { name: 'f', arguments: {} } })] }),
    'messages.1.tool_calls.0.function.arguments',
    wrong,
  ],
  ['n of 0', { n: 0 }, 'n', wrong],
  ['n of 129', { n: 129 }, 'n', wrong],
  ['half an n', { n: 1.5 }, 'n', wrong],
  ['a temperature of 3', { temperature: 3 }, 'temperature', wrong],
  ['a top_p of 2', { top_p: 2 }, 'top_p', wrong],
  ['a penalty of 3', { presence_penalty: 3 }, 'presence_penalty', wrong],
  ['max_tokens of 0', { max_tokens: 0 }, 'max_tokens', wrong],
  ['max_completion_tokens of 0', { max_completion_tokens: 0 }, 'max_completion_tokens', wrong],
  ['five stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop', wrong],
  ['a stop that is a number', { stop: [1] }, 'stop.0', wrong],
  ['a stream of 1', { stream: 1 }, 'stream', wrong],
  ['stream options without a stream', { stream_options: { include_usage: true } }, 'stream_options', wrong],
  [
    'stream options of no sense',
    { stream: true, stream_options: { include_usage: 1 } },
    'stream_options.include_usage',
    wrong,
  ],
  ['alternatives without probabilities', { top_logprobs: 2 }, 'top_logprobs', wrong],
  ['too many alternatives', { logprobs: true, top_logprobs: 21 }, 'top_logprobs', wrong],
  ['a bias that is too strong', { logit_bias: { '50256': -101 } }, 'logit_bias.50256', wrong],
  ['a note that is a number', { metadata: { a: 1 } }, 'metadata.a', wrong],
  ['a note of a name that has a slash', { metadata: { 'a/b': 1 } }, 'metadata.a/b', wrong],
  ['an unknown tier', { service_tier: 'gold' }, 'service_tier', wrong],
  ['an unknown effort', { reasoning_effort: 'utmost' }, 'reasoning_effort', wrong],
  ['a store that is a text', { store: 'yes' }, 'store', wrong],
  ['a user that is a number', { user: 7 }, 'user', wrong],
  ['a tool of no type', { tools: [{ function: { name: 'f' } }] }, 'tools.0.type', missing],
  ['a tool without a name', { tools: [{ type: 'function', function: {} }] }, 'tools.0.function.name', missing],
  ['a tool of a name with a space', { tools: [named('a b')] }, 'tools.0.function.name', wrong],
  ['a tool of a long name', { tools: [named('x'.repeat(65))] }, 'tools.0.function.name', wrong],
  [
    'parameters that are no schema',
    { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'thing' } } }] },
    'tools.0.function.parameters',
    wrong,
  ],
  ['an unknown choice', { tools: [named('f')], tool_choice: 'maybe' }, 'tool_choice', wrong],
  ['a choice that is no tool', { tools: [named('f')], tool_choice: named('g') }, 'tool_choice', wrong],
  ['a choice without tools', { tool_choice: named('f') }, 'tool_choice', wrong],
  ['a requirement without tools', { tool_choice: 'required', tools: [] }, 'tool_choice', wrong],
  ['an unknown format', { response_format: { type: 'xml' } }, 'response_format.type', wrong],
  ['a format without a schema', format(), 'response_format.json_schema', missing],
  ['a schema without a name', format({ schema: {} }), 'response_format.json_schema.name', missing],
  ['a name without a schema', format({ name: 'x' }), 'response_format.json_schema.schema', missing],
  [
    'a schema that is none',
    format({ name: 'x', schema: { properties: { a: { type: 'thing' } } } }),
    'response_format.json_schema.schema',
    wrong,
  ],
])('%s is a 400 that names the field', async ([, change, param, code]) => {
  const answer = await chat(change);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { message: expect.any(String), type: 'invalid_request_error', param, code } });
});

test('a body that is no object is a 400 for the body as a whole', async () => {
  for (const rawBody of ['[]', '7', '"x"', 'null']) {
    const answer = await harness().request('/v1/chat/completions', { method: 'POST', rawBody });
    expect([answer.status, field(answer.body, 'error', 'param')]).toEqual([400, null]);
  }
});

test('the error says what is wrong in words that help', async () => {
  expect(field((await chat({ n: 0 })).body, 'error', 'message')).toBe('Invalid request: n must be >= 1.');
  expect(field((await chat({ stop: 7 })).body, 'error', 'message')).toMatch(/stop must be string,array,null/);
});

test('null stands for "not given", and unknown fields are ignored', async () => {
  const names =
    'n stop stream max_tokens max_completion_tokens temperature top_p stream_options tools tool_choice seed user';
  const more = 'response_format logprobs top_logprobs logit_bias metadata store service_tier reasoning_effort';
  const nothing = `${names} ${more} parallel_tool_calls presence_penalty frequency_penalty`.split(' ');
  const answer = await chat({ ...Object.fromEntries(nothing.map((name) => [name, null])), unheard_of: { a: 1 } });
  expect(answer.status).toBe(200);
});

test('what makes no difference is taken within its bounds', async () => {
  const plain = field((await chat({})).body, 'choices');
  for (const more of [
    { temperature: 2, top_p: 0, presence_penalty: -2, frequency_penalty: 2 },
    { logit_bias: { '1': -100, '2': 100, '3': 0.5 } },
    { metadata: Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`k${at}`, 'x'.repeat(512)])) },
    { service_tier: 'flex', reasoning_effort: 'minimal', store: true, user: 'me', top_logprobs: 0 },
    { tool_choice: 'none' },
    { tool_choice: 'auto', tools: [] },
  ]) {
    const answer = await chat(more);
    expect(answer.status).toBe(200);
    expect(field(answer.body, 'choices')).toEqual(plain);
  }
  const options = { include_usage: false, include_obfuscation: true };
  const streamed = await chat({ stream: true, stream_options: options });
  expect(streamed.status).toBe(200);
  expect(streamed.text).not.toContain('obfuscation');
});

test('schemas are accepted in any dialect', async () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { a: { const: 1 } },
  };
  const answer = await chat(format({ name: 'x', schema, strict: true }));
  expect(field(answer.body, 'choices', 0, 'message', 'content')).toBe('{"a":1}');
});
