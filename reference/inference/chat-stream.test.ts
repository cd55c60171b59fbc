/** A chat completion as an event stream: the same as the whole answer, piece by piece and in its time. */
import { expect, test } from 'vitest';
import { field, harness } from '../testing/harness.ts';
import { chat, events, messages } from './testing/chats.ts';

const textOf = (chunks: readonly unknown[], index = 0): string =>
  chunks
    .filter((chunk) => field(chunk, 'choices', 0, 'index') === index)
    .map((chunk) => field(chunk, 'choices', 0, 'delta', 'content') ?? '')
    .join('');

test('a stream has the same text piece by piece and ends with [DONE]', async () => {
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
