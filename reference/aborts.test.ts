/** Ten thousand clients that go away at random moments of random operations: nothing of them may be left behind. */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { limitsOf } from '../schemas/limits.ts';
import { type DocumentedOperationId, operationPath, operations } from '../schemas/operations.ts';
import type { VirtualClock } from './clock.ts';
import { Endpoint } from './jobs/endpoint.ts';
import type { Service } from './service.ts';
import { harness, KEY } from './testing/harness.ts';

const RUNS = 5;
const CLIENTS = 2000;

/** When a client goes away; where its operation has no such moment it goes at the next one that it has. */
const moments = ['before', 'in the body', 'waiting', 'in the answer', 'after'] as const;

interface Client {
  readonly id: DocumentedOperationId;
  readonly leaves: (typeof moments)[number];
  /** Milliseconds after the client before it. */
  readonly pause: number;
  /** Milliseconds, or pieces of a stream, that it stays at its moment. */
  readonly stays: number;
  /** Whether it tells the stream, as an adapter would, or is only missed. */
  readonly says: boolean;
}

const clients: fc.Arbitrary<Client> = fc.record({
  id: fc.constantFrom(...operations.map(({ id }) => id)),
  leaves: fc.constantFrom(...moments),
  // Crowds, because every step of the clock costs more than a client.
  pause: fc.oneof({ weight: 19, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) }),
  stays: fc.integer({ min: 0, max: 15 }).map((count) => 20 * count),
  says: fc.boolean(),
});

const HOUR_MS = 3_600_000;
const inputs: Partial<Record<DocumentedOperationId, object>> = {
  run: { input: { delay_ms: 5 } },
  runsync: { input: { delay_ms: HOUR_MS } },
  chat: { model: 'acme/base-70b', messages: [{ role: 'user', content: 'x' }], max_tokens: 200, stream: true },
  completions: { model: 'acme/base-70b', prompt: 'x', max_tokens: 200, stream: true },
};

/** A body in two pieces, of which the second never comes for a client that goes away in between. */
function bodyOf(text: string, ends: boolean): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text);
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, 5));
      if (!ends) return;
      controller.enqueue(bytes.subarray(5));
      controller.close();
    },
  });
}

interface World {
  readonly service: Service;
  readonly clock: VirtualClock;
  /** A job that runs until the end, and yields a chunk now and then. */
  readonly jobId: string;
}

function requestOf({ id, leaves }: Client, jobId: string, signal: AbortSignal): Request {
  const [method = 'GET'] = operations.find((one) => one.id === id)?.methods ?? [];
  const text = JSON.stringify(inputs[id] ?? {});
  return new Request(`http://reference${operationPath(id, { instId: 'inst-1', jobId })}?wait=700`, {
    method,
    headers: { authorization: `Bearer ${KEY}` },
    signal,
    ...(method === 'GET' ? {} : { body: bodyOf(text, leaves !== 'in the body'), duplex: 'half' }),
  });
}

/** One client from its arrival to its going away; its status, or null when it left without an answer. */
async function visit({ service, clock, jobId }: World, client: Client): Promise<number | null> {
  const { leaves, stays, says } = client;
  const gone = new AbortController();
  const { signal } = gone;
  if (leaves === 'before') gone.abort();
  // A GET has no body to wait for; what is still on its way is told by the connection.
  const received = leaves === 'in the body' ? new Promise<never>(() => undefined) : Promise.resolve();
  const left = clock.sleep(stays).then(() => {
    if (leaves === 'in the body' || leaves === 'waiting') gone.abort();
  });
  try {
    const response = await service.handle(requestOf(client, jobId, signal), { address: '192.0.2.1', received });
    const reader = response.body?.getReader();
    for (let read = 0; leaves === 'after' || read < stays; read += 1) if ((await reader?.read())?.done ?? true) break;
    gone.abort();
    if (says) await reader?.cancel();
    return response.status;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    await left;
    gone.abort();
  }
}

async function open(): Promise<World> {
  // Only the slots are looked at: no rate and no queue may refuse somebody first, and there are enough for everybody.
  const open = [...limitsOf('requests'), ...limitsOf('queue'), ...limitsOf('concurrent-requests')];
  const limits = Object.fromEntries(open.map(({ id }) => [id, 'off' as const]));
  const one = harness({ limits });
  const jobId = await one.submit({ chunks: 100_000, chunk_delay_ms: 150 });
  return { service: one.service, clock: one.clock, jobId };
}

afterEach(() => vi.restoreAllMocks());

test('after ten thousand disconnects no slot is taken, nothing sleeps and nothing watches a job', async () => {
  const submitted = vi.spyOn(Endpoint.prototype, 'submit');
  let visits = 0;
  let unanswered = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(clients, { minLength: CLIENTS, maxLength: CLIENTS }), async (crowd) => {
      submitted.mockClear();
      const world = await open();
      const { service, clock } = world;
      const visitors: Promise<number | null>[] = [];
      let most = 0;
      for (const client of crowd) {
        visitors.push(visit(world, client));
        await clock.sleep(client.pause);
        most = Math.max(most, service.inFlight().requests);
      }
      const statuses = await Promise.all(visitors);
      // Whoever was left behind is told in the same turn; the promise chains behind it take another.
      await clock.sleep(1);
      visits += statuses.length;
      unanswered += statuses.filter((one) => one === null).length;
      refused += statuses.filter((one) => one === 429).length;
      expect(most).toBeGreaterThan(5);
      expect(service.inFlight()).toEqual({ requests: 0, slots: 0 });
      const jobs = submitted.mock.results.flatMap(({ type, value }) => (type === 'return' ? [value] : []));
      expect(jobs.length).toBeGreaterThan(0);
      expect(jobs.filter(({ watchers }) => (watchers?.size ?? 0) > 0).length).toBe(0);
      service.close();
      expect(clock.sleeping).toBe(0);
    }),
    { numRuns: RUNS, endOnFailure: true, interruptAfterTimeLimit: 300_000 },
  );
  expect(visits).toBe(RUNS * CLIENTS);
  // The test would say nothing if all of them had been served, or refused.
  expect(unanswered).toBeGreaterThan(visits / 4);
  expect(refused).toBe(0);
}, 60_000);
