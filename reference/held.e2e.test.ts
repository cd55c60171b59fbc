/** Concurrency to the unit, over a real socket, with requests whose last byte is held back. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { limitFor, limitsOf } from '../schemas/limits.ts';
import { type DocumentedOperationId, operation, operationPath } from '../schemas/operations.ts';
import { type Served, serve } from './server.ts';
import { closeAgent, type HeldRequest, hold, holdMany, statusCounts } from './testing/held.ts';

let served: Served;

beforeEach(async () => {
  // Rates are off: waves of hundreds would use them up, and a refusal must come from the concurrency alone.
  const rates = Object.fromEntries(limitsOf('requests').map((limit) => [limit.id, 'off' as const]));
  served = await serve({ accessKeys: ['proofload-local'], limits: rates });
});
afterEach(() => served.close());
afterAll(closeAgent);

const urlOf = (id: DocumentedOperationId, jobId?: string): string =>
  served.url + operationPath(id, { instId: 'inst-1', ...(jobId ? { jobId } : {}) });

/** How many of a wave were answered while it is held. */
async function answeredEarly(held: readonly HeldRequest[]): Promise<number> {
  // One more request goes round before looking, so that anything the server had to say has been said.
  await fetch(urlOf('health'), { headers: { authorization: 'Bearer proofload-local' } });
  return held.filter((one) => one.early() !== null).length;
}

const cases: readonly { id: DocumentedOperationId; method: string; after: number; jobId?: string }[] = [
  { id: 'run', method: 'POST', after: 200 },
  { id: 'runsync', method: 'POST', after: 200 },
  { id: 'status', method: 'GET', after: 404, jobId: 'unknown' },
  { id: 'status', method: 'POST', after: 404, jobId: 'unknown' },
  { id: 'cancel', method: 'POST', after: 404, jobId: 'unknown' },
  { id: 'requests', method: 'GET', after: 200 },
];

test.for(cases)(
  '$method $id: the limit is held, three more are refused at once',
  async ({ id, method, after, jobId }) => {
    const limit = limitFor('concurrent-requests', operation(id).budget ?? 'run')?.value ?? 0;
    const within = await holdMany(limit, urlOf(id, jobId), { method });
    expect(await answeredEarly(within)).toBe(0);
    const beyond = await holdMany(3, urlOf(id, jobId), { method });
    expect(await statusCounts(beyond)).toEqual({ 429: 3 });
    for (const one of [...within, ...beyond]) one.release();
    expect(await statusCounts(within)).toEqual({ [after]: limit });
  },
);

test('interface A: a thousand from one address, another address is not affected', async () => {
  const limit = limitFor('concurrent-requests', 'inference')?.value ?? 0;
  const url = served.url + operationPath('chat');
  const body = JSON.stringify({ model: 'acme/base-70b', messages: [{ role: 'user', content: 'hi' }], max_tokens: 1 });
  const within = await holdMany(limit, url, { body });
  expect(await answeredEarly(within)).toBe(0);
  const beyond = await hold(served.url + operationPath('models'), { method: 'GET', body: 'x' });
  const elsewhere = await hold(url, { body, localAddress: '127.0.0.2' });
  elsewhere.release();
  expect(await beyond.status).toBe(429);
  expect(await elsewhere.status).toBe(200);
  for (const one of within) one.release();
  expect(await statusCounts(within)).toEqual({ 200: limit });
});

test('aborted requests give their slots back, each exactly once', async () => {
  const limit = limitFor('concurrent-requests', 'run')?.value ?? 0;
  for (let round = 0; round < 3; round += 1) {
    const wave = await holdMany(limit, urlOf('run'));
    expect(await answeredEarly(wave)).toBe(0);
    for (const one of wave) one.abort();
    await statusCounts(wave);
  }
  // All slots are free again, and not one more than there were.
  let within: HeldRequest[] = [];
  await expect
    .poll(async () => {
      for (const one of within) one.abort();
      within = await holdMany(limit, urlOf('run'));
      return answeredEarly(within);
    })
    .toBe(0);
  const beyond = await hold(urlOf('run'));
  expect(await beyond.status).toBe(429);
  for (const one of within) one.release();
  expect(await statusCounts(within)).toEqual({ 200: limit });
});

test('a slot is free again when its answer is here', async () => {
  const limit = limitFor('concurrent-requests', 'requests')?.value ?? 0;
  const within = await holdMany(limit, urlOf('requests'), { method: 'GET', body: 'x' });
  within[0]?.release();
  expect(await within[0]?.status).toBe(200);
  const next = await hold(urlOf('requests'), { method: 'GET', body: 'x' });
  next.release();
  expect(await next.status).toBe(200);
  for (const one of within.slice(1)) one.release();
  await statusCounts(within);
});

test('long polls hold a slot each and are ended by the end of their job', async () => {
  const headers = { authorization: 'Bearer proofload-local', 'content-type': 'application/json' };
  const run = await fetch(urlOf('run'), { method: 'POST', headers, body: '{"input":{"delay_ms":600000}}' });
  const { id } = (await run.json()) as { id: string };
  const limit = limitFor('concurrent-requests', 'status')?.value ?? 0;
  const polls = Array.from({ length: limit }, () => fetch(urlOf('status-sync', id), { headers }));
  await expect.poll(async () => (await fetch(urlOf('status', id), { headers })).status).toBe(429);
  await fetch(urlOf('cancel', id), { method: 'POST', headers });
  const answers = await Promise.all(polls);
  expect(answers.filter((one) => one.status === 200)).toHaveLength(limit);
});
