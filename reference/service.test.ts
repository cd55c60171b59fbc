/** What holds for every operation: routes, methods, keys, the order of decisions, slots. */
import { expect, test } from 'vitest';
import { type HttpMethod, operationPath, operations } from '../schemas/operations.ts';
import { implemented } from './service.ts';
import { BROKE_KEY, field, harness, KEY } from './testing/harness.ts';

const fill = { instId: 'inst-1', jobId: 'nobody' };

test('every operation of the table is implemented', () => {
  expect(implemented).toEqual(operations.map(({ id }) => id));
});

test.for(operations)('$id: a wrong method is a 405 that names the right ones', async ({ id, methods }) => {
  const { request } = harness();
  const all: HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  for (const method of all.filter((one) => !methods.includes(one))) {
    const answer = await request(operationPath(id, fill), { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(methods.join(', '));
  }
});

test.for(operations)('$id: no key and an unknown key are a 401', async ({ id, methods, interface: side }) => {
  const { request } = harness();
  for (const authorization of ['', 'Bearer wrong', 'Bearer ', 'Basic eDp5', 'wrong']) {
    const answer = await request(operationPath(id, fill), { method: methods[0] ?? 'GET', headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    if (side === 'jobs') expect(answer.body).toEqual({ error: 'unauthorized' });
    else expect(field(answer.body, 'error', 'code')).toBe('invalid_api_key');
  }
});

test.for(operations)('$id: the right key is accepted, on interface B also without Bearer', async (one) => {
  const { request } = harness();
  const schemes = one.interface === 'jobs' ? [`Bearer ${KEY}`, `bearer ${KEY}`, KEY] : [`Bearer ${KEY}`];
  for (const authorization of schemes) {
    const answer = await request(operationPath(one.id, fill), {
      method: one.methods[0] ?? 'GET',
      headers: { authorization },
    });
    expect(answer.status).not.toBe(401);
  }
});

test('interface B can be set to require Bearer, or no key', async () => {
  const strict = harness({ auth: 'bearer' });
  expect((await strict.job('health', { headers: { authorization: KEY } })).status).toBe(401);
  const open = harness({ auth: 'none' });
  expect((await open.job('health', { headers: { authorization: '' } })).status).toBe(200);
  expect((await open.request('/v1/models', { headers: { authorization: '' } })).status).toBe(401);
});

test('a key of interface B alone opens only that', async () => {
  const { request, job } = harness({ jobKeys: ['jobs-only'] });
  const headers = { authorization: 'Bearer jobs-only' };
  expect((await job('health', { headers })).status).toBe(200);
  expect((await request('/v1/models', { headers })).status).toBe(401);
});

test('an account without balance gets a 402 where it would cost something', async () => {
  const headers = { authorization: `Bearer ${BROKE_KEY}` };
  const { request, job } = harness();
  for (const path of ['/v1/chat/completions', '/v1/completions']) {
    const answer = await request(path, { method: 'POST', headers, body: {} });
    expect(answer.status).toBe(402);
    expect(field(answer.body, 'error', 'code')).toBe('insufficient_balance');
  }
  expect((await job('run', { headers, body: { input: 1 } })).status).toBe(402);
  expect((await request('/v1/models', { headers })).status).toBe(200);
  expect((await job('health', { headers })).status).toBe(200);
  const other = await harness({ balanceStatus: 429 }).request('/v1/completions', { method: 'POST', headers, body: {} });
  expect([other.status, field(other.body, 'error', 'code')]).toEqual([429, 'insufficient_quota']);
});

test('paths that are nothing are a 404 in the words of their interface', async () => {
  const { request } = harness();
  for (const path of ['/', '/v1', '/v1/engines', '/v1/chat', '/api/v1/sl/inst-1', '/api/v1/sl/inst-1/retry/x']) {
    const answer = await request(path);
    expect(answer.status).toBe(404);
    expect(typeof field(answer.body, 'error')).toBe(path.startsWith('/v1') ? 'object' : 'string');
  }
  expect((await request('/api/v1/sl/inst-1/status/%E0%A4%A')).status).toBe(404);
});

test('an endpoint that does not exist is a 404 on every operation', async () => {
  const { request } = harness();
  for (const { id, methods } of operations.filter((one) => one.interface === 'jobs')) {
    const path = operationPath(id, { instId: 'nowhere', jobId: 'x' });
    expect((await request(path, { method: methods[0] ?? 'GET', body: undefined })).body).toEqual({
      error: 'endpoint not found',
    });
  }
});

test('every answer has an id of its own', async () => {
  const { request } = harness();
  const answers = await Promise.all(['/v1/models', '/v1/models', '/nothing'].map((path) => request(path)));
  const ids = answers.map((answer) => answer.headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(3);
  expect(ids.every((id) => /^req_[0-9a-f]{24}$/.test(id ?? ''))).toBe(true);
});

test('the order: route, key, rate, concurrency, size, JSON', async () => {
  const small = { 'run.rate': 5, 'run.concurrency': 1, 'run.payload': 10 } as const;
  const { job, request } = harness({ limits: small });
  const unauthenticated = { authorization: 'Bearer wrong' };
  // Neither an unknown route nor a stranger uses the rate up.
  for (let count = 0; count < 10; count += 1) {
    expect((await request('/api/v1/sl/inst-1/walk', { headers: unauthenticated })).status).toBe(404);
    expect((await job('run', { headers: unauthenticated, rawBody: 'x'.repeat(11) })).status).toBe(401);
  }
  // A client that never finishes its body keeps the one slot.
  const gone = new AbortController();
  const stuck = job('run', { rawBody: new ReadableStream<Uint8Array>(), signal: gone.signal }).catch(() => 'gone');
  const concurrency = await job('run', { rawBody: 'x'.repeat(11) });
  expect([concurrency.status, field(concurrency.body, 'error')]).toEqual([429, expect.stringContaining('concurrency')]);
  gone.abort();
  expect(await stuck).toBe('gone');
  expect((await job('run', { rawBody: 'x'.repeat(11) })).status).toBe(413);
  expect((await job('run', { rawBody: 'x'.repeat(10) })).status).toBe(400);
  expect((await job('run', { rawBody: 'x' })).status).toBe(400);
  const rate = await job('run', { rawBody: 'x'.repeat(11) });
  expect([rate.status, field(rate.body, 'error')]).toEqual([429, expect.stringContaining('rate')]);
});

test('a request whose body is still on the way counts as in flight, also a GET', async () => {
  const { job } = harness({ limits: { 'status.concurrency': 1 } });
  let arrive = (): void => undefined;
  const received = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const held = job('status', { jobId: 'nobody', received });
  expect((await job('stream', { jobId: 'nobody' })).status).toBe(429);
  arrive();
  expect((await held).status).toBe(404);
  expect((await job('stream', { jobId: 'nobody' })).status).toBe(404);
});

test('latency is added to every answer', async () => {
  const { job, clock } = harness({ latencyMs: 250 });
  const before = clock.now();
  await job('health');
  expect(clock.now() - before).toBe(250);
});

test('a client that goes away before its answer gives its slot back', async () => {
  const { job, clock } = harness({ limits: { 'runsync.concurrency': 1 } });
  for (let round = 0; round < 5; round += 1) {
    const gone = new AbortController();
    const requested = job('runsync', { body: { input: { delay_ms: 5000 } }, signal: gone.signal });
    expect((await job('runsync', { body: { input: 1 } })).status).toBe(429);
    gone.abort();
    await expect(requested).rejects.toThrow();
  }
  expect((await job('runsync', { body: { input: 1 }, query: '?wait=1' })).status).toBe(200);
  await clock.sleep(60_000);
});

test('a stream that is read to its end, or given up, gives its slot back', async () => {
  const { service, request } = harness({ limits: { 'inference.concurrency': 1 } });
  const body = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', max_tokens: 20, stream: true });
  const streaming = (signal?: AbortSignal): Promise<Response> =>
    service.handle(
      new Request('http://reference/v1/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}` },
        body,
        ...(signal ? { signal } : {}),
      }),
      { address: '192.0.2.1' },
    );
  const read = await streaming();
  expect((await request('/v1/models')).status).toBe(429);
  await read.text();
  const unread = await streaming();
  await unread.body?.cancel();
  const started = await streaming();
  const reader = started.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  const gone = new AbortController();
  await streaming(gone.signal);
  expect((await request('/v1/models')).status).toBe(429);
  gone.abort();
  expect((await request('/v1/models')).status).toBe(200);
});
