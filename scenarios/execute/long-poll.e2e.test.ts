/** The long-poll script in a real k6: requests that wait by themselves, and some more while they do. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Ledger } from '../../schemas/ledger.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { analyseConcurrency } from '../analysis/index.ts';
import type { ConcurrencyParameters } from '../probe.ts';
import { ACCESS_KEY, type Bench, makeBench, marksOf } from './testing/probe.ts';
import { startServer, type TestServer } from './testing/server.ts';

let bench: Bench;
let server: TestServer;

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());
afterEach(() => server.close());

const parameters = (operations: OperationId[]): ConcurrencyParameters => ({
  kind: 'concurrency',
  limitId: 'status.concurrency',
  instId: 'inst-1',
  operations,
  technique: 'long-poll',
  limit: 60,
  extra: 3,
  holdMs: 1500,
});

/** `status note` -> number of entries of a phase. */
function notes(ledger: Ledger, phase: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of ledger.entries.filter((entry) => entry.phase === phase)) {
    const name = `${one.status} ${one.note}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('status-sync and stream wait on one slow job, and one more than the limit is refused meanwhile', async () => {
  server = await startServer({ concurrency: { status: 60 } });
  const ledger = await bench.send(parameters(['status-sync', 'stream']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '429 early retry-after=1': 3 });
  expect(marksOf(ledger)).toEqual(['start', 'end']);
  expect(server.maxInFlight('status')).toBe(60);
  const operations = server.arrivals.map(({ operation }) => operation);
  expect(operations.filter((one) => one === 'stream').length).toBeGreaterThanOrEqual(30);
});

test('runsync waits behind slow jobs on every worker, for as long as it is asked to', async () => {
  server = await startServer({ concurrency: { runsync: 60 }, workers: 2 });
  const ledger = await bench.send(parameters(['runsync']), { url: server.url, workersMax: 2 });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '429 early retry-after=1': 3 });
  expect(ledger.entries.filter(({ phase, operation }) => phase === 'setup' && operation === 'run')).toHaveLength(2);
});

test('chats wait on their own answers, with the key of interface A', async () => {
  server = await startServer({ concurrency: { chat: 60 } });
  server.jobs.chatMs = 1000;
  const ledger = await bench.send(parameters(['chat']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '429 early retry-after=1': 2 });
  expect(new Set(server.arrivals.map((one) => one.authorization))).toEqual(new Set([`Bearer ${ACCESS_KEY}`]));
});

test('a target without the limit lets all of them wait', async () => {
  server = await startServer({});
  server.jobs.chatMs = 1000;
  const ledger = await bench.send(parameters(['chat']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '200 released': 2 });
  expect(server.maxInFlight('chat')).toBe(62);
});

test('an operation that does not wait is shown as answered early', async () => {
  server = await startServer({});
  const ledger = await bench.send(parameters(['status']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 early': 60 });
  const text = ledger.entries.map((one) => JSON.stringify(one)).join('\n');
  expect(analyseConcurrency(parameters(['status']), text, 0).within.held).toBe(0);
});
