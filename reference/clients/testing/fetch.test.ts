import { expect, test } from 'vitest';
import { field, harness, KEY } from '../../testing/harness.ts';
import { createFetch } from './fetch.ts';

const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const BASE = 'https://reference.invalid';

test('it answers the requests of fetch, by URL, by text and by Request', async () => {
  const fetch = createFetch(harness().service);
  const url = `${BASE}/v1/models`;
  for (const input of [url, new URL(url), new Request(url, { headers })]) {
    const response = await fetch(input, input instanceof Request ? undefined : { headers });
    expect(response.status).toBe(200);
    expect(field(await response.json(), 'object')).toBe('list');
  }
});

test('a body goes through', async () => {
  const fetch = createFetch(harness().service);
  const response = await fetch(`${BASE}/api/v1/sl/inst-1/runsync`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ input: { echo: [1, 2] } }),
  });
  expect(await response.json()).toMatchObject({ status: 'COMPLETED', output: [1, 2] });
});

test('an abort rejects with its reason', async () => {
  const fetch = createFetch(harness().service);
  const gone = new AbortController();
  const body = JSON.stringify({ input: { delay_ms: 60_000 } });
  const requested = fetch(`${BASE}/api/v1/sl/inst-1/runsync`, { method: 'POST', headers, body, signal: gone.signal });
  gone.abort(new Error('enough'));
  await expect(requested).rejects.toThrow('enough');
});

test('a stream can be read as it comes', async () => {
  const fetch = createFetch(harness().service);
  const body = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', stream: true, max_tokens: 3 });
  const response = await fetch(`${BASE}/v1/completions`, { method: 'POST', headers, body });
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) pieces.push(decoder.decode(bytes));
  expect(pieces).toHaveLength(3);
  expect(pieces.at(-1)).toContain('[DONE]');
});

test('the address it is given is the one that counts', async () => {
  const { service } = harness({ limits: { 'inference.concurrency': 1 } });
  const [one, two] = [createFetch(service, '192.0.2.1'), createFetch(service, '192.0.2.2')];
  const body = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', max_tokens: 10 });
  const first = one(`${BASE}/v1/completions`, { method: 'POST', headers, body });
  expect((await one(`${BASE}/v1/models`, { headers })).status).toBe(429);
  expect((await two(`${BASE}/v1/models`, { headers })).status).toBe(200);
  expect((await first).status).toBe(200);
});
