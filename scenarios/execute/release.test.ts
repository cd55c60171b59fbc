import { afterEach, expect, test } from 'vitest';
import type { Sending } from './environment.ts';
import { releaseOwnJobs } from './script.ts';
import { addressesFor } from './testing/addresses.ts';
import { startServer, type TestServer } from './testing/server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const sendingTo = (url: string): Sending => ({
  addresses: addressesFor({ baseUrl: url }),
  workersMax: 1,
  key: 'k',
});
const seen = () => server?.arrivals.map(({ method, operation }) => `${method} ${operation}`).sort();

test('own jobs are cancelled, and the queue is purged only where it was ours to fill', async () => {
  server = await startServer();
  await releaseOwnJobs(sendingTo(server.url), { jobIds: ['1', '2'], purge: false });
  expect(seen()).toEqual(['POST cancel', 'POST cancel']);
  await releaseOwnJobs(sendingTo(server.url), { jobIds: [], purge: true });
  expect(seen()).toEqual(['POST cancel', 'POST cancel', 'POST purge-queue']);
  expect(server.arrivals.every(({ authorization }) => authorization === 'Bearer k')).toBe(true);
});

test('with nothing to give back nothing is sent, also to a target without interface B', async () => {
  const { addresses, ...rest } = sendingTo('http://127.0.0.1:9');
  await releaseOwnJobs({ ...rest, addresses: { ...addresses, jobBaseUrl: null } }, { jobIds: [], purge: false });
});

test('a target that is gone is left alone', async () => {
  const gone = await startServer();
  await gone.close();
  await releaseOwnJobs(sendingTo(gone.url), { jobIds: ['1'], purge: true });
});
