/** How long a finished job is kept: the table's retention, and what `status?ttl=` makes of it. */
import { expect, test } from 'vitest';
import { limitFor } from '../../schemas/limits.ts';
import { field, type Harness, harness } from '../testing/harness.ts';

const RETENTION = limitFor('retention', 'run')?.value ?? 0;
const reads = ['status', 'status-sync', 'stream', 'cancel'] as const;

async function finished(made: Harness): Promise<string> {
  const jobId = await made.submit({ echo: 1 });
  await made.clock.sleep(1);
  return jobId;
}

test.for(reads)('%s finds a job of shortened retention just before its end and not at its end', async (operation) => {
  for (const [after, status] of [
    [5999, 200],
    [6000, 404],
  ] as const) {
    const made = harness();
    const jobId = await made.submit({ echo: 1 });
    expect((await made.job('status', { jobId, query: '?ttl=6000' })).status).toBe(200);
    await made.clock.sleep(after);
    expect((await made.job(operation, { jobId })).status).toBe(status);
  }
});

test('it counts from the end of the job: a job that is over by then is shown once and gone', async () => {
  const made = harness();
  const jobId = await finished(made);
  await made.clock.sleep(60_000);
  const last = await made.job('status', { jobId, query: '?ttl=6000' });
  expect(last.body).toMatchObject({ status: 'COMPLETED', output: 1 });
  expect(await made.stateOf(jobId)).toBe(404);
  expect((await made.job('health')).body).toMatchObject({ jobs: { completed: 1 } });
});

test('it only ever shortens', async () => {
  const made = harness();
  const jobId = await finished(made);
  for (const query of ['?ttl=5000', '?ttl=7200000', '']) await made.job('status', { jobId, query });
  await made.clock.sleep(4998);
  expect(await made.stateOf(jobId)).toBe('COMPLETED');
  await made.clock.sleep(1);
  expect(await made.stateOf(jobId)).toBe(404);
});

test.for(['', '?ttl=', '?ttl=soon', '?ttl=Infinity', '?ttl=1e999'])('%s requests nothing', async (query) => {
  const made = harness();
  const jobId = await finished(made);
  await made.job('status', { jobId, query });
  await made.clock.sleep(RETENTION - 2);
  expect(await made.stateOf(jobId)).toBe('COMPLETED');
  await made.clock.sleep(1);
  expect(await made.stateOf(jobId)).toBe(404);
});

test('0 and less is gone at once; an unfinished job is not shortened; nor is any when that is off', async () => {
  const made = harness();
  const [done, negative] = [await finished(made), await finished(made)];
  await made.job('status', { jobId: done, query: '?ttl=0' });
  await made.job('status', { jobId: negative, query: '?ttl=-1' });
  expect([await made.stateOf(done), await made.stateOf(negative)]).toEqual([404, 404]);
  const running = await made.submit({ delay_ms: 1000 });
  await made.job('status', { jobId: running, query: '?ttl=0' });
  await made.clock.sleep(60_000);
  expect(await made.stateOf(running)).toBe('COMPLETED');
  const plain = harness({ retentionQuery: false });
  const kept = await finished(plain);
  await plain.job('status', { jobId: kept, query: '?ttl=0' });
  expect(await plain.stateOf(kept)).toBe('COMPLETED');
});

test('jobs whose retentions end in another order than they finished each go in their time', async () => {
  const made = harness();
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) ids.push(await finished(made));
  const ttls = [50_000, 10_000, 30_000, 20_000, 60_000, 40_000];
  for (const [at, jobId] of ids.entries()) await made.job('status', { jobId, query: `?ttl=${ttls[at]}` });
  for (let left = 5; left >= 0; left -= 1) {
    await made.clock.sleep(10_000);
    expect(field((await made.job('requests')).body, 'total')).toBe(left);
    const gone = ids.filter((_, at) => (ttls[at] ?? 0) <= 10_000 * (6 - left));
    for (const jobId of gone) expect(await made.stateOf(jobId)).toBe(404);
  }
});

test('where retention is off, jobs are kept for ever, unless shortened', async () => {
  const made = harness({ limits: { 'run.retention': 'off' } });
  const [kept, shortened] = [await finished(made), await finished(made)];
  await made.job('status', { jobId: shortened, query: '?ttl=1000' });
  await made.clock.sleep(100 * RETENTION);
  expect([await made.stateOf(kept), await made.stateOf(shortened)]).toEqual(['COMPLETED', 404]);
});

test('a queued job that timed out without any poll is kept from that moment on', async () => {
  const made = harness({ instances: [{ instId: 'inst-1', workersMax: 0 }] });
  const jobId = await made.submit(1, { policy: { ttl: 10_000 } });
  const start = made.clock.now();
  await made.clock.sleep(10_000 + RETENTION - 1);
  expect(await made.stateOf(jobId)).toBe('TIMED_OUT');
  await made.clock.sleep(1);
  expect((await made.job('requests')).body).toMatchObject({ total: 0 });
  expect(made.clock.now() - start).toBe(10_000 + RETENTION);
});
