/** The npm package `openai`: models, chats and text completions, whole and streamed. */
import { expect, test } from 'vitest';
import { defaultModels } from '../../inference/models.ts';
import { ASKED, all, MODEL, openClient } from './openai.ts';
import type { Open } from './place.ts';

export function openaiTexts(open: Open): void {
  test('models are listed page by page, and found by an id with a slash', async () => {
    const client = await openClient(open);
    const models = await all(client.models.list());
    expect(models.map(({ id }) => id)).toEqual(defaultModels.map(({ id }) => id));
    const page = await client.models.list();
    expect(page.hasNextPage()).toBe(false);
    expect(await client.models.retrieve(MODEL)).toMatchObject({ id: MODEL, object: 'model', owned_by: 'acme' });
  });

  test('a chat is answered, with usage and a request id', async () => {
    const client = await openClient(open);
    const chat = await client.chat.completions.create(ASKED);
    expect(chat).toMatchObject({
      object: 'chat.completion',
      model: MODEL,
      _request_id: expect.stringMatching(/^req_/),
    });
    const [choice] = chat.choices;
    expect(choice?.message).toMatchObject({ role: 'assistant', content: expect.stringMatching(/\w/), refusal: null });
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = chat.usage ?? {};
    expect(prompt_tokens + completion_tokens).toBe(total_tokens);
    const { request_id } = await client.chat.completions.create(ASKED).withResponse();
    expect(request_id).toMatch(/^req_/);
  });

  test('a streamed chat tells the same text and, when asked, its usage', async () => {
    const client = await openClient(open);
    const whole = await client.chat.completions.create(ASKED);
    const chunks = await all(
      await client.chat.completions.create({ ...ASKED, stream: true, stream_options: { include_usage: true } }),
    );
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      whole.choices[0]?.message.content,
    );
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
  });

  test('the streaming helper puts the answer together', async () => {
    const client = await openClient(open);
    const whole = await client.chat.completions.create(ASKED);
    const stream = client.chat.completions.stream({ ...ASKED, stream_options: { include_usage: true } });
    const pieces: string[] = [];
    stream.on('content', (delta) => pieces.push(delta));
    const final = await stream.finalChatCompletion();
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(whole.choices[0]?.message.content);
    expect(final.choices[0]?.message.content).toBe(pieces.join(''));
    expect(final.choices[0]?.finish_reason).toBe('stop');
    expect(await stream.totalUsage()).toMatchObject({ total_tokens: whole.usage?.total_tokens });
  });

  test('n, stop, a length and log-probabilities do what they say', async () => {
    const { chat } = await openClient(open);
    const three = await chat.completions.create({ ...ASKED, n: 3, max_tokens: 9 });
    expect(three.choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, 'length'],
      [1, 'length'],
      [2, 'length'],
    ]);
    const text = three.choices[0]?.message.content ?? '';
    const stop = text.split(' ')[3] ?? '';
    const stopped = await chat.completions.create({ ...ASKED, max_tokens: 9, stop: [stop] });
    expect(stopped.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: text.slice(0, text.indexOf(stop)) },
    });
    const probable = await chat.completions.create({ ...ASKED, max_tokens: 4, logprobs: true, top_logprobs: 1 });
    const tokens = probable.choices[0]?.logprobs?.content ?? [];
    expect(tokens.map(({ token }) => token).join('')).toBe(probable.choices[0]?.message.content);
    for (const { logprob, top_logprobs } of tokens) expect([logprob <= 0, top_logprobs.length]).toEqual([true, 1]);
  });

  test('a text completion comes whole, streamed, and after its prompt', async () => {
    const { completions } = await openClient(open);
    const requested = { model: MODEL, prompt: 'Once', max_tokens: 6 };
    const whole = await completions.create(requested);
    expect(whole).toMatchObject({ object: 'text_completion', usage: { completion_tokens: 6 } });
    const text = whole.choices[0]?.text;
    const chunks = await all(await completions.create({ ...requested, stream: true }));
    expect(chunks.map((chunk) => chunk.choices[0]?.text).join('')).toBe(text);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length');
    const echoed = await completions.create({ ...requested, echo: true, logprobs: 1 });
    expect(echoed.choices[0]?.text).toBe(`Once${text}`);
    expect(echoed.choices[0]?.logprobs?.tokens?.join('')).toBe(`Once${text}`);
    expect(echoed.choices[0]?.logprobs?.token_logprobs?.[0]).toBeNull();
    const four = await completions.create({ ...requested, prompt: ['Once', 'Twice'], n: 2 });
    expect(four.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });
}
