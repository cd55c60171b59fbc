/** Tools: when they are called, which, and how that looks whole and streamed. */
import { expect, test } from 'vitest';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';
import { chat as plainChat } from './testing/chats.ts';

const user = (content: string): object => ({ role: 'user', content });

const chat = (one: Harness, more: object = {}): Promise<Answer> => plainChat(one, { tools, ...more });

const tool = (name: string, parameters?: object): object => ({
  type: 'function',
  function: { name, ...(parameters ? { parameters } : {}) },
});

const tools = [tool('weather', { type: 'object', properties: { city: { type: 'string' } } }), tool('book_flight')];

/** Names of the tools that are called; empty for an answer in words. */
function called(answer: Answer): unknown[] {
  const calls = field(answer.body, 'choices', 0, 'message', 'tool_calls');
  return Array.isArray(calls) ? calls.map((call) => field(call, 'function', 'name')) : [];
}

test('a tool that is insisted on is called, with arguments as a JSON text', async () => {
  const one = harness();
  for (const tool_choice of ['required', { type: 'function', function: { name: 'weather' } }]) {
    const answer = await chat(one, { tool_choice });
    const choice = field(answer.body, 'choices', 0);
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', logprobs: null, message: { content: null } });
    expect(field(choice, 'message', 'tool_calls', 0)).toMatchObject({
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'weather' },
    });
    const text = field(choice, 'message', 'tool_calls', 0, 'function', 'arguments');
    expect(JSON.parse(String(text))).toEqual({ city: expect.any(String) });
  }
});

test('a tool without parameters, or with ones that make no object, is called with none', async () => {
  const one = harness();
  for (const own of [tool('plain'), tool('odd', { type: 'string' }), tool('empty', {})]) {
    const answer = await chat(one, { tools: [own], tool_choice: 'required' });
    expect(field(answer.body, 'choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments')).toBe('{}');
  }
});

test.for<[string, object, readonly string[]]>([
  ['nobody names a tool', {}, []],
  ['the user names one', { messages: [user('How is the Weather?')] }, ['weather']],
  ['the user names two', { messages: [user('book_flight, given the weather')] }, ['weather', 'book_flight']],
  [
    'the user names two, and one at a time is wanted',
    { messages: [user('book_flight, given the weather')], parallel_tool_calls: false },
    ['weather'],
  ],
  ['the name is only a part of a word', { messages: [user('weatherproof book_flights')] }, []],
  [
    'the name was said earlier',
    { messages: [user('weather?'), { role: 'assistant', content: 'Yes.' }, user('So?')] },
    [],
  ],
  [
    'the tool has just answered',
    {
      messages: [
        user('weather?'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'the weather is fine' },
      ],
    },
    [],
  ],
  ['tools are not to be used', { messages: [user('weather?')], tool_choice: 'none' }, []],
  ['one is required, and none is named', { tool_choice: 'required' }, ['weather']],
  [
    'one is required, and another is named',
    { messages: [user('book_flight')], tool_choice: 'required' },
    ['book_flight'],
  ],
  [
    'one is named by the client, another by the user',
    { messages: [user('weather')], tool_choice: { type: 'function', function: { name: 'book_flight' } } },
    ['book_flight'],
  ],
  ['there are none', { tools: [], messages: [user('weather')] }, []],
  [
    'content comes in parts',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'weather' }] }] },
    ['weather'],
  ],
])('%s', async ([, more, expected]) => {
  const answer = await chat(harness(), more);
  expect(answer.status).toBe(200);
  expect(called(answer)).toEqual(expected);
  expect(field(answer.body, 'choices', 0, 'finish_reason')).toBe(expected.length > 0 ? 'tool_calls' : 'stop');
});

test('a streamed tool call names the tool first and then has its arguments', async () => {
  const answer = await chat(harness(), { tool_choice: 'required', stream: true });
  const lines = answer.text.split('\n\n').filter(Boolean);
  const chunks = lines.slice(0, -1).map((line): unknown => JSON.parse(line.slice('data: '.length)));
  expect(field(chunks[0], 'choices', 0, 'delta')).toMatchObject({ role: 'assistant', content: null });
  const calls = chunks.map((chunk) => field(chunk, 'choices', 0, 'delta', 'tool_calls', 0)).filter(Boolean);
  expect(calls[0]).toMatchObject({ index: 0, type: 'function', function: { name: 'weather', arguments: '' } });
  expect(JSON.parse(calls.map((call) => field(call, 'function', 'arguments')).join(''))).toEqual({
    city: expect.any(String),
  });
  expect(field(chunks.at(-1), 'choices', 0)).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
});

test('arguments are tokens too: without room for them they are cut', async () => {
  const named = { messages: [user('book_flight, given the weather')], max_tokens: 3 };
  const answer = await chat(harness(), named);
  expect(called(answer)).toEqual(['weather']);
  expect(answer.body).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 3 } });
});
