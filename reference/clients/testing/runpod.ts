/** The npm package `runpod-sdk`: a client of one endpoint, and its scenarios. */
import runpodSdk from 'runpod-sdk';
import { expect, test, vi } from 'vitest';
import { KEY } from '../../testing/harness.ts';
import { countOf, type Open, type Place } from './place.ts';

type Endpoint = NonNullable<ReturnType<ReturnType<typeof runpodSdk>['endpoint']>>;

/** Throws when the package gives no endpoint, which it does for a missing id only. */
function endpointAt(place: Place, key = KEY, instId = 'inst-1'): Endpoint {
  const endpoint = runpodSdk(key, { baseUrl: `${place.url}/api/v1/sl` }).endpoint(instId);
  if (!endpoint) throw new Error('no endpoint');
  return endpoint;
}

async function chunksOf(endpoint: Endpoint, id: string): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of endpoint.stream(id)) chunks.push(chunk);
  return chunks;
}

const FINISHED = { delayTime: expect.any(Number), executionTime: expect.any(Number) };
const SHORT_MS = 150;

export function runpodScenarios(open: Open): void {
  test('run gives an id, and its status leads to the output', async () => {
    const endpoint = endpointAt(await open());
    const { id, status } = await endpoint.run({ input: { echo: { a: [1, 'ü'] } } });
    expect({ id, status }).toEqual({ id: expect.stringMatching(/./), status: 'IN_QUEUE' });
    const done = { id, status: 'COMPLETED', output: { a: [1, 'ü'] }, completed: true, succeeded: true, started: true };
    await vi.waitFor(async () => expect(await endpoint.status(id)).toMatchObject({ ...done, ...FINISHED }));
  });

  test('runSync waits for the output', async () => {
    const place = await open();
    const answer = await endpointAt(place).runSync({ input: { echo: 7, delay_ms: SHORT_MS } });
    expect(answer).toMatchObject({ status: 'COMPLETED', output: 7, completed: true, succeeded: true, ...FINISHED });
    expect(answer.executionTime).toBeGreaterThanOrEqual(SHORT_MS);
    expect(countOf(place, 'status-sync')).toBe(0);
  });

  test('a job that is longer than runSync asks for is waited for, not hammered', async () => {
    const place = await open();
    const endpoint = endpointAt(place);
    // Between its calls this client makes no pause; its shortest wait is one second.
    const answer = await endpoint.runSync({ input: { echo: 'late', delay_ms: 2500 } }, 1600);
    expect(answer).toMatchObject({ status: 'COMPLETED', output: 'late' });
    expect(countOf(place, 'runsync')).toBe(1);
    const [poll, ...more] = place.answered.filter(({ id }) => id === 'status-sync');
    expect(more).toEqual([]);
    expect(Number(poll?.query.get('wait'))).toBeGreaterThanOrEqual(1000);
  });

  test('statusSync waits for the end of the job, and answers at once afterwards', async () => {
    const place = await open();
    const endpoint = endpointAt(place);
    const { id } = await endpoint.run({ input: { delay_ms: SHORT_MS } });
    expect(await endpoint.statusSync(id)).toMatchObject({ id, status: 'COMPLETED', succeeded: true });
    const before = place.now();
    expect(await endpoint.statusSync(id)).toMatchObject({ id, status: 'COMPLETED' });
    expect(place.now() - before).toBeLessThan(SHORT_MS * 10);
    expect(countOf(place, 'status-sync')).toBe(2);
  });

  test('stream yields every chunk once, and is not hammered', async () => {
    const place = await open();
    const endpoint = endpointAt(place);
    const { id } = await endpoint.run({ input: { chunks: 4, chunk_delay_ms: 60 } });
    const chunks = [0, 1, 2, 3].map((chunk) => ({ output: { chunk } }));
    expect(await chunksOf(endpoint, id)).toEqual(chunks);
    // Each call waits for news: no more calls than there are chunks, and one for the end.
    expect(countOf(place, 'stream')).toBeLessThanOrEqual(chunks.length + 1);
    expect(await chunksOf(endpoint, id)).toEqual([]);
  });

  test('a stream of a job without chunks waits for its end', async () => {
    const place = await open();
    const endpoint = endpointAt(place);
    const { id } = await endpoint.run({ input: { echo: 1, delay_ms: SHORT_MS } });
    expect(await chunksOf(endpoint, id)).toEqual([]);
    expect(countOf(place, 'stream')).toBe(1);
  });

  test('cancel ends a running job, also for whoever waits for it', async () => {
    const endpoint = endpointAt(await open());
    const { id } = await endpoint.run({ input: { delay_ms: 600_000 } });
    const waiting = endpoint.statusSync(id);
    expect(await endpoint.cancel(id)).toMatchObject({ id, status: 'CANCELLED' });
    expect(await waiting).toMatchObject({ id, status: 'CANCELLED', completed: true, succeeded: false });
    expect(await chunksOf(endpoint, id)).toEqual([]);
  });

  test('health and purgeQueue tell the jobs', async () => {
    const endpoint = endpointAt(await open(), KEY, 'inst-none');
    const { id } = await endpoint.run({ input: {} });
    const { jobs, workers } = await endpoint.health();
    expect(jobs).toMatchObject({ completed: 0, failed: 0, inProgress: 0, inQueue: 1, retried: 0 });
    expect(workers).toMatchObject({ idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0 });
    expect(await endpoint.purgeQueue()).toEqual({ removed: 1, status: 'completed' });
    expect((await endpoint.health()).jobs.inQueue).toBe(0);
    expect(await endpoint.status(id)).toMatchObject({ status: 'CANCELLED', completed: true });
  });

  test('a failing job says why', async () => {
    const endpoint = endpointAt(await open());
    const failed = { status: 'FAILED', error: 'out of paint', completed: true, succeeded: false };
    expect(await endpoint.runSync({ input: { fail: 'out of paint' } })).toMatchObject(failed);
    const { id } = await endpoint.run({ input: { chunks: 2, fail: 'out of paint' } });
    expect(await chunksOf(endpoint, id)).toHaveLength(2);
    expect(await endpoint.statusSync(id)).toMatchObject(failed);
  });

  test('a refusal is thrown with its response', async () => {
    const place = await open({ limits: { 'run.rate': 0 } });
    const endpoint = endpointAt(place);
    const refused = (status: number): object => ({ response: { status, data: { error: expect.any(String) } } });
    await expect(endpointAt(place, 'wrong').health()).rejects.toMatchObject(refused(401));
    await expect(endpoint.status('nobody')).rejects.toMatchObject(refused(404));
    await expect(endpointAt(place, KEY, 'nowhere').health()).rejects.toMatchObject(refused(404));
    await expect(endpoint.run({ input: 1 })).rejects.toMatchObject(refused(429));
  });
}
