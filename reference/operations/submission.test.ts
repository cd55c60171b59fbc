/** What a submission may hold, and what becomes of values nobody expected. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { field, harness } from '../testing/harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const kinds = ['run', 'runsync'] as const;

test('input is any JSON, and is returned unchanged', async () => {
  const { job } = harness({ limiter: 'off' });
  const sent = fc.oneof(fc.jsonValue(), fc.constantFrom(null, false, 0, '', [], {}));
  await fc.assert(
    fc.asyncProperty(sent, async (value) => {
      // As `echo`, so that no value is mistaken for a workload.
      const { status, body } = await job('runsync', { body: { input: { echo: value } } });
      expect([status, field(body, 'status')]).toEqual([200, 'COMPLETED']);
      expect(field(body, 'output')).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  for (const input of [null, false, 0, '', 'text', 7, [], [1], {}, { prompt: 'x' }]) {
    expect((await job('runsync', { body: { input } })).body).toMatchObject({ status: 'COMPLETED', output: input });
  }
});

test('other keys are dropped, and no secret among them is ever shown', async () => {
  const { job } = harness();
  const s3Config = { accessId: 'S3-ID', accessSecret: 'S3-SECRET', bucketName: 'B', endpointUrl: 'http://x' };
  const more = { s3Config, id: 'mine', status: 'COMPLETED', kind: 'x', webhook: 'http://evil.com/hook' };
  const answer = await job('runsync', { body: { input: { echo: 1 }, ...more } });
  const jobId = String(field(answer.body, 'id'));
  expect(jobId).not.toBe('mine');
  const shown = [answer, await job('status', { jobId }), await job('stream', { jobId }), await job('requests')];
  for (const { text } of shown) expect(text).not.toMatch(/S3-|evil|mine/);
});

test.for(kinds)('%s: a body that is no object, or has no input, is a 400 and no job', async (kind) => {
  const { job } = harness();
  for (const rawBody of [
    '',
    ' ',
    'null',
    'true',
    '7',
    '"input"',
    '[]',
    '[{"input":1}]',
    '{}',
    '{"Input":1}',
    '{"input"}',
  ]) {
    const answer = await job(kind, { rawBody });
    expect([rawBody, answer.status]).toEqual([rawBody, 400]);
    expect(answer.body).toEqual({ error: expect.stringMatching(/^bad request: body: ./) });
  }
  expect((await job('requests')).body).toMatchObject({ total: 0 });
});

/** What is sent, and how long a job that never ends by itself then runs. */
const executions = [
  [undefined, 600_000],
  [null, 600_000],
  ['soon', 600_000],
  [true, 600_000],
  [[], 600_000],
  [{}, 600_000],
  [7000, 7000],
  ['7000', 7000],
  [7000.5, 7000.5],
  [4999, 5000],
  [0, 5000],
  [-1, 5000],
  [1e300, 7 * DAY],
] as const;

test.for(executions)('executionTimeout %j lets a job run %i ms', async ([executionTimeout, ms]) => {
  const { job, submit, clock } = harness();
  const jobId = await submit({ delay_ms: 30 * DAY }, { policy: { executionTimeout, ttl: 7 * DAY } });
  await clock.sleep(ms - 1);
  expect((await job('status', { jobId })).body).toMatchObject({ status: 'IN_PROGRESS' });
  await clock.sleep(2);
  const { body } = await job('status', { jobId });
  expect(body).toMatchObject({ status: 'TIMED_OUT', delayTime: 0, executionTime: Math.round(ms) });
  expect(field(body, 'error')).toMatch(/executionTimeout/);
});

const ttls = [
  [undefined, DAY],
  ['x', DAY],
  [10_000, 10_000],
  [9999, 10_000],
  [-5, 10_000],
  [HOUR, HOUR],
  [30 * DAY, 7 * DAY],
] as const;

test.for(ttls)('ttl %j lets a job queue %i ms', async ([ttl, ms]) => {
  const { job, submit, clock } = harness();
  const jobId = await submit(1, { instId: 'inst-none', policy: { ttl } });
  const status = async () => (await job('status', { instId: 'inst-none', jobId })).body;
  await clock.sleep(ms - 1);
  expect(await status()).toEqual({ id: jobId, status: 'IN_QUEUE' });
  await clock.sleep(1);
  expect(await status()).toEqual({ id: jobId, status: 'TIMED_OUT', error: expect.stringContaining('ttl') });
});

test.for(['fast', 7, null, [], true])('a policy that is %j is none', async (policy) => {
  const { job } = harness();
  expect((await job('runsync', { body: { input: 1, policy } })).body).toMatchObject({ status: 'COMPLETED' });
});

test('only true is a low priority; such jobs come last, each kind in its order, and a purge takes both', async () => {
  const instances = [{ instId: 'inst-1', workersMax: 1 }];
  const { job, submit, clock } = harness({ instances });
  await submit({ delay_ms: 1000 });
  const priorities = [true, false, 'true', 1, true, undefined];
  const ids: string[] = [];
  for (const lowPriority of priorities) ids.push(await submit({ delay_ms: 1000 }, { policy: { lowPriority } }));
  await clock.sleep(10_000);
  const started = await Promise.all(
    ids.map(async (jobId) => Number(field((await job('status', { jobId })).body, 'delayTime')) / 1000),
  );
  expect(started).toEqual([5, 1, 2, 3, 6, 4]);
  await submit({ delay_ms: 1000 });
  for (const lowPriority of priorities) await submit(1, { policy: { lowPriority } });
  expect((await job('purge-queue')).body).toEqual({ removed: 6, status: 'completed' });
  expect((await job('health')).body).toMatchObject({ jobs: { inQueue: 0, inProgress: 1 } });
});

test('a job whose time to live ends while runsync or status-sync waits is reported as ended, and then gone', async () => {
  const { job, stateOf } = harness();
  const policy = { ttl: 20_000 };
  const answer = await job('runsync', { body: { input: { delay_ms: HOUR }, policy } });
  expect(answer.body).toMatchObject({ status: 'TIMED_OUT', executionTime: 20_000 });
  expect(await stateOf(String(field(answer.body, 'id')))).toBe(404);
  const kept = harness({ ttlWhileRunning: 'time-out' });
  const other = await kept.job('runsync', { body: { input: { delay_ms: HOUR }, policy } });
  expect(await kept.stateOf(String(field(other.body, 'id')))).toBe('TIMED_OUT');
});

test('a failed job shows the message, or the exception as a JSON text', async () => {
  const body = { input: { fail: 'bad "weights"' } };
  expect((await harness().job('runsync', { body })).body).toMatchObject({ status: 'FAILED', error: 'bad "weights"' });
  const { job } = harness({ failureDetail: 'exception' });
  const answer = await job('runsync', { body });
  const error: unknown = JSON.parse(String(field(answer.body, 'error')));
  expect(error).toMatchObject({ error_type: 'Error', error_message: 'bad "weights"' });
  expect(field(error, 'worker_id')).toBe(field(answer.body, 'workerId'));
  expect(field(answer.body, 'output')).toBeUndefined();
});
