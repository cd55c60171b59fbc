/** The life of jobs on one endpoint: order, workers, deadlines, retention. */
import { expect, test } from 'vitest';
import { Endpoint } from './endpoint.ts';
import { workloadHandler } from './handler.ts';
import { record, summary } from './job.ts';
import { isFinal } from './states.ts';
import { add, ended, MINUTE, opened, POLICY, settings } from './testing/opened.ts';

test('a free worker takes a job at once; the others queue in their order', async () => {
  const { endpoint, clock } = opened();
  const jobs = [100, 200, 300].map((delay_ms) => add(endpoint, { delay_ms }));
  expect(jobs.map((job) => job.state)).toEqual(['IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE']);
  expect(endpoint.queued()).toBe(2);
  for (const job of jobs) await ended(endpoint, job);
  expect(jobs.map((job) => [job.startedAt, job.finishedAt])).toEqual([
    [0, 100],
    [100, 300],
    [300, 600],
  ]);
  expect(clock.now()).toBe(600);
});

test('never more jobs at work than workers', async () => {
  const { endpoint } = opened({ workersMax: 3 });
  const jobs = Array.from({ length: 10 }, () => add(endpoint, { delay_ms: 50 }));
  expect(endpoint.health().workers).toMatchObject({ running: 3, idle: 0 });
  await ended(endpoint, jobs[9] ?? add(endpoint, {}));
  expect(endpoint.health()).toMatchObject({ jobs: { completed: 10, inQueue: 0 }, workers: { running: 0, idle: 3 } });
});

test('a job of low priority waits until nothing else is queued', async () => {
  const { endpoint } = opened();
  add(endpoint, { delay_ms: 10 });
  const low = add(endpoint, {}, { lowPriority: true });
  const normal = add(endpoint, { delay_ms: 10 });
  await ended(endpoint, low);
  expect(normal.finishedAt).toBe(20);
  expect(low.startedAt).toBe(20);
});

test('cancel stops a running job, frees its worker at once and leaves nothing asleep', async () => {
  const { endpoint, clock } = opened();
  const running = add(endpoint, { delay_ms: 60 * MINUTE });
  const next = add(endpoint, { echo: 1 });
  endpoint.cancel(running);
  expect(running.state).toBe('CANCELLED');
  expect(next.state).toBe('IN_PROGRESS');
  await ended(endpoint, next);
  expect(next.state).toBe('COMPLETED');
  expect(clock.now()).toBe(0);
  expect(clock.sleeping).toBe(0);
  expect(running.state).toBe('CANCELLED');
});

test('cancel takes a queued job out, and a finished one stays what it is', async () => {
  const { endpoint } = opened();
  const first = add(endpoint, { echo: 1, delay_ms: 10 });
  const queued = add(endpoint, { echo: 2 });
  endpoint.cancel(queued);
  expect(queued.state).toBe('CANCELLED');
  expect(endpoint.queued()).toBe(0);
  await ended(endpoint, first);
  endpoint.cancel(first);
  expect(first.state).toBe('COMPLETED');
  expect(queued.startedAt).toBeNull();
});

test('purge takes the queued jobs, and only those', async () => {
  const { endpoint } = opened({ workersMax: 2 });
  const jobs = Array.from({ length: 6 }, (_, index) =>
    add(endpoint, { delay_ms: 100 }, { lowPriority: index % 2 === 1 }),
  );
  expect(endpoint.purge((state) => state === 'IN_QUEUE')).toBe(4);
  expect(jobs.map((job) => job.state).sort()).toEqual([...Array(4).fill('CANCELLED'), 'IN_PROGRESS', 'IN_PROGRESS']);
  expect(endpoint.queued()).toBe(0);
  expect(endpoint.purge((state) => state === 'IN_QUEUE')).toBe(0);
  const [first] = jobs;
  if (first) await ended(endpoint, first);
  expect(first?.state).toBe('COMPLETED');
});

test('purged jobs can be kept or forgotten', () => {
  for (const purgedJobs of ['cancelled', 'forgotten'] as const) {
    const { endpoint } = opened({ workersMax: 0, purgedJobs });
    const job = add(endpoint, {});
    endpoint.purge((state) => state === 'IN_QUEUE');
    expect(endpoint.find(job.id)?.state).toBe(purgedJobs === 'cancelled' ? 'CANCELLED' : undefined);
  }
});

test.for([
  ['run', 30 * MINUTE],
  ['runsync', MINUTE],
] as const)('a job of %s is kept for %i ms after it finished, and no longer', async ([kind, retention]) => {
  const { endpoint, clock } = opened();
  const job = endpoint.submit(kind, { delay_ms: 5000 }, POLICY);
  await ended(endpoint, job);
  await clock.sleep(retention - 1);
  expect(endpoint.find(job.id)).toBe(job);
  await clock.sleep(1);
  expect(endpoint.find(job.id)).toBeUndefined();
  expect(endpoint.list(0, 10)).toEqual({ total: 0, jobs: [] });
  // The totals are since the start, so they stay.
  expect(endpoint.health().jobs.completed).toBe(1);
});

test('a queued job is never forgotten, however old', async () => {
  const { endpoint, clock } = opened({ workersMax: 0 });
  const job = add(endpoint, {});
  await clock.sleep(23 * 60 * MINUTE);
  expect(endpoint.find(job.id)?.state).toBe('IN_QUEUE');
});

test('a queued job whose time to live ends is timed out as of that moment, without any poll', async () => {
  const { endpoint, clock } = opened({ workersMax: 0 });
  const job = add(endpoint, {}, { ttlMs: 10_000 });
  const other = add(endpoint, {}, { ttlMs: 20_000 });
  await clock.sleep(15_000);
  expect(endpoint.queued()).toBe(1);
  expect(job).toMatchObject({ state: 'TIMED_OUT', finishedAt: 10_000, startedAt: null });
  expect(other.state).toBe('IN_QUEUE');
  await clock.sleep(5000);
  expect(endpoint.queued()).toBe(0);
  expect(endpoint.health().jobs.failed).toBe(2);
});

test('a client that waits for a queued job learns of the end of its time to live when it comes', async () => {
  const { endpoint, clock } = opened({ workersMax: 0 });
  const job = add(endpoint, {}, { ttlMs: 10_000 });
  await ended(endpoint, job);
  expect(clock.now()).toBe(10_000);
  expect(job.state).toBe('TIMED_OUT');
});

test('a running job whose time to live ends is forgotten, or timed out where that is set', async () => {
  for (const ttlWhileRunning of ['forget', 'time-out'] as const) {
    const { endpoint } = opened({ ttlWhileRunning });
    const job = add(endpoint, { delay_ms: 5 * MINUTE }, { ttlMs: MINUTE });
    await ended(endpoint, job);
    expect(job).toMatchObject({ state: 'TIMED_OUT', finishedAt: MINUTE });
    expect(endpoint.find(job.id)).toBe(ttlWhileRunning === 'forget' ? undefined : job);
    expect(endpoint.health().workers.running).toBe(0);
  }
});

test('an execution timeout counts from the start of the work, not from the submission', async () => {
  const { endpoint } = opened();
  add(endpoint, { delay_ms: 4000 });
  const job = add(endpoint, { delay_ms: MINUTE }, { executionTimeoutMs: 5000 });
  await ended(endpoint, job);
  expect(job).toMatchObject({ state: 'TIMED_OUT', startedAt: 4000, finishedAt: 9000 });
  expect(record(job)).toMatchObject({ delayTime: 4000, executionTime: 5000, status: 'TIMED_OUT' });
});

test('a failed job carries its error and no output', async () => {
  const { endpoint } = opened();
  const job = add(endpoint, { fail: 'bad weights' });
  await ended(endpoint, job);
  expect(record(job)).toMatchObject({ status: 'FAILED', error: 'bad weights', id: job.id });
  expect(record(job)).not.toHaveProperty('output');
  expect(summary(job)).toMatchObject({ status: 'FAILED', error: 'bad weights' });
});

test('a completed job always has an output, if only null', async () => {
  const { endpoint } = opened();
  const job = add(endpoint, { echo: null });
  await ended(endpoint, job);
  expect(record(job)).toMatchObject({ status: 'COMPLETED', output: null });
});

test('the list has the newest first', () => {
  const { endpoint } = opened({ workersMax: 0 });
  const jobs = [add(endpoint, {}), add(endpoint, {}), add(endpoint, {})];
  expect(endpoint.list(0, 10)).toEqual({ total: 3, jobs: [...jobs].reverse() });
  expect(endpoint.list(1, 1).jobs).toEqual([jobs[1]]);
  expect([...endpoint.ids()]).toEqual(jobs.map((job) => job.id));
});

test('close ends all jobs', () => {
  const { endpoint, clock } = opened();
  const jobs = [add(endpoint, { delay_ms: MINUTE }), add(endpoint, {})];
  endpoint.close();
  expect(jobs.every((job) => isFinal(job.state))).toBe(true);
  expect(clock.sleeping).toBe(0);
});

test('a finished job keeps nothing of its life but what clients may still request', async () => {
  const { endpoint, clock } = opened();
  const job = add(endpoint, { echo: 1, delay_ms: 10, pad: 'x'.repeat(1000) });
  expect([job.chunks, job.watchers]).toEqual([null, null]);
  await ended(endpoint, job);
  expect(job).toMatchObject({ state: 'COMPLETED', output: 1, chunks: null, watchers: null, input: undefined });
  expect(clock.sleeping).toBe(0);
});

test('a purge during which a queued job times out does not count that one', () => {
  let now = 0;
  const clock = {
    now: () => {
      now += 1;
      return now;
    },
    sleep: () => new Promise<void>(() => undefined),
  };
  const env = { clock, random: () => 0.5, handler: workloadHandler };
  const endpoint = new Endpoint({ ...settings, workersMax: 0 }, env);
  const jobs = [1, 2, 3].map(() => add(endpoint, 1));
  const last = add(endpoint, 1, { ttlMs: 10_000 });
  // Its end comes with the third look at the clock from now on.
  now = last.createdAt + 10_000 - 3;
  expect(endpoint.purge((state) => state === 'IN_QUEUE')).toBe(3);
  expect(jobs.map(({ state }) => state)).toEqual(Array(3).fill('CANCELLED'));
  expect(last.state).toBe('TIMED_OUT');
});
