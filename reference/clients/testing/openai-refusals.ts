/** The npm package `openai`: refusals become the errors it has for them, are retried, and leave no slot behind. */
import OpenAI, { type ClientOptions } from 'openai';
import { expect, test, vi } from 'vitest';
import type { ReferenceOptions } from '../../options.ts';
import { type Rules, specRules } from '../../rules.ts';
import { BROKE_KEY } from '../../testing/harness.ts';
import { ASKED, all, clientAt, MODEL } from './openai.ts';
import { countOf, type Open } from './place.ts';

interface Refused {
  readonly name: string;
  readonly kind: abstract new (...args: never[]) => Error;
  readonly error: object;
  readonly options?: Partial<ReferenceOptions>;
  readonly client?: ClientOptions;
  readonly request: (client: OpenAI) => Promise<unknown>;
}

const chat = (client: OpenAI, change: object = {}): Promise<unknown> =>
  client.chat.completions.create({ ...ASKED, ...change });

const refusals: readonly Refused[] = [
  {
    name: 'a wrong key',
    kind: OpenAI.AuthenticationError,
    error: { status: 401, code: 'invalid_api_key' },
    client: { apiKey: 'wrong' },
    request: chat,
  },
  {
    name: 'a model that is not offered',
    kind: OpenAI.NotFoundError,
    error: { status: 404, code: 'model_not_found', param: 'model', type: 'invalid_request_error' },
    request: (client) => chat(client, { model: 'acme/none' }),
  },
  {
    name: 'one model nobody offers',
    kind: OpenAI.NotFoundError,
    error: { status: 404, code: 'model_not_found' },
    request: (client) => client.models.retrieve('acme/none'),
  },
  {
    name: 'a value out of bounds',
    kind: OpenAI.BadRequestError,
    error: { status: 400, code: 'invalid_value', param: 'temperature', message: expect.stringMatching(/^400 \w/) },
    request: (client) => chat(client, { temperature: 3 }),
  },
  {
    name: 'the same in a stream',
    kind: OpenAI.BadRequestError,
    error: { status: 400, param: 'n' },
    request: (client) => chat(client, { n: 0, stream: true }),
  },
  {
    name: 'an account without balance',
    kind: OpenAI.APIError,
    error: { status: 402, code: 'insufficient_balance' },
    client: { apiKey: BROKE_KEY },
    request: chat,
  },
  {
    name: 'a body that is too large',
    kind: OpenAI.APIError,
    error: { status: 413, code: 'request_too_large' },
    options: { inferencePayloadBytes: 1000 },
    request: (client) => client.completions.create({ model: MODEL, prompt: 'x'.repeat(2000) }),
  },
  {
    name: 'a request too many',
    kind: OpenAI.RateLimitError,
    error: { status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' },
    options: { limits: { 'inference.concurrency': 0 } },
    request: chat,
  },
];

const oneAtATime = { limits: { 'inference.concurrency': 1 }, interTokenMs: 20 };
const endless = { ...ASKED, max_tokens: 4000, stream: true } as const;

const HOUR_MS = 3_600_000;

export function openaiRefusals(open: Open): void {
  test.for(refusals)('$name throws the error for it', async ({ kind, error, options, client, request }) => {
    const refused = await request(clientAt(await open(options), client)).catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(kind);
    expect(refused).toMatchObject({ ...error, requestID: expect.stringMatching(/^req_/) });
  });

  test('after a refusal it tries again when Retry-After says, and gets through', async () => {
    const place = await open(oneAtATime);
    const patient = clientAt(place, { maxRetries: 2 });
    const holder = await patient.chat.completions.create({ ...endless, max_tokens: 3 });
    const before = performance.now();
    const second = patient.models.list().withResponse();
    await vi.waitFor(() => expect(place.answered.map(({ refusedBy }) => refusedBy)).toContain('concurrent-requests'));
    await all(holder);
    expect((await second).data.object).toBe('list');
    expect(performance.now() - before).toBeGreaterThan(950);
    expect(countOf(place, 'models')).toBe(2);
  });

  test('a stream that is given up frees its slot', async () => {
    const place = await open(oneAtATime);
    const client = clientAt(place);
    for (let round = 0; round < 2; round += 1) {
      const stream = await client.chat.completions.create(endless);
      const iterator = stream[Symbol.asyncIterator]();
      expect(await iterator.next()).toMatchObject({ done: false });
      await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
      // What a loop does that is left early.
      await iterator.return?.();
      await vi.waitFor(async () => expect((await client.models.list()).object).toBe('list'));
    }
  });

  test('so does a request that is aborted before its answer', async () => {
    const gone = new AbortController();
    const scope: Rules['scope'] = (id, kind, caller) => {
      // The slot is taken right after this call.
      if (id === 'chat' && kind === 'concurrency') queueMicrotask(() => gone.abort());
      return specRules.scope(id, kind, caller);
    };
    const place = await open({ ...oneAtATime, firstTokenMs: HOUR_MS, rules: { ...specRules, scope } });
    const client = clientAt(place);
    const before = place.now();
    const requested = client.chat.completions.create(ASKED, { signal: gone.signal });
    await expect(requested).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(gone.signal.aborted).toBe(true);
    await vi.waitFor(async () => expect((await client.models.list()).object).toBe('list'));
    expect(place.now() - before).toBeLessThan(HOUR_MS);
  });
}
