/** Long polls: how long each waits, and what is left of one whose client went away. */
import { expect, test, vi } from 'vitest';
import { Endpoint } from '../jobs/endpoint.ts';
import type { Job } from '../jobs/job.ts';
import { field, harness } from '../testing/harness.ts';

const LONG = { delay_ms: 3_000_000 };
const policy = { executionTimeout: 3_600_000 };

const waits = [
  ['', 90_000],
  ['?wait=', 90_000],
  ['?wait=a', 90_000],
  ['?wait=Infinity', 90_000],
  ['?wait=0', 1],
  ['?wait=-7', 1],
  ['?wait=0.5', 1],
  ['?wait=2500', 2500],
  ['?wait=1e3', 1000],
  ['?wait=300000', 300_000],
  ['?wait=300001', 300_000],
] as const;

test.for(waits)('runsync and status-sync with %j wait %i ms', async ([query, ms]) => {
  const { job, clock } = harness();
  const first = clock.now();
  const answer = await job('runsync', { body: { input: LONG, policy }, query });
  expect([answer.status, field(answer.body, 'status')]).toEqual([200, 'IN_PROGRESS']);
  const second = clock.now();
  const again = await job('status-sync', { jobId: String(field(answer.body, 'id')), query });
  expect([second - first, clock.now() - second]).toEqual([ms, ms]);
  expect(again.body).toEqual(answer.body);
});

test('a queued job that starts while it is waited for is waited for to its end', async () => {
  const { job, submit, clock } = harness();
  const instId = 'inst-queue';
  await submit({ delay_ms: 3000 }, { instId });
  const before = clock.now();
  const answer = await job('runsync', {
    instId,
    body: { input: { delay_ms: 4000, echo: 1 }, policy: { ttl: 10_000 } },
  });
  expect(answer.body).toMatchObject({ status: 'COMPLETED', delayTime: 3000, executionTime: 4000 });
  expect(clock.now() - before).toBe(7000);
});

test.for([
  ['runsync', ''],
  ['status-sync', ''],
  ['stream', '?wait=60000'],
] as const)('a client of %s that goes away leaves the job at work and nothing behind', async ([operation, query]) => {
  const submitted = vi.spyOn(Endpoint.prototype, 'submit');
  try {
    const { job, submit, stateOf, clock } = harness();
    const body = { input: { delay_ms: 30_000, echo: 1 } };
    const jobId = operation === 'runsync' ? undefined : await submit(body.input);
    const gone = new AbortController();
    const common = { query, signal: gone.signal };
    const requested = jobId ? job(operation, { jobId, ...common }) : job(operation, { body, ...common });
    await clock.sleep(1000);
    const [result] = submitted.mock.results;
    const one: Job | undefined = result?.type === 'return' ? result.value : undefined;
    expect(one?.watchers?.size).toBe(1);
    gone.abort();
    await expect(requested).rejects.toThrow();
    await clock.sleep(0);
    expect(one?.watchers?.size ?? 0).toBe(0);
    const id = one?.id ?? '';
    expect(await stateOf(id)).toBe('IN_PROGRESS');
    await clock.sleep(29_001);
    expect(await stateOf(id)).toBe('COMPLETED');
    expect(clock.sleeping).toBe(0);
  } finally {
    submitted.mockRestore();
  }
});

test('cancel in every state: stops unfinished jobs, and returns a final record unchanged', async () => {
  const { job, submit, clock } = harness({ instances: [{ instId: 'inst-1', workersMax: 1 }] });
  const record = async (jobId: string) => (await job('status', { jobId })).body;
  const [completed, failed] = [await submit({ echo: [1] }), await submit({ fail: 'no' })];
  await clock.sleep(1);
  const timedOut = await submit(LONG, { policy: { executionTimeout: 5000 } });
  await clock.sleep(5001);
  const [running, queued] = [await submit(LONG), await submit(LONG)];
  await clock.sleep(100);
  const states: Record<string, string> = {};
  for (const jobId of [completed, failed, timedOut, queued, running]) {
    const before = await record(jobId);
    const answer = await job('cancel', { jobId, rawBody: '' });
    expect(answer.status).toBe(200);
    states[jobId] = String(field(answer.body, 'status'));
    if (states[jobId] !== 'CANCELLED') expect(answer.body).toEqual(before);
    expect((await job('cancel', { jobId, rawBody: '{}' })).body).toEqual(answer.body);
    expect(await record(jobId)).toEqual(answer.body);
  }
  expect(Object.values(states)).toEqual(['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'CANCELLED']);
  expect(await record(queued)).toEqual({ id: queued, status: 'CANCELLED' });
  expect(await record(running)).toMatchObject({ delayTime: 0, executionTime: 100 });
  expect((await job('health')).body).toMatchObject({
    jobs: { completed: 1, failed: 2, inProgress: 0, inQueue: 0 },
    workers: { idle: 1, running: 0 },
  });
});
