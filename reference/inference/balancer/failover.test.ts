/** Failover as clients see it: through the whole service, on the virtual clock, failed by its own switch. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReferenceOptions } from '../../options.ts';
import { type Answer, field, type Harness, harness } from '../../testing/harness.ts';

const messages = [{ role: 'user', content: 'Tell me about the load.' }];
const timing = { firstTokenMs: 100, interTokenMs: 10, replaceMs: 500 };

const controlled = (more: Partial<ReferenceOptions> = {}): Harness => harness({ control: true, ...timing, ...more });

const fail = (one: Harness, name: string): Promise<Answer> =>
  one.request(`/_reference/instances/${name}/fail`, { method: 'POST' });

const chat = (one: Harness, more: object = {}): Promise<Answer> =>
  one.request('/v1/chat/completions', { method: 'POST', body: { model: 'acme/base-70b', messages, ...more } });

async function inFlight(one: Harness): Promise<unknown[]> {
  const all = field((await one.request('/_reference/instances')).body, 'instances');
  return Array.isArray(all) ? all.map((instance) => field(instance, 'in_flight')) : [];
}

const lines = (answer: Answer): string[] => answer.text.split('\n\n').filter(Boolean);

/** The text of a whole answer or of a stream, whose chunks are put together. */
function textOf(answer: Answer): string {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    return String(field(answer.body, 'choices', 0, 'message', 'content'));
  }
  const chunks = lines(answer).filter((line) => line.startsWith('data: {'));
  return chunks.map((line) => field(JSON.parse(line.slice(6)), 'choices', 0, 'delta', 'content') ?? '').join('');
}

test('every answer names who gave it, in turns', async () => {
  const one = controlled();
  const served = [await chat(one), await chat(one, { stream: true }), await one.request('/v1/models')];
  expect(served.map(({ headers }) => headers.get('x-served-by'))).toEqual([
    'inference-1',
    'inference-2',
    'inference-3',
  ]);
});

test('a request on an instance that fails is answered by another one, only later', async () => {
  const one = controlled();
  const unimpaired = textOf(await chat(controlled()));
  for (const stream of [false, true]) {
    const start = one.clock.now();
    const requested = chat(one, { max_tokens: 5, stream });
    await one.clock.sleep(60);
    const [busy] = (await inFlight(one)).flatMap((count, at) => (count === 1 ? [at] : []));
    const victim = `inference-${(busy ?? 0) + 1}`;
    await fail(one, victim);
    const answer = await requested;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-served-by')).not.toBe(victim);
    expect(one.clock.now() - start).toBe(60 + 100 + 4 * 10);
    expect(textOf(answer)).toBe(textOf(await chat(controlled(), { max_tokens: 5 })));
    await one.clock.sleep(timing.replaceMs);
  }
  expect(textOf(await chat(one))).toBe(unimpaired);
});

test('a stream that has begun goes on from another instance, without a gap in its text', async () => {
  const one = controlled();
  const whole = textOf(await chat(controlled(), { max_tokens: 20 }));
  const start = one.clock.now();
  const requested = chat(one, { max_tokens: 20, stream: true });
  await one.clock.sleep(155);
  await fail(one, 'inference-1');
  const answer = await requested;
  // Six tokens had come; the other instance needs its time for the first of its own, and for each after that.
  expect(one.clock.now() - start).toBe(155 + 100 + 13 * 10);
  expect(textOf(answer)).toBe(whole);
  expect(lines(answer).at(-1)).toBe('data: [DONE]');
  expect(answer.headers.get('x-served-by')).toBe('inference-1');
  expect(await inFlight(one)).toEqual([0, 0, 0]);
});

test('or it ends with an error event, as it is set', async () => {
  const one = controlled({ streamFailover: 'error' });
  const whole = textOf(await chat(controlled(), { max_tokens: 20 }));
  const requested = chat(one, { max_tokens: 20, stream: true });
  await one.clock.sleep(155);
  await fail(one, 'inference-1');
  const answer = await requested;
  expect(answer.status).toBe(200);
  expect(JSON.parse(lines(answer).at(-1)?.slice(6) ?? '')).toEqual({
    error: { message: 'The instance failed.', type: 'server_error', param: null, code: 'internal_error' },
  });
  const text = textOf(answer);
  expect(whole.startsWith(text) && text !== '' && text !== whole).toBe(true);
  expect(await inFlight(one)).toEqual([0, 0, 0]);
  // Before its first token nothing has been promised, so that it moves all the same.
  const moved = chat(one, { stream: true, max_tokens: 3 });
  await one.clock.sleep(50);
  await fail(one, 'inference-2');
  expect(lines(await moved).at(-1)).toBe('data: [DONE]');
});

test('with all of them failed requests wait for the replacement; without any they are refused', async () => {
  const one = controlled({ inferenceInstances: 1 });
  await fail(one, 'inference-1');
  const start = one.clock.now();
  const answer = await chat(one, { max_tokens: 1 });
  expect(answer.headers.get('x-served-by')).toBe('inference-2');
  expect(one.clock.now() - start).toBe(500 + 100);
  const none = harness({ inferenceInstances: 0 });
  for (const refused of [await chat(none), await chat(none, { stream: true }), await none.request('/v1/models')]) {
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({
      error: { message: expect.any(String), type: 'server_error', param: null, code: 'overloaded' },
    });
  }
  expect((await chat(none, { n: 0 })).status).toBe(400);
});

test('a stream that is no longer read is no longer in flight', async () => {
  const one = controlled();
  for (const read of [false, true]) {
    const request = new Request('http://reference/v1/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${one.options.accessKeys[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'acme/base-70b', prompt: 'x', max_tokens: 50, stream: true }),
    });
    const { body } = await one.service.handle(request, { address: '192.0.2.1' });
    expect((await inFlight(one)).sort()).toEqual([0, 0, 1]);
    if (read) {
      const reader = body?.getReader();
      await reader?.read();
      await reader?.cancel();
    } else await body?.cancel();
    expect(await inFlight(one)).toEqual([0, 0, 0]);
  }
});

const request = fc.record({
  at: fc.nat(900),
  stream: fc.boolean(),
  max_tokens: fc.integer({ min: 1, max: 40 }),
  seed: fc.nat(5),
});
const failure = fc.record({ at: fc.nat(1200), victim: fc.nat(20) });

test('with any failures, every request is answered exactly once with its own text', async () => {
  const calm = harness({ firstTokenMs: 0, interTokenMs: 0 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 12 }),
      fc.array(failure, { maxLength: 8 }),
      fc.constantFrom(0, 0.5),
      async (requests, failures, jitter) => {
        const one = controlled({ jitter });
        const failedAt = new Map<string, number>();
        const failing = failures.map(async ({ at, victim }) => {
          await one.clock.sleep(at);
          const all = field((await one.request('/_reference/instances')).body, 'instances');
          const name = String(field(all, victim % 3, 'name'));
          const { status } = await fail(one, name);
          // One that failed before may be replaced between the look and the blow.
          if (failedAt.has(name) && status === 404) return;
          if (!failedAt.has(name)) failedAt.set(name, one.clock.now());
          expect(status).toBe(200);
        });
        const answers = requests.map(async ({ at, ...more }) => {
          await one.clock.sleep(at);
          const answer = await chat(one, more);
          const now = one.clock.now();
          expect(answer.status).toBe(200);
          expect(textOf(answer)).toBe(textOf(await chat(calm, { ...more, stream: false })));
          expect(lines(answer).filter((line) => line === 'data: [DONE]')).toHaveLength(more.stream ? 1 : 0);
          // Who gave a whole answer had not failed before that.
          const gone = failedAt.get(answer.headers.get('x-served-by') ?? '');
          if (!more.stream) expect(gone ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(now);
        });
        await Promise.all([...failing, ...answers]);
        expect(await inFlight(one)).toEqual([0, 0, 0]);
        expect(one.service.inFlight()).toEqual({ requests: 0, slots: 0 });
      },
    ),
    { numRuns: 25 },
  );
});
