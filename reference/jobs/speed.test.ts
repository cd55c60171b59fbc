/** Ten thousand jobs, half an hour of retention and a day to live take no real time worth mentioning. */
import { expect, test } from 'vitest';
import { add, DAY, ended, MINUTE, opened } from './testing/opened.ts';

const JOBS = 10_000;
const WORKERS = 20;
/** Generous: it is a fraction of this on a machine that has nothing else to do. */
const LONGEST_MS = 2000;

/** Processor time: on a busy machine the wall clock tells about the others. Here nothing but the processor is waited for. */
async function spentMs(what: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await what();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

test('10,000 jobs of a second each, twenty at a time, their retention, and one that queues for a day', async () => {
  const { endpoint, clock } = opened({ workersMax: WORKERS });
  const took = await spentMs(async () => {
    const jobs = Array.from({ length: JOBS }, () => add(endpoint, { delay_ms: 1000, echo: 1 }));
    const [last] = jobs.slice(-1);
    if (last) await ended(endpoint, last);
    expect(clock.now()).toBe((JOBS / WORKERS) * 1000);
    expect(endpoint.health().jobs).toMatchObject({ completed: JOBS, inQueue: 0 });
    await clock.sleep(30 * MINUTE);
    expect(endpoint.list(0, 1).total).toBe(0);
    for (let count = 0; count < WORKERS; count += 1) {
      add(endpoint, { delay_ms: 2 * DAY }, { executionTimeoutMs: 3 * DAY, ttlMs: 3 * DAY });
    }
    const waiting = add(endpoint, {}, { ttlMs: DAY });
    await ended(endpoint, waiting);
    expect([waiting.state, (waiting.finishedAt ?? 0) - waiting.createdAt]).toEqual(['TIMED_OUT', DAY]);
    endpoint.close();
  });
  expect(took).toBeLessThan(LONGEST_MS);
});

test('a purge of 100,000 jobs, pages of them and polls of 1,500 queued ones cost little', async () => {
  const { endpoint, clock } = opened({ workersMax: 0 });
  const jobs = Array.from({ length: 100_000 }, () => add(endpoint, 1, { ttlMs: DAY }));
  const pages = await spentMs(async () => {
    for (let page = 0; page < 10; page += 1) {
      expect(endpoint.list(page * 100, 50).jobs[0]?.id).toBe(jobs.at(-1 - page * 100)?.id);
    }
  });
  const purge = await spentMs(async () => {
    expect(endpoint.purge(() => true)).toBe(100_000);
  });
  for (let count = 0; count < 1500; count += 1) add(endpoint, 1, { ttlMs: 10_000 + 7 * count });
  const looks = await spentMs(async () => {
    for (let expired = 0; expired < 1500; expired += 1) {
      expect(endpoint.health().jobs.inQueue).toBe(1500 - expired);
      await clock.sleep(expired === 0 ? 10_000 : 7);
    }
  });
  for (const took of [pages, purge, looks]) expect(took).toBeLessThan(LONGEST_MS);
});
