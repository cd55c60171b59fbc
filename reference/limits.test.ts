/** The limits of spec part 8 through the whole service, in virtual time: what clients within and beyond them see. */
import { expect, test } from 'vitest';
import { limitFor, limitsOf } from '../schemas/limits.ts';
import type { DocumentedOperationId } from '../schemas/operations.ts';
import type { ReferenceOptions } from './options.ts';
import { field, type Harness, harness } from './testing/harness.ts';

const rates = limitsOf('requests');
const WINDOW_MS = limitFor('requests', 'cancel')?.windowMs ?? 0;

/** One quick request of an operation; its status. */
async function once({ job }: Harness, id: DocumentedOperationId, instId = 'inst-1'): Promise<number> {
  const body = id === 'run' || id === 'runsync' ? { body: { input: { echo: 1 } } } : {};
  return (await job(id, { jobId: 'nobody', instId, ...body })).status;
}

/** How many of `count` requests, one after the other in no time, were not refused. */
async function admitted(one: Harness, id: DocumentedOperationId, count: number): Promise<number> {
  let let_in = 0;
  for (let sent = 0; sent < count; sent += 1) if ((await once(one, id)) !== 429) let_in += 1;
  return let_in;
}

const operationsOf = (limit: (typeof rates)[number]): DocumentedOperationId[] => [...limit.operations];

test.for(rates)(
  '$id: the limit at once is admitted, the next is not, and is again after Retry-After',
  async (limit) => {
    const one = harness();
    const [id = 'run'] = operationsOf(limit);
    expect(await admitted(one, id, limit.value)).toBe(limit.value);
    const refused = await one.job(id, { jobId: 'nobody', body: id.startsWith('run') ? { input: 1 } : undefined });
    expect(refused.status).toBe(429);
    expect(field(refused.body, 'error')).toContain('rate');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds * 1000).toBe(limit.windowMs);
    await one.clock.sleep(limit.windowMs - 1);
    expect(await once(one, id)).toBe(429);
    await one.clock.sleep(1);
    expect(await admitted(one, id, limit.value)).toBe(limit.value);
  },
);

test('a rate used up by one operation on one endpoint touches no other operation and no other endpoint', async () => {
  const one = harness();
  const cancels = limitFor('requests', 'cancel')?.value ?? 0;
  expect(await admitted(one, 'cancel', cancels + 1)).toBe(cancels);
  for (const id of ['run', 'runsync', 'status', 'stream', 'purge-queue', 'requests', 'health'] as const) {
    expect(await once(one, id)).not.toBe(429);
  }
  expect(await once(one, 'cancel', 'inst-queue')).toBe(404);
});

test('status, status-sync and stream use up one rate together', async () => {
  const shared = rates.find((limit) => limit.operations.length > 1);
  const one = harness({ limits: { [shared?.id ?? '']: 30 } });
  expect(await admitted(one, 'status', 10)).toBe(10);
  expect(await admitted(one, 'status-sync', 10)).toBe(10);
  expect(await admitted(one, 'stream', 15)).toBe(10);
  for (const id of ['status', 'status-sync', 'stream'] as const) expect(await once(one, id)).toBe(429);
});

test('health and interface A are never refused for their rate', async () => {
  const one = harness();
  expect(await admitted(one, 'health', 2500)).toBe(2500);
  for (let sent = 0; sent < 2500; sent += 1) {
    const { status } = await one.request('/v1/models');
    if (status !== 200) expect(status).toBe(200);
  }
});

test('a refused request does not count', async () => {
  const one = harness({ limits: { 'cancel.rate': 5 } });
  expect(await admitted(one, 'cancel', 50)).toBe(5);
  await one.clock.sleep(WINDOW_MS);
  expect(await admitted(one, 'cancel', 50)).toBe(5);
});

/**
 * What comes back after exhaustion is how a probe tells the algorithms apart: ten at once in the middle of a window of
 * the clock, then one every quarter of a window.
 */
const fingerprints: readonly [ReferenceOptions['limiter'], readonly number[]][] = [
  // As an echo of the burst, a whole window later.
  ['sliding', [10, 0, 0, 0, 10]],
  // All at the next tick of the clock, half a window later, and then not before the one after.
  ['fixed', [10, 0, 10, 0, 0]],
  // As a trickle of a quarter of the limit per quarter of the window.
  ['token', [10, 2, 3, 2, 3]],
  // All of the burst counts until half a window later, then its share falls by a quarter per quarter.
  ['counter', [10, 0, 0, 2, 3]],
  ['off', [40, 40, 40, 40, 40]],
];

test.for(fingerprints)('%s: admissions in every quarter of a window', async ([limiter, expected]) => {
  const one = harness({ limiter, limits: { 'cancel.rate': 10 }, windowPhaseMs: WINDOW_MS / 2 });
  const seen: number[] = [];
  for (let quarter = 0; quarter < expected.length; quarter += 1) {
    seen.push(await admitted(one, 'cancel', 40));
    await one.clock.sleep(WINDOW_MS / 4);
  }
  expect(seen).toEqual(expected);
});

test.for(limitsOf('concurrent-requests'))('$id: as many at once as documented, and not one more', async (limit) => {
  const one = harness({ limits: Object.fromEntries(rates.map(({ id }) => [id, 'off' as const])) });
  let arrive = (): void => undefined;
  const received = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const [first = 'run'] = limit.operations;
  // Operations that read their body are held by a body that does not come, the others by one that is on its way.
  const readsBody = first === 'run' || first === 'runsync';
  const waiting: ReadableStreamDefaultController<Uint8Array>[] = [];
  const held = Array.from({ length: limit.value }, () => {
    const rawBody = new ReadableStream<Uint8Array>({ start: (controller) => void waiting.push(controller) });
    return one.job(first, { jobId: 'nobody', ...(readsBody ? { rawBody } : { received }) });
  });
  expect((await one.job(limit.operations.at(-1) ?? first, { jobId: 'nobody', received })).status).toBe(429);
  arrive();
  for (const controller of waiting) {
    controller.enqueue(new TextEncoder().encode('{"input":1}'));
    controller.close();
  }
  const statuses = (await Promise.all(held)).map((answer) => answer.status);
  expect(statuses.filter((status) => status !== 429)).toHaveLength(limit.value);
  expect((await one.job('health')).status).toBe(200);
});
