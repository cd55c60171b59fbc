/** GET /v1/models, and one model by its id. */
import { expect, test } from 'vitest';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';
import { defaultModels, supportedParameters } from './models.ts';

const listOf = (answer: Answer): unknown[] => {
  const data = field(answer.body, 'data');
  return Array.isArray(data) ? data : [];
};

test('models are listed with what they can do', async () => {
  const answer = await harness().request('/v1/models');
  const data = listOf(answer);
  expect(field(answer.body, 'object')).toBe('list');
  expect(data.map((model) => field(model, 'id'))).toEqual(defaultModels.map(({ id }) => id));
  expect(field(data[0], 'id')).toBe('acme/base-70b');
  for (const model of data) {
    expect(model).toMatchObject({
      id: expect.stringMatching(/^acme\/[\w-]+$/),
      object: 'model',
      created: expect.any(Number),
      owned_by: 'acme',
      context_length: expect.any(Number),
      architecture: { input_modalities: ['text'], output_modalities: ['text'] },
      pricing: { prompt: expect.stringMatching(/^0\.\d+$/), completion: expect.stringMatching(/^0\.\d+$/) },
      top_provider: { context_length: expect.any(Number), max_completion_tokens: 4096, is_moderated: false },
      supported_parameters: expect.arrayContaining(['stream', 'tools']),
    });
  }
});

test('every family that is promised is there', () => {
  const families = defaultModels.map(({ description }) => description).join('; ');
  for (const family of ['coding, reasoning and instruction-following', 'advanced reasoning and analysis']) {
    expect(families.toLowerCase()).toContain(family);
  }
  expect(families).toMatch(/Performance-optimised/);
  expect(families).toMatch(/General-purpose/);
});

test('no model says that it gives longer texts than fit into its context', async () => {
  const models = [{ ...defaultModels[0], contextLength: 100 }] as never;
  const [model] = listOf(await harness({ models }).request('/v1/models'));
  expect(field(model, 'top_provider', 'max_completion_tokens')).toBe(100);
});

const weather = (name: string): object => ({ type: 'function', function: { name } });
const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };

/** For each supported parameter a request without it and one with it, whose answers must differ. */
const effects: Readonly<Record<(typeof supportedParameters)[number], readonly [object, object]>> = {
  logprobs: [{}, { logprobs: true }],
  max_completion_tokens: [{}, { max_completion_tokens: 3 }],
  max_tokens: [{}, { max_tokens: 3 }],
  n: [{}, { n: 2 }],
  parallel_tool_calls: [
    { tools: [weather('sun'), weather('rain')] },
    { tools: [weather('sun'), weather('rain')], parallel_tool_calls: false },
  ],
  response_format: [{}, { response_format: { type: 'json_object' } }],
  seed: [{ seed: 1 }, { seed: 2 }],
  stop: [{}, { stop: 'e' }],
  stream: [{}, { stream: true }],
  stream_options: [{ stream: true }, { stream: true, stream_options: { include_usage: true } }],
  structured_outputs: [{}, { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } }],
  tool_choice: [{ tools: [weather('snow')] }, { tools: [weather('snow')], tool_choice: 'required' }],
  tools: [{}, { tools: [weather('rain')] }],
  top_logprobs: [{ logprobs: true }, { logprobs: true, top_logprobs: 2 }],
};

test.for(supportedParameters.map((name) => [name] as const))('%s makes a difference', async ([name]) => {
  const request = async (one: Harness, more: object): Promise<string> => {
    const messages = [{ role: 'user', content: 'Will there be sun or rain?' }];
    const body = { model: 'acme/base-70b', messages, ...more };
    return (await one.request('/v1/chat/completions', { method: 'POST', body })).text;
  };
  const [without, having] = effects[name];
  // Two fresh services make the same ids, so that nothing else tells the answers apart.
  expect(await request(harness(), without)).toBe(await request(harness(), without));
  expect(await request(harness(), having)).not.toBe(await request(harness(), without));
});

test('one model is found by its id, with its slash bare or encoded', async () => {
  const { request } = harness();
  for (const id of ['acme/base-70b', 'acme%2Fbase-70b']) {
    const { body } = await request(`/v1/models/${id}`);
    expect(body).toEqual(listOf(await request('/v1/models'))[0]);
  }
  for (const id of ['acme/none', 'acme', 'acme%2Fbase-70b%2Fmore']) {
    const missing = await request(`/v1/models/${id}`);
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({
      error: {
        message: expect.stringContaining(decodeURIComponent(id)),
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
    });
  }
});
