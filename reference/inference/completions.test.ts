/** POST /v1/completions as clients see it, whole and streamed. */
import { expect, test } from 'vitest';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';

function complete(one: Harness, more: object = {}): Promise<Answer> {
  return one.request('/v1/completions', {
    method: 'POST',
    body: { model: 'acme/coder-8b', prompt: 'Once upon', ...more },
  });
}

const choicesOf = (answer: Answer): unknown[] => field(answer.body, 'choices') as unknown[];

test('a prompt is completed', async () => {
  const answer = await complete(harness());
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    id: expect.stringMatching(/^cmpl-/),
    object: 'text_completion',
    model: 'acme/coder-8b',
    choices: [{ index: 0, text: expect.stringMatching(/\w/), logprobs: null, finish_reason: expect.any(String) }],
    usage: { prompt_tokens: 2 },
  });
});

test('without a length no completion is longer than sixteen tokens', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const answer = await complete(harness(), { seed });
    const tokens = Number(field(answer.body, 'usage', 'completion_tokens'));
    expect(tokens).toBeLessThanOrEqual(16);
    expect(choicesOf(answer)).toMatchObject([{ finish_reason: tokens === 16 ? expect.any(String) : 'stop' }]);
  }
});

test('every prompt gets n choices, numbered through; prompts are counted together', async () => {
  const one = harness();
  const answer = await complete(one, { prompt: ['a b', 'c'], n: 2, max_tokens: 3 });
  expect(choicesOf(answer).map((choice) => field(choice, 'index'))).toEqual([0, 1, 2, 3]);
  expect(field(answer.body, 'usage')).toMatchObject({ prompt_tokens: 3, completion_tokens: 12, total_tokens: 15 });
  const alone = await complete(one, { prompt: 'c', max_tokens: 3 });
  expect(field(choicesOf(answer)[2], 'text')).toBe(field(choicesOf(alone)[0], 'text'));
});

test('a prompt may be numbers of tokens', async () => {
  const one = harness();
  expect((await complete(one, { prompt: [1, 2, 3] })).body).toMatchObject({ usage: { prompt_tokens: 3 } });
  const two = await complete(one, { prompt: [[1, 2], [3]] });
  expect(choicesOf(two)).toHaveLength(2);
});

test('echo puts the prompt before the text, and the offsets of log-probabilities know it', async () => {
  const answer = await complete(harness(), { echo: true, max_tokens: 3, logprobs: 1 });
  const [choice] = choicesOf(answer);
  const text = String(field(choice, 'text'));
  expect(text.startsWith('Once upon')).toBe(true);
  const tokens = field(choice, 'logprobs', 'tokens') as string[];
  const offsets = field(choice, 'logprobs', 'text_offset') as number[];
  expect(tokens).toHaveLength(2 + 3);
  expect(tokens.join('')).toBe(text);
  tokens.forEach((token, at) => {
    const offset = offsets[at] ?? 0;
    expect(text.slice(offset, offset + token.length)).toBe(token);
  });
});

test('a stream has the same text and ends with [DONE]', async () => {
  const one = harness();
  for (const more of [{ max_tokens: 8 }, { max_tokens: 8, echo: true, logprobs: 0 }]) {
    const whole = await complete(one, more);
    const streamed = await complete(one, { ...more, stream: true, stream_options: { include_usage: true } });
    const lines = streamed.text.split('\n\n').filter(Boolean);
    expect(lines.at(-1)).toBe('data: [DONE]');
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
    expect(chunks.map((chunk) => field(chunk, 'choices', 0, 'text') ?? '').join('')).toBe(
      field(choicesOf(whole)[0], 'text'),
    );
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: field(whole.body, 'usage') });
    expect(field(chunks.at(-2), 'choices', 0, 'finish_reason')).toBe('length');
    expect(chunks.every((chunk) => field(chunk, 'object') === 'text_completion')).toBe(true);
  }
});

test('faults are a 400 that names the field', async () => {
  const one = harness();
  for (const [change, param] of [
    [{ prompt: undefined }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ logprobs: 6 }, 'logprobs'],
    [{ model: '' }, 'model'],
    [{ prompt: [[]] }, 'prompt'],
    [{ prompt: [-1] }, 'prompt'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ best_of: 21 }, 'best_of'],
    [{ n: 3, best_of: 2 }, 'best_of'],
    [{ best_of: 2, stream: true }, 'best_of'],
    [{ echo: 'yes' }, 'echo'],
    [{ suffix: 7 }, 'suffix'],
    [{ stream_options: {} }, 'stream_options'],
  ] as const) {
    const answer = await complete(one, change);
    expect([answer.status, field(answer.body, 'error', 'param')]).toEqual([400, param]);
  }
  expect((await complete(one, { model: 'acme/none' })).status).toBe(404);
});

test('best_of keeps the likeliest texts per token, in the order in which they were made', async () => {
  const one = harness();
  const candidates = choicesOf(await complete(one, { n: 6, max_tokens: 8, logprobs: 0 }));
  const mean = (choice: unknown): number => {
    const logprobs = field(choice, 'logprobs', 'token_logprobs') as number[];
    return logprobs.reduce((sum, value) => sum + value, 0) / logprobs.length;
  };
  const best = [...candidates].sort((a, b) => mean(b) - mean(a)).slice(0, 2);
  const expected = candidates.filter((choice) => best.includes(choice)).map((choice) => field(choice, 'text'));
  const chosen = await complete(one, { n: 2, best_of: 6, max_tokens: 8 });
  expect(choicesOf(chosen).map((choice) => field(choice, 'text'))).toEqual(expected);
  expect(field(chosen.body, 'usage')).toEqual({ prompt_tokens: 2, completion_tokens: 48, total_tokens: 50 });
});

test('a suffix is read, and not repeated', async () => {
  const one = harness();
  const [without, having] = [await complete(one), await complete(one, { suffix: 'the end of it', echo: true })];
  expect(field(having.body, 'usage', 'prompt_tokens')).toBe(2 + 4);
  const text = String(field(choicesOf(having)[0], 'text'));
  expect(text).toMatch(/^Once upon/);
  expect(text).not.toContain('the end of it');
  expect(text).not.toBe(`Once upon${String(field(choicesOf(without)[0], 'text'))}`);
});

test('a prompt can be judged without a text after it', async () => {
  const answer = await complete(harness(), { max_tokens: 0, echo: true, logprobs: 2 });
  const [choice] = choicesOf(answer);
  expect(choice).toMatchObject({ text: 'Once upon', finish_reason: 'length', logprobs: { tokens: ['Once', ' upon'] } });
  const [first, second] = field(choice, 'logprobs', 'token_logprobs') as unknown[];
  expect(first).toBeNull();
  expect(second).toBeLessThan(0);
  expect(field(answer.body, 'usage')).toEqual({ prompt_tokens: 2, completion_tokens: 0, total_tokens: 2 });
});

test('a completion and its prompt must fit into the context; the default length shrinks to what is left', async () => {
  const models = [{ ...harness().options.models[0], id: 'acme/coder-8b', contextLength: 10 }] as never;
  const one = harness({ models });
  expect((await complete(one, { max_tokens: 8 })).status).toBe(200);
  const refused = await complete(one, { max_tokens: 9 });
  expect([refused.status, field(refused.body, 'error', 'code')]).toEqual([400, 'context_length_exceeded']);
  expect(field(refused.body, 'error', 'param')).toBe('prompt');
  const short = await complete(one, { prompt: 'one two three four five six seven' });
  expect(short.body).toMatchObject({ usage: { completion_tokens: 3 }, choices: [{ finish_reason: 'length' }] });
});
