/** The payload script in a real k6: the border to the byte, whatever form a refusal takes. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PayloadParameters } from '../probe.ts';
import { type Bench, makeBench, marksOf, tally } from './testing/probe.ts';
import { startServer, type TestServer } from './testing/server.ts';

let bench: Bench;
let server: TestServer;

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());
afterEach(() => server.close());

const parameters: PayloadParameters = {
  kind: 'payload',
  limitId: 'run.payload',
  instId: 'inst-1',
  operation: 'run',
  acceptBytes: 1_000_000,
  refuseBytes: 1_048_577,
  floorBytes: 1000,
  capBytes: 4_000_000,
};

test.each([
  [1_000_000, 413],
  [1_048_576, 413],
  [1_023_457, 400],
  [1_300_001, 413],
  [500_000, 'reset'],
] as const)('a border at %i bytes, refused by %s', async (maxBytes, oversize) => {
  server = await startServer({ maxBytes, oversize });
  const ledger = await bench.send(parameters, { url: server.url });
  const sizes = (accepted: boolean) =>
    ledger.entries.filter(({ status }) => (status === 200) === accepted).map(({ note }) => Number(note));
  expect(Math.max(...sizes(true))).toBe(maxBytes);
  expect(Math.min(...sizes(false))).toBe(maxBytes + 1);
  expect(marksOf(ledger)).toEqual(['start', 'end']);
  expect(server.jobs.all.size).toBe(sizes(true).length);
});

test('bodies of the documented sizes arrive whole', async () => {
  server = await startServer({ maxBytes: 20_971_520 });
  const large = { ...parameters, operation: 'runsync', acceptBytes: 20_000_000, refuseBytes: 20_971_521 } as const;
  const ledger = await bench.send({ ...large, capBytes: 41_943_040 }, { url: server.url });
  expect(ledger.entries.map(({ note, status }) => [Number(note), status])).toEqual([
    [1000, 200],
    [20_000_000, 200],
    [20_971_521, 413],
    [20_000_001, 200],
    [20_971_520, 200],
  ]);
});

test('a 429 says nothing about sizes and ends the search', async () => {
  server = await startServer({ maxBytes: 1_010_000, oversize: 429 });
  const ledger = await bench.send(parameters, { url: server.url });
  expect(tally(ledger)).toEqual({ 'try 200': 2, 'try 429': 1 });
});

test("the target's own workload is padded to the byte, and every body and request names the run", async () => {
  server = await startServer({ maxBytes: 1_048_576 });
  const quick = { task: { größe: 'say {{echo}}' } };
  const ledger = await bench.send(parameters, { url: server.url, workloads: { quick } });
  const accepted = ledger.entries.filter(({ status }) => status === 200).map(({ note }) => Number(note));
  expect(Math.max(...accepted)).toBe(1_048_576);
  expect(server.jobs.heads.length).toBe(accepted.length);
  const escaped = '{"input":{"task":{"gr\\u00f6\\u00dfe":"say proofload run-1"},"pad":"aaa';
  for (const head of server.jobs.heads) expect(head.startsWith(escaped)).toBe(true);
  expect(new Set(server.arrivals.map(({ userAgent }) => userAgent))).toEqual(new Set(['proofload (run run-1)']));
});
