/** What the headers of interface A tell besides the body. */
import { expect, test } from 'vitest';
import { harness } from '../testing/harness.ts';

const CHAT = '/v1/chat/completions';
const body = { model: 'acme/base-70b', messages: [{ role: 'user', content: 'x' }], max_tokens: 3 };

test('every answer of interface A has its id, its version and how long it took to begin', async () => {
  const { request } = harness({ firstTokenMs: 100, interTokenMs: 20 });
  for (const [path, method, sent, took] of [
    [CHAT, 'POST', body, 140],
    [CHAT, 'POST', { ...body, stream: true }, 100],
    [CHAT, 'POST', {}, 0],
    ['/v1/models', 'GET', undefined, 0],
    ['/v1/nothing', 'GET', undefined, 0],
  ] as const) {
    const { headers } = await request(path, { method, body: sent });
    expect(headers.get('openai-processing-ms')).toBe(String(took));
    expect(headers.get('openai-version')).toBe('2020-10-01');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  }
  const other = await request('/api/v1/sl/inst-1/health');
  expect([...other.headers.keys()].filter((name) => name.startsWith('openai-'))).toEqual([]);
});

const reported = (headers: Headers): (string | null)[] =>
  ['limit', 'remaining', 'reset'].map((part) => headers.get(`x-ratelimit-${part}-requests`));

test('the remaining requests at once are announced, per address, also in refusals', async () => {
  const { request, clock } = harness({ limits: { 'inference.concurrency': 3 }, firstTokenMs: 1000, interTokenMs: 1 });
  expect(reported((await request('/v1/models')).headers)).toEqual(['3', '2', '0s']);
  const held = [1, 2].map(() => request(CHAT, { method: 'POST', body }));
  await clock.sleep(10);
  expect(reported((await request('/v1/models')).headers)).toEqual(['3', '0', '1s']);
  const third = request(CHAT, { method: 'POST', body });
  await clock.sleep(10);
  const refused = await request('/v1/models');
  expect([refused.status, ...reported(refused.headers)]).toEqual([429, '3', '0', '1s']);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(reported((await request('/v1/models', { address: '192.0.2.2' })).headers)).toEqual(['3', '2', '0s']);
  await Promise.all([...held, third]);
});

test('by default the limit is the documented one; without a limit, or if so set, nothing is announced', async () => {
  expect(reported((await harness().request('/v1/models')).headers)).toEqual(['1000', '999', '0s']);
  for (const options of [{ rateLimitHeaders: false }, { limits: { 'inference.concurrency': 'off' } } as const]) {
    expect(reported((await harness(options).request('/v1/models')).headers)).toEqual([null, null, null]);
  }
  expect(reported((await harness().request('/api/v1/sl/inst-1/health')).headers)).toEqual([null, null, null]);
});
