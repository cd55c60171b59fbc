/** Each of these faults is one: a second request is refused or served otherwise than by the sound reference. */
import { expect, test } from 'vitest';
import { type DocumentedOperationId, operation, operationPath } from '../../schemas/operations.ts';
import { applyMutants } from '../mutants.ts';
import { harness, KEY } from '../testing/harness.ts';
import { concurrencyScopeMutants } from './concurrency-scopes.ts';

interface Who {
  readonly method?: string;
  readonly connection?: string;
  readonly address?: string;
}

/** With one slot that the first request holds: what the second one gets, in the sound reference and in the faulty one. */
const cases: Readonly<Record<string, [DocumentedOperationId, Who, Who, sound: boolean, faulty: boolean]>> = {
  'concurrency-per-connection': ['runsync', { connection: '1' }, { connection: '2' }, false, true],
  'cancel-concurrency-per-connection': ['cancel', { connection: '1' }, { connection: '2' }, false, true],
  'status-concurrency-per-method': ['status', { method: 'GET' }, { method: 'POST' }, false, true],
  'concurrency-per-process': ['requests', { connection: '1' }, { connection: '2' }, false, true],
  'run-concurrency-per-process': ['run', { connection: '1' }, { connection: '2' }, false, true],
  'inference-concurrency-for-all': ['chat', { address: '192.0.2.1' }, { address: '192.0.2.2' }, true, false],
};

test('every fault has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(concurrencyScopeMutants.map(({ name }) => name).sort());
});

async function secondServed(names: readonly string[], [id, first, second]: (typeof cases)[string]): Promise<boolean> {
  const { budget } = operation(id);
  const { service } = harness({ ...applyMutants(harness().options, names), limits: { [`${budget}.concurrency`]: 1 } });
  const gone = new AbortController();
  const request = (who: Who, held: boolean) => {
    const { method = operation(id).methods[0] ?? 'GET', address = '192.0.2.1', connection = '1' } = who;
    const url = `http://reference${operationPath(id, { instId: 'inst-1', jobId: 'nobody' })}`;
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const open = held && method === 'POST' ? { body: new ReadableStream<Uint8Array>(), duplex: 'half' as const } : {};
    const never = held && method === 'GET' ? { received: new Promise<void>(() => undefined) } : {};
    const request = new Request(url, { method, headers, ...open, ...(held ? { signal: gone.signal } : {}) });
    return service.handle(request, { address, connection, ...never });
  };
  const holding = request(first, true).catch(() => null);
  const { status } = await request(second, false);
  gone.abort();
  await holding;
  service.close();
  return status !== 429;
}

test.each(Object.entries(cases))('%s', async (name, one) => {
  const [, , , sound, faulty] = one;
  expect(await secondServed([], one)).toBe(sound);
  expect(await secondServed([name], one)).toBe(faulty);
});

test('processes take connections in turn, and keep them', async () => {
  const one: (typeof cases)[string] = ['run', { connection: '7' }, { connection: '7' }, false, false];
  expect(await secondServed(['run-concurrency-per-process'], one)).toBe(false);
});
