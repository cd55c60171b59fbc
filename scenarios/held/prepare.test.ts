import { afterEach, expect, test } from 'vitest';
import type { OperationId } from '../../schemas/operations.ts';
import type { Sending } from '../execute/environment.ts';
import { addressesFor } from '../execute/testing/addresses.ts';
import { startServer, type TestServer } from '../execute/testing/server.ts';
import type { ConcurrencyParameters } from '../probe.ts';
import { stopwatch } from './clock.ts';
import { prepare } from './prepare.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const parameters = (operations: OperationId[]): ConcurrencyParameters => ({
  kind: 'concurrency',
  limitId: 'x',
  instId: 'inst-1',
  operations,
  technique: 'held-body',
  limit: 1,
  extra: 1,
  holdMs: 1,
});
const sendingTo = (url: string): Sending => ({
  addresses: addressesFor({ baseUrl: url }),
  workersMax: 1,
  key: 'k',
});
const prepareFor = async (operations: OperationId[], workers = 1, signal = new AbortController().signal) => {
  server = await startServer({ workers });
  return prepare(parameters(operations), sendingTo(server.url), stopwatch(), signal);
};

test('operations that need no job send nothing', async () => {
  expect(await prepareFor(['run', 'requests'])).toEqual({ jobId: null, entries: [] });
  expect(server?.arrivals).toEqual([]);
});

test('status, status-sync and stream get a job that is seen finished', async () => {
  const { jobId, entries } = await prepareFor(['status', 'stream']);
  expect(server?.jobs.all.get(jobId ?? '')?.status).toBe('COMPLETED');
  expect(entries.map(({ phase, operation, status }) => `${phase} ${operation} ${status}`).slice(0, 2)).toEqual([
    'setup run 200',
    'setup status 200',
  ]);
});

test('cancel gets a job and leaves the budget of status alone', async () => {
  const { jobId, entries } = await prepareFor(['cancel']);
  expect(jobId).toBe('1');
  expect(entries.map(({ operation }) => operation)).toEqual(['run']);
});

test('where no job can be made there is none, and why is recorded', async () => {
  const gone = await startServer({});
  await gone.close();
  const quiet = new AbortController().signal;
  const { jobId, entries } = await prepare(parameters(['status']), sendingTo(gone.url), stopwatch(), quiet);
  expect(jobId).toBeNull();
  expect(entries).toMatchObject([{ phase: 'setup', operation: 'run', status: 0 }]);
  expect(entries[0]?.error).not.toBe('');
});

test('an abort ends the watching', async () => {
  const stop = new AbortController();
  const preparing = prepareFor(['status'], 0, stop.signal);
  setTimeout(() => stop.abort(), 50);
  await expect(preparing).rejects.toThrow(/abort/i);
});
