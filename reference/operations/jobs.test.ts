/** The operations on a submitted job, and those on the whole endpoint. */
import { expect, test } from 'vitest';
import { limitFor } from '../../schemas/limits.ts';
import { field, harness } from '../testing/harness.ts';

const SLOW = { delay_ms: 3_600_000 };
const onJob = ['status', 'status-sync', 'stream', 'cancel'] as const;

test.for(onJob)('%s of a job that never was is a 404', async (id) => {
  const answer = await harness().job(id, { jobId: 'nobody' });
  expect([answer.status, answer.body]).toEqual([404, { error: 'job not found' }]);
});

test.for(['status', 'status-sync', 'stream'] as const)(
  '%s takes GET and POST, with an empty JSON body too',
  async (id) => {
    const { job, submit } = harness();
    const jobId = await submit({ echo: 1 });
    for (const request of [
      { method: 'GET' },
      { method: 'POST' },
      { method: 'POST', rawBody: '' },
      { method: 'POST', rawBody: '{}' },
    ]) {
      expect((await job(id, { jobId, ...request })).status).toBe(200);
    }
  },
);

test('a job of one endpoint is not found on another', async () => {
  const { submit, stateOf } = harness();
  const id = await submit({ echo: 1 });
  expect(await stateOf(id, 'inst-queue')).toBe(404);
});

test('status shows each state with the fields that belong to it', async () => {
  const { job, submit, clock } = harness();
  const running = await submit({ delay_ms: 100, echo: [1] }, { instId: 'inst-queue' });
  const queued = await submit({ fail: 'no' }, { instId: 'inst-queue' });
  const bodyOf = async (jobId: string) => (await job('status', { jobId, instId: 'inst-queue' })).body;
  expect(await bodyOf(queued)).toEqual({ id: queued, status: 'IN_QUEUE' });
  expect(await bodyOf(running)).toEqual({
    id: running,
    status: 'IN_PROGRESS',
    delayTime: 0,
    workerId: expect.any(String),
  });
  await clock.sleep(101);
  expect(await bodyOf(running)).toEqual({
    id: running,
    status: 'COMPLETED',
    output: [1],
    delayTime: 0,
    executionTime: 100,
    workerId: expect.any(String),
  });
  expect(await bodyOf(queued)).toMatchObject({ status: 'FAILED', error: 'no', delayTime: 100, executionTime: 0 });
});

test('status-sync waits for the end of the job, or as long as requested', async () => {
  const { job, submit, clock } = harness();
  const jobId = await submit({ delay_ms: 5000, echo: 'done' });
  const before = clock.now();
  const early = await job('status-sync', { jobId, query: '?wait=1500' });
  expect(field(early.body, 'status')).toBe('IN_PROGRESS');
  expect(clock.now() - before).toBe(1500);
  const late = await job('status-sync', { jobId });
  expect(late.body).toMatchObject({ status: 'COMPLETED', output: 'done' });
  expect(clock.now() - before).toBe(5000);
  await job('status-sync', { jobId });
  expect(clock.now() - before).toBe(5000);
});

test('stream sends each chunk once, as it comes, and everything left with the final state', async () => {
  const { job, submit, clock } = harness();
  const jobId = await submit({ chunks: 4, chunk_delay_ms: 1000 });
  const start = clock.now();
  const first = await job('stream', { jobId });
  expect(first.body).toEqual({ id: jobId, status: 'IN_PROGRESS', stream: [{ output: { chunk: 0 } }] });
  expect(clock.now() - start).toBe(1000);
  await clock.sleep(2500);
  const second = await job('stream', { jobId });
  expect(field(second.body, 'stream')).toEqual([{ output: { chunk: 1 } }, { output: { chunk: 2 } }]);
  await clock.sleep(2500);
  const last = await job('stream', { jobId });
  expect(last.body).toEqual({ id: jobId, status: 'COMPLETED', stream: [{ output: { chunk: 3 } }] });
  for (let again = 0; again < 3; again += 1) {
    expect((await job('stream', { jobId })).body).toEqual({ id: jobId, status: 'COMPLETED', stream: [] });
  }
});

test('stream of a job without chunks waits a while and responds without any', async () => {
  const { job, submit, clock } = harness();
  const jobId = await submit(SLOW);
  for (const [query, waited] of [
    ['', 5000],
    ['?wait=250', 250],
    ['?wait=0', 0],
  ] as const) {
    const before = clock.now();
    expect((await job('stream', { jobId, query })).body).toEqual({ id: jobId, status: 'IN_PROGRESS', stream: [] });
    expect(clock.now() - before).toBe(waited);
  }
});

test('cancel stops a running job for good, takes a queued one out, and leaves a finished one alone', async () => {
  const { job, submit, stateOf, clock } = harness();
  const instId = 'inst-queue';
  const running = await submit({ delay_ms: 1000 }, { instId });
  const queued = await submit({ echo: 1 }, { instId });
  const next = await submit({ echo: 2 }, { instId });
  expect((await job('cancel', { instId, jobId: queued })).body).toEqual({ id: queued, status: 'CANCELLED' });
  expect((await job('cancel', { instId, jobId: running })).body).toMatchObject({ id: running, status: 'CANCELLED' });
  await clock.sleep(2000);
  expect(await stateOf(running, instId)).toBe('CANCELLED');
  expect(await stateOf(queued, instId)).toBe('CANCELLED');
  expect(await stateOf(next, instId)).toBe('COMPLETED');
  const again = await job('cancel', { instId, jobId: next, rawBody: '' });
  expect(again.body).toMatchObject({ id: next, status: 'COMPLETED', output: 2 });
  const health = await job('health', { instId });
  expect(health.body).toMatchObject({ jobs: { completed: 1 }, workers: { idle: 1, running: 0 } });
});

test('cancel ends the long polls on its job', async () => {
  const { job, submit } = harness();
  const jobId = await submit(SLOW);
  const polls = Promise.all([job('status-sync', { jobId }), job('stream', { jobId, query: '?wait=300000' })]);
  await job('cancel', { jobId });
  for (const answer of await polls) expect(field(answer.body, 'status')).toBe('CANCELLED');
});

test('purge takes the queued and leaves the running', async () => {
  const { job, submit, stateOf } = harness();
  const ids = [];
  for (let count = 0; count < 8; count += 1) ids.push(await submit(SLOW));
  expect((await job('purge-queue', { rawBody: '' })).body).toEqual({ removed: 5, status: 'completed' });
  const states = [];
  for (const id of ids) states.push(await stateOf(id));
  expect(states).toEqual([...Array(3).fill('IN_PROGRESS'), ...Array(5).fill('CANCELLED')]);
});

test('health counts what is there', async () => {
  const { job, submit, clock } = harness();
  await submit({ fail: 'x' });
  await submit({ echo: 1 });
  await clock.sleep(1);
  for (let count = 0; count < 5; count += 1) await submit(SLOW);
  expect((await job('health')).body).toEqual({
    jobs: { completed: 1, failed: 1, inProgress: 3, inQueue: 2, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 3, throttled: 0, unhealthy: 0 },
  });
  expect((await job('health', { instId: 'inst-none' })).body).toMatchObject({ workers: { idle: 0 } });
});

test('requests lists the jobs by pages, newest first', async () => {
  const { job, submit, clock } = harness();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    ids.unshift(await submit({ echo: count }));
    await clock.sleep(10);
  }
  const all = await job('requests');
  expect(all.body).toMatchObject({ total: 5, offset: 0, limit: 50, hasMore: false });
  const listed = (body: unknown): unknown[] => (field(body, 'requests') as { id: string }[]).map(({ id }) => id);
  expect(listed(all.body)).toEqual(ids);
  const page = await job('requests', { query: '?limit=2&offset=1' });
  expect(listed(page.body)).toEqual(ids.slice(1, 3));
  expect(page.body).toMatchObject({ total: 5, offset: 1, limit: 2, hasMore: true });
  expect(field(all.body, 'requests', 0)).toMatchObject({
    status: 'COMPLETED',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    completedAt: expect.any(String),
    executionTime: 0,
  });
});

test('requests can be a bare list', async () => {
  const { job, submit } = harness({ requestsShape: 'array' });
  const id = await submit({ echo: 1 });
  expect((await job('requests')).body).toMatchObject([{ id }]);
});

test.for(['run', 'runsync'] as const)('a job of %s stays as long as documented, and is gone after', async (kind) => {
  const { job, stateOf, clock } = harness();
  const retention = limitFor('retention', kind)?.value ?? 0;
  const answer = await job(kind, { body: { input: { echo: 1 } } });
  const id = String(field(answer.body, 'id'));
  await clock.sleep(retention - 1);
  expect(await stateOf(id)).toBe('COMPLETED');
  await clock.sleep(2);
  for (const one of onJob) expect((await job(one, { jobId: id })).status).toBe(404);
});
