/** requests: every odd page a client may ask for, and only what is still kept. */
import { expect, test } from 'vitest';
import { field, type Harness, harness } from '../testing/harness.ts';

async function withJobs(count: number): Promise<Harness & { ids: string[] }> {
  const made = harness({ limiter: 'off', instances: [{ instId: 'inst-1', workersMax: 1 }] });
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.unshift(await made.submit({ delay_ms: 1000 }));
  return { ...made, ids };
}

const idsOf = (body: unknown): unknown[] => [field(body, 'requests')].flat().map((row) => field(row, 'id'));

/** Query, and the page's offset, limit and length of 7 jobs. */
const pages = [
  ['', 0, 50, 7],
  ['?limit=3', 0, 3, 3],
  ['?limit=3&offset=6', 6, 3, 1],
  ['?offset=7', 7, 50, 0],
  ['?offset=1000000', 1_000_000, 50, 0],
  ['?offset=1e400', 0, 50, 7],
  ['?limit=0', 0, 1, 1],
  ['?limit=-5', 0, 1, 1],
  ['?limit=many', 0, 50, 7],
  ['?limit=', 0, 50, 7],
  ['?limit=2.9&offset=1.9', 1, 2, 2],
  ['?limit=99999', 0, 1000, 7],
  ['?offset=-1', 0, 50, 7],
  ['?offset=last', 0, 50, 7],
  ['?offset=NaN&limit=Infinity', 0, 50, 7],
  ['?limit=2&limit=5', 0, 2, 2],
  ['?page=3&status=FAILED', 0, 50, 7],
] as const;

test('odd pages are moved to the nearest possible one', async () => {
  const { job, ids } = await withJobs(7);
  for (const [query, offset, limit, length] of pages) {
    const { status, body } = await job('requests', { query });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 7, offset, limit, hasMore: offset + length < 7 });
    expect(idsOf(body)).toEqual(ids.slice(offset, offset + length));
  }
});

test('following hasMore leads through all jobs once, newest first, though all came at the same moment', async () => {
  const { job, ids } = await withJobs(50);
  const seen: unknown[] = [];
  for (let more: unknown = true; more; ) {
    const { body } = await job('requests', { query: `?limit=7&offset=${seen.length}` });
    seen.push(...idsOf(body));
    more = field(body, 'hasMore');
  }
  expect(seen).toEqual(ids);
});

test('a row has the times of its job as far as it got, and nothing of input or output', async () => {
  const { job, clock } = await withJobs(2);
  const row = async (number: number) => field((await job('requests')).body, 'requests', number);
  const at = new Date(clock.now()).toISOString();
  const fresh = { id: expect.any(String), createdAt: at, startedAt: null, completedAt: null };
  expect(await row(0)).toEqual({ ...fresh, status: 'IN_QUEUE' });
  expect(await row(1)).toEqual({ ...fresh, startedAt: at, status: 'IN_PROGRESS', delayTime: 0 });
  await clock.sleep(1001);
  const completedAt = new Date(Date.parse(at) + 1000).toISOString();
  const times = { delayTime: 0, executionTime: 1000 };
  expect(await row(1)).toEqual({ ...fresh, startedAt: at, completedAt, status: 'COMPLETED', ...times });
});

test('what is no longer kept is not listed either, to the millisecond', async () => {
  const { job, ids, clock } = await withJobs(1);
  await clock.sleep(1001);
  await job('status', { jobId: String(ids[0]), query: '?ttl=5000' });
  await clock.sleep(4998);
  expect((await job('requests')).body).toMatchObject({ total: 1 });
  await clock.sleep(1);
  expect((await job('requests')).body).toEqual({ requests: [], total: 0, offset: 0, limit: 50, hasMore: false });
});
