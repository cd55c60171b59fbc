/** The AI SDK (`ai` with `@ai-sdk/openai-compatible`): texts, objects, tools and errors. */
import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  generateObject,
  generateText,
  jsonSchema,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from 'ai';
import { expect, test } from 'vitest';
import type { ReferenceOptions } from '../../options.ts';
import { BROKE_KEY, KEY } from '../../testing/harness.ts';
import type { Open, Place } from './place.ts';

const MODEL = 'acme/base-70b';
const PROMPT = 'Say something.';
const TOTAL = expect.objectContaining({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });

function providerAt({ url, fetch }: Place, apiKey = KEY): OpenAICompatibleProvider {
  const settings = { includeUsage: true, supportsStructuredOutputs: true };
  return createOpenAICompatible({ name: 'reference', baseURL: `${url}/v1`, apiKey, fetch, ...settings });
}

interface City {
  readonly city: string;
  readonly days: number;
}

const city = jsonSchema<City>({
  type: 'object',
  properties: { city: { type: 'string', minLength: 3 }, days: { type: 'integer', minimum: 2 } },
  required: ['city', 'days'],
  additionalProperties: false,
});
const WANTED = { city: expect.any(String), days: expect.any(Number) };

const refusals: readonly [string, number, Partial<ReferenceOptions>, (provider: Place) => Promise<unknown>][] = [
  ['a wrong key', 401, {}, (place) => request(place, MODEL, 'wrong')],
  ['an account without balance', 402, {}, (place) => request(place, MODEL, BROKE_KEY)],
  ['a model that is not offered', 404, {}, (place) => request(place, 'acme/none')],
  ['a body that is too large', 413, { inferencePayloadBytes: 50 }, (place) => request(place)],
  ['a request too many', 429, { limits: { 'inference.concurrency': 0 } }, (place) => request(place)],
];

function request(place: Place, model = MODEL, key = KEY): Promise<unknown> {
  return generateText({ model: providerAt(place, key)(model), prompt: PROMPT, maxRetries: 0 });
}

export function aiSdkScenarios(open: Open): void {
  test('a text is generated whole and streamed, with the same usage', async () => {
    const model = providerAt(await open())(MODEL);
    const whole = await generateText({ model, prompt: PROMPT });
    expect(whole).toMatchObject({ text: expect.stringMatching(/\w/), finishReason: 'stop', usage: TOTAL });
    expect(whole.response).toMatchObject({ modelId: MODEL, id: expect.stringMatching(/^chatcmpl-/) });
    const stream = streamText({ model, prompt: PROMPT });
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(whole.text);
    expect(await stream.finishReason).toBe('stop');
    expect((await stream.usage).totalTokens).toBe(whole.usage.totalTokens);
  });

  test('a length ends a text', async () => {
    const model = providerAt(await open())(MODEL);
    const short = await generateText({ model, prompt: PROMPT, maxOutputTokens: 5 });
    expect(short).toMatchObject({ finishReason: 'length', usage: { outputTokens: 5 } });
  });

  test('an object of a given shape is generated whole and streamed', async () => {
    const model = providerAt(await open())(MODEL);
    expect((await generateObject({ model, schema: city, prompt: PROMPT })).object).toEqual(WANTED);
    const stream = streamObject({ model, schema: city, prompt: PROMPT });
    const states: unknown[] = [];
    for await (const state of stream.partialObjectStream) states.push(state);
    expect(states.length).toBeGreaterThan(1);
    expect(await stream.object).toEqual(WANTED);
  });

  test('a tool is called, its result goes back, and the last step is an answer in words', async () => {
    const given: City[] = [];
    const execute = async (input: City): Promise<string> => {
      given.push(input);
      return 'sunny';
    };
    const requested = {
      model: providerAt(await open())(MODEL),
      prompt: 'Look up weather.',
      tools: { weather: tool({ description: 'Tells the weather', inputSchema: city, execute }) },
      stopWhen: stepCountIs(5),
    };
    const result = [{ toolName: 'weather', output: 'sunny', input: WANTED }];
    const whole = await generateText(requested);
    expect(whole.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(whole.steps[0]?.toolResults).toMatchObject(result);
    expect(whole.text).toMatch(/\w/);
    const steps = await streamText(requested).steps;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(steps[0]?.toolResults).toMatchObject(result);
    expect(given).toEqual([WANTED, WANTED]);
  });

  test('the completion model generates whole and streamed', async () => {
    const model = providerAt(await open()).completionModel(MODEL);
    const whole = await generateText({ model, prompt: PROMPT, maxOutputTokens: 6 });
    expect(whole).toMatchObject({ finishReason: 'length', usage: { outputTokens: 6 } });
    const stream = streamText({ model, prompt: PROMPT, maxOutputTokens: 6 });
    expect(await stream.text).toBe(whole.text);
    expect((await stream.usage).outputTokens).toBe(6);
  });

  test.for(refusals)('%s is an APICallError with status %i', async ([, statusCode, options, refused]) => {
    const error = await refused(await open(options)).catch((reason: unknown) => reason);
    expect(APICallError.isInstance(error)).toBe(true);
    const data = { error: { message: expect.any(String), code: expect.any(String) } };
    // The message must be the service's own: it is the status text when the body isn't what this client expects.
    expect(error).toMatchObject({ statusCode, data, isRetryable: statusCode === 429 });
    if (APICallError.isInstance(error)) expect(error.responseBody).toContain(JSON.stringify(error.message));
  });

  test('a stream that is refused tells so', async () => {
    const model = providerAt(await open(), 'wrong')(MODEL);
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }): void => void errors.push(error);
    const stream = streamText({ model, prompt: PROMPT, maxRetries: 0, onError });
    await stream.consumeStream();
    expect(errors).toMatchObject([{ statusCode: 401 }]);
  });
}
