/** When webhooks are sent, what they say, how often they are tried; nothing here leaves the process. */
import { expect, test } from 'vitest';
import { seeded } from '../../schemas/seeded.ts';
import { type VirtualClock, virtualClock } from '../clock.ts';
import { defaultOptions, type ReferenceOptions } from '../options.ts';
import { createService } from '../service.ts';
import type { Post } from './post.ts';

interface Sent {
  readonly url: string;
  readonly body: unknown;
  readonly at: number;
}

const URL_A = 'http://127.0.0.1:9/a';
const URL_B = 'http://127.0.0.1:9/b';

interface World {
  readonly sent: Sent[];
  readonly clock: VirtualClock;
  /** The JSON body of an answer. */
  ask(operation: string, body?: unknown): Promise<Record<string, unknown>>;
  close(): void;
}

/** A service whose posts are answered by `answer`, given how many there were before. */
function opened(answer: (before: number) => number | Promise<number>, others: Partial<ReferenceOptions> = {}): World {
  const clock = virtualClock();
  const start = clock.now();
  const sent: Sent[] = [];
  const post: Post = async (url, body) => {
    sent.push({ url, body: JSON.parse(body), at: clock.now() - start });
    return answer(sent.length - 1);
  };
  const options = { ...defaultOptions({}), auth: 'none' as const, webhooks: 'loopback' as const, ...others };
  const service = createService(options, { clock, random: seeded(3), post });
  return {
    sent,
    clock,
    async ask(operation, body) {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const request = new Request(`http://reference/api/v1/sl/inst-queue/${operation}`, init);
      const answer: unknown = await (await service.handle(request, { address: '192.0.2.1' })).json();
      return Object.assign({}, answer);
    },
    close: () => service.close(),
  };
}

const SECOND = 1000;

test('a webhook says exactly what status says, when the job is over and not before', async () => {
  const { sent, clock, ask } = opened(() => 200);
  const { id } = await ask('run', { input: { delay_ms: 3000, echo: [1] }, webhook: URL_A, webhookV2: URL_B });
  await clock.sleep(2999);
  expect(sent).toEqual([]);
  await clock.sleep(60 * SECOND);
  const body = await ask(`status/${id}`);
  expect(body).toMatchObject({ id, status: 'COMPLETED', output: [1] });
  expect(sent).toEqual([
    { url: URL_A, body, at: 3000 },
    { url: URL_B, body, at: 3000 },
  ]);
});

test('every final state is told, also that of runsync and of a job nobody ever asked about', async () => {
  const { sent, clock, ask } = opened(() => 200);
  const told = (): unknown[] => sent.map(({ body, at }) => [Reflect.get(Object(body), 'status'), at]);
  await ask('runsync', { input: { fail: 'no' }, webhook: URL_A });
  await clock.sleep(1);
  expect(told()).toEqual([['FAILED', 0]]);
  const running = await ask('run', { input: { delay_ms: 60 * SECOND }, webhook: URL_A, policy: { ttl: 20 * SECOND } });
  await ask('run', { input: 1, webhook: URL_A, policy: { ttl: 10 * SECOND } });
  const cancelled = await ask('run', { input: 1, webhook: URL_A });
  await ask(`cancel/${cancelled.id}`, {});
  await clock.sleep(30 * SECOND);
  expect(told().slice(1)).toEqual([
    ['CANCELLED', 1],
    ['TIMED_OUT', 10 * SECOND + 1],
    ['TIMED_OUT', 20 * SECOND + 1],
  ]);
  expect((await ask(`status/${running.id}`)).error).toBe('job not found');
});

test.for([201, 204, 302, 404, 500])('%i is no 200: three tries, ten seconds apart', async (status) => {
  const { sent, clock, ask } = opened(() => status);
  await ask('run', { input: 1, webhook: URL_A });
  await clock.sleep(120 * SECOND);
  expect(sent.map(({ at }) => at)).toEqual([0, 10 * SECOND, 20 * SECOND]);
  expect(clock.sleeping).toBe(0);
});

test('nothing more is sent once it was answered with 200; tries and pause can be set', async () => {
  const { sent, clock, ask } = opened((before) => (before === 2 ? 200 : 503), { webhookTries: 5, webhookPauseMs: 250 });
  await ask('run', { input: 1, webhook: URL_A });
  await clock.sleep(120 * SECOND);
  expect(sent.map(({ at }) => at)).toEqual([0, 250, 500]);
});

test('a refused connection and an answer that never comes are failed tries', async () => {
  const refused = opened(() => Promise.reject(new Error('connection refused')));
  await refused.ask('run', { input: 1, webhook: URL_A });
  await refused.clock.sleep(120 * SECOND);
  expect(refused.sent.map(({ at }) => at)).toEqual([0, 10 * SECOND, 20 * SECOND]);
  const silent = opened(() => new Promise<number>(() => undefined));
  await silent.ask('run', { input: 1, webhook: URL_A });
  await silent.clock.sleep(120 * SECOND);
  expect(silent.sent.map(({ at }) => at)).toEqual([0, 20 * SECOND, 40 * SECOND]);
  expect(silent.clock.sleeping).toBe(0);
});

test('a failing webhook holds up no other, nor the job', async () => {
  const { sent, clock, ask } = opened((before) => (before === 0 ? 500 : 200));
  const first = await ask('runsync', { input: 1, webhook: URL_A });
  const second = await ask('runsync', { input: 2, webhook: URL_B });
  expect([first.status, second.status]).toEqual(['COMPLETED', 'COMPLETED']);
  await clock.sleep(1);
  expect(sent.map(({ url }) => url)).toEqual([URL_A, URL_B]);
});

test('closing gives up what is still to be told, whether the job runs or a try is due', async () => {
  const { sent, clock, ask, close } = opened(() => 500);
  await ask('runsync', { input: 1, webhook: URL_A });
  await ask('run', { input: { delay_ms: 60 * SECOND }, webhook: URL_B });
  await ask('run', { input: 1, webhook: URL_B });
  await clock.sleep(1);
  close();
  await clock.sleep(120 * SECOND);
  expect(sent.map(({ url }) => url)).toEqual([URL_A]);
  expect(clock.sleeping).toBe(0);
});

test('a URL that may not be used is a 400 and no job; switched off, the field is ignored', async () => {
  const { sent, clock, ask } = opened(() => 200);
  const refused = await ask('run', { input: 1, webhook: 'http://evil.com/' });
  expect(refused).toEqual({ error: expect.stringMatching(/^bad request: body: webhook must lead to this machine/) });
  expect((await ask('requests')).total).toBe(0);
  expect(sent).toEqual([]);
  const off = opened(() => 200, { webhooks: 'off' });
  expect((await off.ask('runsync', { input: 1, webhook: 'http://evil.com/', webhookV2: 7 })).status).toBe('COMPLETED');
  await clock.sleep(1);
  expect(off.sent).toEqual([]);
  expect(defaultOptions({}).webhooks).toBe('off');
});
