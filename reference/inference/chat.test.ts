/** POST /v1/chat/completions as clients see it, whole and streamed. */
import { expect, test } from 'vitest';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';

const messages = [{ role: 'user', content: 'Say something.' }];
const CHAT = '/v1/chat/completions';

function chat(one: Harness, more: object = {}): Promise<Answer> {
  return one.ask(CHAT, { method: 'POST', body: { model: 'acme/base-70b', messages, ...more } });
}

/** The JSON of every event but the terminator, which must be there. */
function events(answer: Answer): unknown[] {
  const lines = answer.text.split('\n\n').filter(Boolean);
  expect(lines.at(-1)).toBe('data: [DONE]');
  return lines.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')) as unknown);
}

const textOf = (chunks: readonly unknown[], index = 0): string =>
  chunks
    .filter((chunk) => field(chunk, 'choices', 0, 'index') === index)
    .map((chunk) => field(chunk, 'choices', 0, 'delta', 'content') ?? '')
    .join('');

test('a chat is answered by one assistant message, with usage that adds up', async () => {
  const one = harness();
  const answer = await chat(one);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-/),
    object: 'chat.completion',
    created: Math.floor(one.clock.now() / 1000),
    model: 'acme/base-70b',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: expect.any(String), refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
  });
  const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
    Number(field(answer.body, 'usage', name)),
  );
  expect((prompt ?? 0) + (completion ?? 0)).toBe(total);
  expect(completion).toBeGreaterThan(0);
});

test('the answer takes the time of its tokens', async () => {
  const one = harness({ firstTokenMs: 100, interTokenMs: 20 });
  for (const [max_tokens, took] of [
    [1, 100],
    [400, 100 + 399 * 20],
  ] as const) {
    const before = one.clock.now();
    const answer = await chat(one, { max_tokens });
    expect(one.clock.now() - before).toBe(took);
    expect(answer.body).toMatchObject({
      usage: { completion_tokens: max_tokens },
      choices: [{ finish_reason: 'length' }],
    });
  }
});

test('max_completion_tokens wins over max_tokens', async () => {
  const answer = await chat(harness(), { max_tokens: 50, max_completion_tokens: 7 });
  expect(field(answer.body, 'usage', 'completion_tokens')).toBe(7);
});

test('n choices differ, and their tokens are counted together', async () => {
  const answer = await chat(harness(), { n: 3, max_tokens: 10 });
  const choices = field(answer.body, 'choices') as unknown[];
  expect(choices.map((choice) => field(choice, 'index'))).toEqual([0, 1, 2]);
  expect(new Set(choices.map((choice) => field(choice, 'message', 'content'))).size).toBe(3);
  expect(field(answer.body, 'usage', 'completion_tokens')).toBe(30);
});

test('a stream tells the same text piece by piece and ends with [DONE]', async () => {
  const one = harness();
  const whole = await chat(one, { max_tokens: 12 });
  const streamed = await chat(one, { max_tokens: 12, stream: true });
  expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const chunks = events(streamed);
  expect(textOf(chunks)).toBe(field(whole.body, 'choices', 0, 'message', 'content'));
  expect(field(chunks[0], 'choices', 0, 'delta', 'role')).toBe('assistant');
  const reasons = chunks.map((chunk) => field(chunk, 'choices', 0, 'finish_reason'));
  expect(reasons.filter(Boolean)).toEqual(['length']);
  expect(reasons.at(-1)).toBe('length');
  for (const name of ['id', 'created', 'model', 'object']) {
    expect(new Set(chunks.map((chunk) => field(chunk, name))).size).toBe(1);
  }
  expect(field(chunks[0], 'object')).toBe('chat.completion.chunk');
  expect(chunks.every((chunk) => field(chunk, 'usage') === undefined)).toBe(true);
});

test('pieces come in their time, not all at once', async () => {
  const one = harness({ firstTokenMs: 100, interTokenMs: 50 });
  const request = new Request('http://reference/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${one.options.accessKeys[0]}` },
    body: JSON.stringify({ model: 'acme/base-70b', messages, max_tokens: 4, stream: true }),
  });
  const start = one.clock.now();
  const response = await one.service.handle(request, { address: '192.0.2.1' });
  const times: number[] = [];
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    if (/"content":"[^"]+"/.test(decoder.decode(bytes))) {
      times.push(one.clock.now() - start);
    }
  }
  expect(times).toEqual([100, 150, 200, 250]);
});

test('include_usage adds one last chunk without choices, and null before', async () => {
  const chunks = events(
    await chat(harness(), { max_tokens: 5, stream: true, stream_options: { include_usage: true } }),
  );
  const last = chunks.at(-1);
  expect(last).toMatchObject({ choices: [], usage: { completion_tokens: 5 } });
  expect(chunks.slice(0, -1).every((chunk) => field(chunk, 'usage') === null)).toBe(true);
});

test('streamed choices are interleaved by index, each with its own end', async () => {
  const one = harness();
  const whole = await chat(one, { n: 2, max_tokens: 6 });
  const chunks = events(await chat(one, { n: 2, max_tokens: 6, stream: true }));
  for (const index of [0, 1]) {
    expect(textOf(chunks, index)).toBe(field(whole.body, 'choices', index, 'message', 'content'));
    const own = chunks.filter((chunk) => field(chunk, 'choices', 0, 'index') === index);
    expect(own.filter((chunk) => field(chunk, 'choices', 0, 'finish_reason') !== null)).toHaveLength(1);
  }
});

test('stop ends the text before it', async () => {
  const one = harness();
  const content = String(field((await chat(one, { max_tokens: 20 })).body, 'choices', 0, 'message', 'content'));
  const stop = content.split(' ')[4] ?? '';
  const stopped = await chat(one, { max_tokens: 20, stop });
  expect(stopped.body).toMatchObject({
    choices: [{ message: { content: content.slice(0, content.indexOf(stop)) }, finish_reason: 'stop' }],
  });
});

test('log-probabilities come one for each token, whole and streamed', async () => {
  const one = harness();
  const whole = await chat(one, { max_tokens: 4, logprobs: true, top_logprobs: 2 });
  const content = field(whole.body, 'choices', 0, 'logprobs', 'content') as unknown[];
  expect(content).toHaveLength(4);
  for (const entry of content) {
    expect(field(entry, 'logprob')).toBeLessThan(0);
    expect(Buffer.from(field(entry, 'bytes') as number[]).toString()).toBe(field(entry, 'token'));
  }
  const chunks = events(await chat(one, { max_tokens: 4, logprobs: true, stream: true }));
  const tokens = chunks.flatMap((chunk) => (field(chunk, 'choices', 0, 'logprobs', 'content') as unknown[]) ?? []);
  expect(tokens.map((entry) => field(entry, 'token'))).toEqual(content.map((entry) => field(entry, 'token')));
});

test('response_format gets JSON, of the schema where there is one', async () => {
  const one = harness();
  const plain = await chat(one, { response_format: { type: 'json_object' } });
  expect(JSON.parse(String(field(plain.body, 'choices', 0, 'message', 'content')))).toBeTypeOf('object');
  const schema = { type: 'object', properties: { ok: { type: 'boolean' }, n: { type: 'integer', minimum: 4 } } };
  const shaped = await chat(one, { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } });
  expect(JSON.parse(String(field(shaped.body, 'choices', 0, 'message', 'content')))).toEqual({ ok: true, n: 4 });
});

const tools = [
  {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
];

test('a tool that is insisted on is called, with arguments as a JSON text', async () => {
  const one = harness();
  for (const tool_choice of ['required', { type: 'function', function: { name: 'weather' } }]) {
    const answer = await chat(one, { tools, tool_choice });
    const choice = field(answer.body, 'choices', 0);
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    const [call] = field(choice, 'message', 'tool_calls') as unknown[];
    expect(call).toMatchObject({
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'weather' },
    });
    expect(JSON.parse(String(field(call, 'function', 'arguments')))).toEqual({ city: 'x' });
  }
  expect((await chat(one, { tools })).body).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
});

test('a streamed tool call names the tool first and then tells its arguments', async () => {
  const chunks = events(await chat(harness(), { tools, tool_choice: 'required', stream: true }));
  const calls = chunks.flatMap((chunk) => (field(chunk, 'choices', 0, 'delta', 'tool_calls') as unknown[]) ?? []);
  expect(calls[0]).toMatchObject({ index: 0, type: 'function', function: { name: 'weather', arguments: '' } });
  expect(JSON.parse(calls.map((call) => field(call, 'function', 'arguments')).join(''))).toEqual({ city: 'x' });
  expect(field(chunks.at(-1), 'choices', 0, 'finish_reason')).toBe('tool_calls');
});

test('content may come in parts, and an assistant may have said nothing', async () => {
  const said = [
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: null, tool_calls: [] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello there' },
        { type: 'image_url', image_url: { url: 'x' } },
      ],
    },
  ];
  expect((await chat(harness(), { messages: said })).status).toBe(200);
});

test('a prompt beyond the context is refused', async () => {
  const models = [{ ...harness().options.models[0], contextLength: 4 }] as never;
  const answer = await chat(harness({ models }), { messages: [{ role: 'user', content: 'one two three four five' }] });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { code: 'context_length_exceeded', param: 'messages' } });
});

const faults: readonly [string, object, string | null, string][] = [
  ['no model', { model: undefined }, 'model', 'missing_required_parameter'],
  ['no messages', { messages: undefined }, 'messages', 'missing_required_parameter'],
  ['empty messages', { messages: [] }, 'messages', 'invalid_value'],
  ['messages that are none', { messages: 'hi' }, 'messages', 'invalid_value'],
  ['a message without role', { messages: [{ content: 'x' }] }, 'messages.0.role', 'missing_required_parameter'],
  ['a message without content', { messages: [{ role: 'user' }] }, 'messages.0.content', 'missing_required_parameter'],
  ['an unknown role', { messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role', 'invalid_value'],
  ['n of 0', { n: 0 }, 'n', 'invalid_value'],
  ['n of 129', { n: 129 }, 'n', 'invalid_value'],
  ['a temperature of 3', { temperature: 3 }, 'temperature', 'invalid_value'],
  ['max_tokens of 0', { max_tokens: 0 }, 'max_tokens', 'invalid_value'],
  ['five stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop', 'invalid_value'],
  ['stream options without a stream', { stream_options: { include_usage: true } }, 'stream_options', 'invalid_value'],
];

test.for(faults)('%s is a 400 that names the field', async ([, change, param, code]) => {
  const answer = await chat(harness(), change);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { message: expect.any(String), type: 'invalid_request_error', param, code } });
});

test('null stands for "not given", and unknown fields are ignored', async () => {
  const nothing = {
    n: null,
    stop: null,
    stream: null,
    max_tokens: null,
    temperature: null,
    stream_options: null,
    tools: null,
  };
  expect((await chat(harness(), { ...nothing, unheard_of: { a: 1 } })).status).toBe(200);
});

test('a body that is not JSON is a 400, one that is too large a 413, an unknown model a 404', async () => {
  const one = harness({ inferencePayloadBytes: 300 });
  expect((await one.ask(CHAT, { method: 'POST', rawBody: '{' })).status).toBe(400);
  const large = await chat(one, { messages: [{ role: 'user', content: 'x'.repeat(300) }] });
  expect([large.status, field(large.body, 'error', 'code')]).toEqual([413, 'request_too_large']);
  const unknown = await chat(one, { model: 'acme/none' });
  expect([unknown.status, field(unknown.body, 'error', 'code')]).toEqual([404, 'model_not_found']);
});
