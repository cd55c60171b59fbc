/** POST /v1/chat/completions as clients see it. */
import { expect, test } from 'vitest';
import { field, harness } from '../testing/harness.ts';
import { CHAT, chat, events, messages } from './testing/chats.ts';

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
  expect(JSON.parse(String(field(shaped.body, 'choices', 0, 'message', 'content')))).toEqual({
    ok: expect.any(Boolean),
    n: expect.any(Number),
  });
  const cut = await chat(one, { response_format: { type: 'json_object' }, max_tokens: 2 });
  expect(cut.body).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 2 } });
});

test('a whole answer has every field that a strict reader of the convention wants', async () => {
  const { body } = await chat(harness(), { max_tokens: 1 });
  expect(body).toEqual({
    id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
    object: 'chat.completion',
    created: expect.any(Number),
    model: 'acme/base-70b',
    system_fingerprint: expect.any(String),
    service_tier: 'default',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: expect.any(String), refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'length',
      },
    ],
    usage: {
      prompt_tokens: 5,
      completion_tokens: 1,
      total_tokens: 6,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
  });
});

test('what the conversation says changes the answer, also what tools were called', async () => {
  const one = harness();
  const call = (args: string): object => {
    return { id: 'call_1', type: 'function', function: { name: 'weather', arguments: args } };
  };
  const after = (args: string): object[] => [
    ...messages,
    { role: 'assistant', content: null, tool_calls: [call(args)] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ];
  const texts = await Promise.all(
    [messages, after('{"a":1}'), after('{"a":2}')].map(async (said) => (await chat(one, { messages: said })).body),
  );
  expect(new Set(texts.map((body) => field(body, 'choices', 0, 'message', 'content'))).size).toBe(3);
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

test('a prompt and the requested text must fit into the context together', async () => {
  const models = [{ ...harness().options.models[0], contextLength: 12 }] as never;
  const one = harness({ models });
  expect((await chat(one, { max_tokens: 7 })).status).toBe(200);
  expect(field((await chat(one)).body, 'usage', 'completion_tokens')).toBeLessThanOrEqual(7);
  for (const more of [
    { max_tokens: 8 },
    { max_tokens: 1, max_completion_tokens: 8 },
    { messages: [{ role: 'user', content: 'one two three four five six seven eight nine ten' }] },
  ]) {
    const { status, body } = await chat(one, more);
    expect(status).toBe(400);
    expect(body).toEqual({
      error: {
        message: expect.stringMatching(/maximum context length is 12 tokens.* 13 were requested/),
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    });
  }
});

test('a length beyond what one choice may have is cut, and said to be', async () => {
  const answer = await chat(harness({ maxCompletionTokens: 6 }), { max_tokens: 100 });
  expect(answer.body).toMatchObject({ usage: { completion_tokens: 6 }, choices: [{ finish_reason: 'length' }] });
});

test('a body that says it is something else than JSON is a 400; one that says nothing is read', async () => {
  const one = harness();
  const rawBody = JSON.stringify({ model: 'acme/base-70b', messages });
  for (const [type, status] of [
    ['application/x-www-form-urlencoded', 400],
    ['multipart/form-data; boundary=x', 400],
    ['application/xml', 400],
    ['text/html', 400],
    ['', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['application/problem+json', 200],
  ] as const) {
    const answer = await one.request(CHAT, { method: 'POST', rawBody, headers: { 'content-type': type } });
    expect([type, answer.status]).toEqual([type, status]);
    if (status === 400) {
      expect(answer.body).toEqual({
        error: { message: expect.stringContaining(type), type: 'invalid_request_error', param: null, code: null },
      });
    }
  }
});

test('a body that is not JSON is a 400, one that is too large a 413, an unknown model a 404', async () => {
  const one = harness({ inferencePayloadBytes: 300 });
  expect((await one.request(CHAT, { method: 'POST', rawBody: '{' })).status).toBe(400);
  const large = await chat(one, { messages: [{ role: 'user', content: 'x'.repeat(300) }] });
  expect([large.status, field(large.body, 'error', 'code')]).toEqual([413, 'request_too_large']);
  const unknown = await chat(one, { model: 'acme/none' });
  expect([unknown.status, field(unknown.body, 'error', 'code')]).toEqual([404, 'model_not_found']);
});
