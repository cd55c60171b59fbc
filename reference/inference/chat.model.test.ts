/** Chat and text completions under random requests: what holds between usage, choices, streams and whole answers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';
import { countTokens } from './tokens.ts';

const instant = (): Harness => harness({ firstTokenMs: 0, interTokenMs: 0 });

function request(one: Harness, operation: 'chat/completions' | 'completions', body: object): Promise<Answer> {
  return one.request(`/v1/${operation}`, { method: 'POST', body: { model: 'acme/base-70b', ...body } });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const choicesOf = (answer: Answer): unknown[] => listOf(field(answer.body, 'choices'));

/** The JSON of every event; the terminator must be the last and the only one. */
function chunksOf(answer: Answer): unknown[] {
  const lines = answer.text.split('\n\n').filter(Boolean);
  expect(lines.indexOf('data: [DONE]')).toBe(lines.length - 1);
  return lines.slice(0, -1).map((line): unknown => JSON.parse(line.replace(/^data: /, '')));
}

/** The choice of each chunk that has one, of one index. */
function partsOf(chunks: readonly unknown[], index: number): unknown[] {
  return chunks.flatMap((chunk) => listOf(field(chunk, 'choices'))).filter((one) => field(one, 'index') === index);
}

function usageOf(answer: Answer): { prompt: number; completion: number } {
  const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
    Number(field(answer.body, 'usage', name)),
  );
  expect((prompt ?? 0) + (completion ?? 0)).toBe(total);
  return { prompt: prompt ?? 0, completion: completion ?? 0 };
}

const someText = fc.string({ unit: 'grapheme', maxLength: 40 });

/** Without the keys that a request leaves out. */
const given = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const chatBody = fc
  .record({
    messages: fc.array(fc.record({ role: fc.constantFrom('user', 'system', 'assistant'), content: someText }), {
      minLength: 1,
      maxLength: 3,
    }),
    n: maybe(fc.integer({ min: 1, max: 4 })),
    max_tokens: maybe(fc.integer({ min: 1, max: 30 })),
    seed: maybe(fc.integer()),
    stop: maybe(fc.constantFrom(['e'], [' the', '.'], ['never there'])),
    logprobs: maybe(fc.boolean()),
  })
  .map(given);

test('chat: usage adds up, choices are numbered, and a stream has the content of the whole answer', async () => {
  const one = instant();
  await fc.assert(
    fc.asyncProperty(chatBody, async (body) => {
      const whole = await request(one, 'chat/completions', body);
      expect(whole.status).toBe(200);
      const texts = choicesOf(whole).map((choice) => String(field(choice, 'message', 'content')));
      expect(choicesOf(whole).map((choice) => field(choice, 'index'))).toEqual(texts.map((_, at) => at));
      const usage = usageOf(whole);
      const reported = texts.reduce((sum, text) => sum + countTokens(text), 0);
      // The last token before a stop may be cut to a space, which counts as the token it was.
      expect(usage.completion).toBeGreaterThanOrEqual(reported);
      expect(usage.completion).toBeLessThanOrEqual(reported + texts.length);
      const streamed = await request(one, 'chat/completions', {
        ...body,
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks = chunksOf(streamed);
      expect(field(chunks.at(-1), 'usage')).toEqual(field(whole.body, 'usage'));
      texts.forEach((text, index) => {
        const parts = partsOf(chunks, index);
        expect(parts.map((part) => field(part, 'delta', 'content') ?? '').join('')).toBe(text);
        expect(field(parts[0], 'delta', 'role')).toBe('assistant');
        const finishes = parts.map((part) => field(part, 'finish_reason')).filter((reason) => reason !== null);
        expect(finishes).toEqual([field(choicesOf(whole)[index], 'finish_reason')]);
        expect(field(parts.at(-1), 'finish_reason')).toBe(finishes[0]);
        const probabilities = parts.flatMap((part) => listOf(field(part, 'logprobs', 'content')));
        expect(probabilities).toEqual(listOf(field(choicesOf(whole)[index], 'logprobs', 'content')));
      });
    }),
    { numRuns: 60 },
  );
});

const prompt = fc.oneof(
  someText,
  fc.array(someText, { minLength: 1, maxLength: 3 }),
  fc.array(fc.nat(9999), { minLength: 1, maxLength: 5 }),
  fc.array(fc.array(fc.nat(9999), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
);

const completionBody = fc
  .record({
    prompt,
    n: maybe(fc.integer({ min: 1, max: 3 })),
    more: fc.nat(3),
    best_of: fc.boolean(),
    max_tokens: maybe(fc.integer({ min: 0, max: 20 })),
    echo: maybe(fc.boolean()),
    suffix: maybe(someText),
    logprobs: maybe(fc.integer({ min: 0, max: 5 })),
    seed: maybe(fc.integer()),
  })
  .map(({ more, best_of: best, ...body }) => given({ ...body, best_of: best ? (body.n ?? 1) + more : undefined }));

/** How many prompts there are in one of the four forms. */
function promptsIn(value: unknown): number {
  return Array.isArray(value) && typeof value[0] !== 'number' ? value.length : 1;
}

test('completions: n for each prompt, numbered through, and usage counts what best_of threw away', async () => {
  const one = instant();
  await fc.assert(
    fc.asyncProperty(completionBody, async (body) => {
      const whole = await request(one, 'completions', body);
      expect(whole.status).toBe(200);
      const [n, candidates] = [Number(field(body, 'n') ?? 1), Number(field(body, 'best_of') ?? field(body, 'n') ?? 1)];
      const prompts = promptsIn(field(body, 'prompt'));
      expect(choicesOf(whole).map((choice) => field(choice, 'index'))).toEqual(
        Array.from({ length: prompts * n }, (_, at) => at),
      );
      const { completion } = usageOf(whole);
      const length = field(body, 'max_tokens');
      if (length !== undefined) expect(completion).toBe(prompts * candidates * Number(length));
      else expect(completion).toBeLessThanOrEqual(prompts * candidates * 16);
      const plain = await request(one, 'completions', { ...body, echo: false, best_of: null });
      const wordsOf = (answer: Answer): string[] => choicesOf(answer).map((choice) => String(field(choice, 'text')));
      if (candidates === n) {
        expect(wordsOf(whole).every((text, at) => text.endsWith(wordsOf(plain)[at] ?? ''))).toBe(true);
        if (field(body, 'echo') !== true) expect(wordsOf(whole)).toEqual(wordsOf(plain));
      }
      for (const choice of choicesOf(whole)) {
        const tokens = listOf(field(choice, 'logprobs', 'tokens'));
        if (tokens.length > 0) expect(tokens.join('')).toBe(field(choice, 'text'));
      }
    }),
    { numRuns: 60 },
  );
});

test('completions: a stream has the content of the whole answer, with its offsets', async () => {
  const one = instant();
  await fc.assert(
    fc.asyncProperty(completionBody, async (body) => {
      const fields = { ...body, best_of: null };
      const whole = await request(one, 'completions', fields);
      const options = { stream: true, stream_options: { include_usage: true } };
      const chunks = chunksOf(await request(one, 'completions', { ...fields, ...options }));
      expect(field(chunks.at(-1), 'usage')).toEqual(field(whole.body, 'usage'));
      choicesOf(whole).forEach((choice, index) => {
        const parts = partsOf(chunks, index);
        expect(parts.map((part) => field(part, 'text')).join('')).toBe(field(choice, 'text'));
        for (const list of ['tokens', 'token_logprobs', 'top_logprobs', 'text_offset']) {
          const reported = parts.flatMap((part) => listOf(field(part, 'logprobs', list)));
          expect(reported).toEqual(listOf(field(choice, 'logprobs', list)));
        }
      });
    }),
    { numRuns: 60 },
  );
});

test('several choices come side by side, not one after the other', async () => {
  const answer = await request(instant(), 'chat/completions', {
    messages: [{ role: 'user', content: 'x' }],
    n: 3,
    max_tokens: 4,
    stream: true,
  });
  const order = chunksOf(answer)
    .flatMap((chunk) => listOf(field(chunk, 'choices')))
    .filter((part) => field(part, 'delta', 'content'))
    .map((part) => field(part, 'index'));
  expect(order).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
});

const toolName = fc.constantFrom('get_weather', 'book', 'add-2');
const parameters = fc.constantFrom(
  undefined,
  { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 2 } } },
  { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' }, minItems: 2 } } },
);

test('streamed tool calls put together are those of the whole answer, with arguments in JSON', async () => {
  const one = instant();
  const tools = fc.uniqueArray(fc.record({ name: toolName, parameters }), {
    selector: (tool) => tool.name,
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(tools, fc.boolean(), fc.integer({ min: 1, max: 3 }), async (offered, parallel, n) => {
      const fields = {
        messages: [{ role: 'user', content: `Please ${offered.map(({ name }) => name).join(' and ')}!` }],
        tools: offered.map((tool) => ({ type: 'function', function: given(tool) })),
        parallel_tool_calls: parallel,
        n,
      };
      const whole = await request(one, 'chat/completions', fields);
      const chunks = chunksOf(await request(one, 'chat/completions', { ...fields, stream: true }));
      expect(choicesOf(whole)).toHaveLength(n);
      choicesOf(whole).forEach((choice, index) => {
        const calls = listOf(field(choice, 'message', 'tool_calls'));
        expect(calls).toHaveLength(parallel ? offered.length : 1);
        expect(field(choice, 'finish_reason')).toBe('tool_calls');
        const deltas = partsOf(chunks, index).flatMap((part) => listOf(field(part, 'delta', 'tool_calls')));
        calls.forEach((call, at) => {
          const own = deltas.filter((delta) => field(delta, 'index') === at);
          const [opening, ...rest] = own;
          expect(opening).toMatchObject({ id: expect.stringMatching(/^call_/), type: 'function' });
          expect(field(opening, 'function', 'name')).toBe(field(call, 'function', 'name'));
          expect(rest.every((delta) => field(delta, 'id') === undefined)).toBe(true);
          const text = own.map((delta) => field(delta, 'function', 'arguments')).join('');
          expect(text).toBe(field(call, 'function', 'arguments'));
          expect(JSON.parse(text)).toBeTypeOf('object');
        });
      });
      const spent = Number(field(whole.body, 'usage', 'completion_tokens'));
      expect(spent % n).toBe(0);
      usageOf(whole);
    }),
    { numRuns: 40 },
  );
});
