/** The npm package `openai`: tools and answers of a given shape, through its helpers too. */
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { ASKED, all, openClient } from './openai.ts';
import type { Open } from './place.ts';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 3 }, days: { type: 'integer', minimum: 2 } },
  required: ['city', 'days'],
};
const weather: OpenAI.ChatCompletionFunctionTool = { type: 'function', function: { name: 'weather', parameters } };
const WANTED = { city: 'xxx', days: 2 };

export function openaiTools(open: Open): void {
  test('a demanded tool is called, with arguments that fit its parameters', async () => {
    const client = await openClient(open);
    const chat = await client.chat.completions.create({ ...ASKED, tools: [weather], tool_choice: 'required' });
    const [choice] = chat.choices;
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    const [call] = choice?.message.tool_calls ?? [];
    expect(call).toMatchObject({ type: 'function', function: { name: 'weather' } });
    if (call?.type === 'function') expect(JSON.parse(call.function.arguments)).toEqual(WANTED);
  });

  test('a streamed call names the tool first and tells its arguments piece by piece', async () => {
    const client = await openClient(open);
    const chunks = await all(
      await client.chat.completions.create({ ...ASKED, tools: [weather], tool_choice: 'required', stream: true }),
    );
    const calls = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(calls[0]).toMatchObject({ index: 0, id: expect.stringMatching(/^call_/), function: { name: 'weather' } });
    expect(calls.length).toBeGreaterThan(3);
    expect(JSON.parse(calls.map((call) => call.function?.arguments ?? '').join(''))).toEqual(WANTED);
  });

  test('the streaming helper puts a call together', async () => {
    const client = await openClient(open);
    const stream = client.chat.completions.stream({ ...ASKED, tools: [weather], tool_choice: 'required' });
    const done: unknown[] = [];
    stream.on('tool_calls.function.arguments.done', (event) => done.push(JSON.parse(event.arguments)));
    const final = await stream.finalChatCompletion();
    expect(done).toEqual([WANTED]);
    expect(final.choices[0]?.message.tool_calls?.[0]?.function.name).toBe('weather');
  });

  test.for([false, true])(
    'the tool runner calls the function and hands its result back (stream: %s)',
    async (stream) => {
      const client = await openClient(open);
      const asked: unknown[] = [];
      const runnable = {
        type: 'function' as const,
        function: {
          name: 'weather',
          description: 'Tells the weather',
          parameters,
          parse: (text: string): unknown => JSON.parse(text),
          function: (given: unknown): string => {
            asked.push(given);
            return 'sunny';
          },
        },
      };
      // A tool that is required is called in every round, so the rounds are counted.
      const once = { ...ASKED, tools: [runnable], tool_choice: 'required' as const };
      const rounds = { maxChatCompletions: 2 };
      const runner = stream
        ? client.chat.completions.runTools({ ...once, stream: true }, rounds)
        : client.chat.completions.runTools(once, rounds);
      await runner.done();
      expect(asked).toEqual([WANTED, WANTED]);
      expect(await runner.finalFunctionToolCallResult()).toBe('sunny');
      const roles = runner.messages.map(({ role }) => role);
      expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    },
  );

  test('an answer of a given shape is parsed', async () => {
    const client = await openClient(open);
    const response_format = {
      type: 'json_schema' as const,
      json_schema: { name: 'forecast', strict: true, schema: parameters },
    };
    const chat = await client.chat.completions.parse({ ...ASKED, response_format });
    expect(chat.choices[0]?.message.parsed).toEqual(WANTED);
    const streamed = await client.chat.completions.stream({ ...ASKED, response_format }).finalChatCompletion();
    expect(JSON.parse(streamed.choices[0]?.message.content ?? '')).toEqual(WANTED);
    // Known bug: only `parse` reads a plain schema.
    expect(streamed.choices[0]?.message.parsed).toBeNull();
    const plain = await client.chat.completions.create({ ...ASKED, response_format: { type: 'json_object' } });
    expect(JSON.parse(plain.choices[0]?.message.content ?? '')).toBeTypeOf('object');
  });
}
