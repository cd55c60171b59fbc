/** LangChain (`@langchain/openai`): chat and completion models, tools, structured output. */
import { ChatOpenAI, type ChatOpenAIFields, OpenAI } from '@langchain/openai';
import { expect, test } from 'vitest';
import { KEY } from '../../testing/harness.ts';
import { countOf, type Open, type Place } from './place.ts';

const MODEL = 'acme/base-70b';
const PROMPT = 'Say something.';

function fieldsAt({ url, fetch }: Place): ChatOpenAIFields & { model: string } {
  return { model: MODEL, apiKey: KEY, maxRetries: 0, configuration: { baseURL: `${url}/v1`, fetch } };
}

const chatAt = (place: Place, more: ChatOpenAIFields = {}): ChatOpenAI =>
  new ChatOpenAI({ ...fieldsAt(place), ...more });

const schema = {
  title: 'forecast',
  type: 'object',
  properties: { city: { type: 'string', minLength: 3 }, days: { type: 'integer', minimum: 2 } },
  required: ['city', 'days'],
};
const weather = {
  type: 'function' as const,
  function: { name: 'weather', description: 'Weather', parameters: schema },
};
const WANTED = { city: expect.any(String), days: expect.any(Number) };

export function langchainScenarios(open: Open): void {
  test('invoke answers with a message and its usage', async () => {
    const answer = await chatAt(await open()).invoke([
      ['system', 'Be brief.'],
      ['human', PROMPT],
    ]);
    expect(answer.text).toMatch(/\w/);
    expect(answer.response_metadata).toMatchObject({ finish_reason: 'stop' });
    const { input_tokens = 0, output_tokens = 0, total_tokens } = answer.usage_metadata ?? {};
    expect(input_tokens + output_tokens).toBe(total_tokens);
    expect(output_tokens).toBeGreaterThan(0);
  });

  test('stream tells the same text piece by piece, with usage at the end', async () => {
    const chat = chatAt(await open());
    const whole = await chat.invoke(PROMPT);
    const pieces: string[] = [];
    let total = 0;
    for await (const piece of await chat.stream(PROMPT)) {
      if (piece.text !== '') pieces.push(piece.text);
      total += piece.usage_metadata?.total_tokens ?? 0;
    }
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(whole.text);
    expect(total).toBe(whole.usage_metadata?.total_tokens);
  });

  test('batch answers each in its place', async () => {
    const place = await open();
    const chat = chatAt(place);
    const prompts = ['one', 'two', 'three'];
    const answers = await chat.batch(prompts, { maxConcurrency: 2 });
    expect(countOf(place, 'chat')).toBe(3);
    for (const [index, prompt] of prompts.entries()) {
      expect(answers[index]?.text).toBe((await chat.invoke(prompt)).text);
    }
  });

  test.for(['jsonSchema', 'functionCalling'] as const)('structured output by %s fits its schema', async (method) => {
    const chat = chatAt(await open());
    expect(await chat.withStructuredOutput(schema, { name: 'forecast', method }).invoke(PROMPT)).toEqual(WANTED);
  });

  test('structured output by jsonMode is JSON', async () => {
    const chat = chatAt(await open());
    const answer = await chat.withStructuredOutput(schema, { name: 'forecast', method: 'jsonMode' }).invoke(PROMPT);
    expect(answer).toEqual({ answer: expect.any(String) });
  });

  test('a bound tool is called, whole and streamed, and takes its result', async () => {
    const bound = chatAt(await open()).bindTools([weather], { tool_choice: 'weather' });
    const answer = await bound.invoke(PROMPT);
    expect(answer.tool_calls).toMatchObject([{ name: 'weather', args: WANTED, id: expect.stringMatching(/^call_/) }]);
    const streamed = [];
    for await (const piece of await bound.stream(PROMPT)) streamed.push(...(piece.tool_call_chunks ?? []));
    expect(streamed[0]).toMatchObject({ name: 'weather', index: 0 });
    expect(JSON.parse(streamed.map(({ args }) => args ?? '').join(''))).toEqual(WANTED);
    const free = chatAt(await open()).bindTools([weather]);
    expect((await free.invoke(PROMPT)).tool_calls).toEqual([]);
    expect((await free.invoke('Look up weather.')).tool_calls).toMatchObject([{ name: 'weather', args: WANTED }]);
    const result = { role: 'tool', content: 'sunny', tool_call_id: answer.tool_calls?.[0]?.id ?? '' };
    const next = await free.invoke([{ role: 'user', content: PROMPT }, answer, result]);
    expect(next.text).toMatch(/\w/);
  });

  test('the completion model answers whole and streamed', async () => {
    const model = new OpenAI({ ...fieldsAt(await open()), maxTokens: 6 });
    const whole = await model.invoke(PROMPT);
    expect(whole).toMatch(/\w/);
    const pieces: string[] = [];
    for await (const piece of await model.stream(PROMPT)) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(whole);
  });

  test('refusals keep their status', async () => {
    const place = await open();
    await expect(chatAt(place, { apiKey: 'wrong' }).invoke(PROMPT)).rejects.toMatchObject({ status: 401 });
    await expect(chatAt(place, { model: 'acme/none' }).invoke(PROMPT)).rejects.toMatchObject({ status: 404 });
    const full = await open({ limits: { 'inference.concurrency': 0 } });
    await expect(chatAt(full).invoke(PROMPT)).rejects.toMatchObject({ status: 429 });
  });
}
