/** A payload probe with a real k6 and its Node half: the border to the byte, whatever form a refusal takes. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { decodeLedger } from '../../schemas/ledger.ts';
import { analysePayload } from '../kinds/payload/measure.ts';
import { payloadParameters as parameters } from '../kinds/payload/send/testing/parameters.ts';
import { type LargeBodies, type LargeBodyServer, startLargeBodyServer } from '../kinds/payload/send/testing/server.ts';
import type { PayloadParameters } from '../probe.ts';
import { type Bench, makeBench, marksOf, type SendChoices, tally } from './testing/probe.ts';

let bench: Bench;
let server: LargeBodyServer;

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());
afterEach(() => server.close());

async function probe(
  options: LargeBodies,
  changes: Partial<PayloadParameters> = {},
  choices: Partial<SendChoices> = {},
) {
  server = await startLargeBodyServer(options);
  const requested = { ...parameters, ...changes };
  const ledger = await bench.send(requested, { url: server.url, ...choices });
  const facts = analysePayload(requested, decodeLedger(bench.lastText()), 1);
  const accepted = (encoding: string) =>
    facts.attempts.filter((one) => one.encoding === encoding && one.outcome === 'accepted').map(({ bytes }) => bytes);
  const largest = ['content-length', 'chunked'].map((encoding) => Math.max(0, ...accepted(encoding)));
  return { ledger, facts, largest };
}

test.each([
  [1_000_000, 'drained', 413, false],
  [1_048_576, 'drained', 413, false],
  [1_023_457, 'drained', 400, false],
  [1_300_001, 'early', 413, false],
  [500_000, 'reset', 413, false],
  [1_200_000, 'drained', 413, true],
] as const)('a border at %i bytes, refused %s with %i', async (maxBytes, refusal, status, keepsAlive) => {
  const { ledger, facts, largest } = await probe({ maxBytes, refusal, status, keepsAlive });
  expect(largest).toEqual([maxBytes, maxBytes]);
  expect(marksOf(ledger)).toEqual(['start', 'end']);
  expect(facts.health).toMatchObject({ complete: true, unreadable: 0 });
  expect(server.jobs()).toBe(server.bodies.filter((one) => one.status === 200).length);
});

test('bodies of the documented sizes arrive whole, in few bodies, and their jobs give back what stood at the end', async () => {
  const sizes = { operation: 'runsync', acceptBytes: 20_000_000, refuseBytes: 20_971_521 } as const;
  const { facts } = await probe({ maxBytes: 20_971_520 }, { ...sizes, capBytes: 41_943_040 });
  expect(facts.attempts.map(({ bytes, encoding, status }) => [bytes, encoding, status])).toEqual([
    [1000, 'content-length', 200],
    [20_000_000, 'content-length', 200],
    [20_971_521, 'content-length', 413],
    [20_000_001, 'content-length', 200],
    [20_971_520, 'content-length', 200],
    [1000, 'chunked', 200],
    [20_000_000, 'chunked', 200],
    [20_971_521, 'chunked', 413],
    [20_971_520, 'chunked', 200],
    [1000, 'content-length', 200],
  ]);
  const jobs = facts.attempts.filter(({ bytes }) => bytes === 20_000_000).map(({ job }) => job?.endCameBack);
  expect(jobs).toEqual([true, true]);
});

test('a 429 says nothing about sizes and ends the search of either side', async () => {
  const { ledger } = await probe({ maxBytes: 1_010_000, status: 429 });
  expect(tally(ledger)).toMatchObject({ 'try 200': 4, 'try 429': 2, 'control 200': 1 });
});

test('a limit on Content-Length alone is distinguished from the one on all bytes', async () => {
  const { largest } = await probe({ maxBytes: 1_048_576, counts: 'content-length' });
  expect(largest).toEqual([1_048_576, parameters.capBytes]);
});

test("the target's own workload is padded to the byte, and every body and request names the run", async () => {
  const quick = { task: { größe: 'say {{echo}}' } };
  const { largest } = await probe({ maxBytes: 1_048_576 }, { followsUp: false }, { workloads: { quick } });
  expect(largest).toEqual([1_048_576, 1_048_576]);
  expect(server.bodies.length).toBeGreaterThan(5);
  for (const { head, tail } of server.bodies) {
    expect(head.startsWith('{"input":{"pad":"aaa')).toBe(true);
    expect(tail).toMatch(
      /aaa","task":\{"gr\\u00f6\\u00dfe":"say proofload run-1 run (chunked|content-length) \d+"\}\}\}$/,
    );
  }
  expect(new Set(server.bodies.map(({ userAgent }) => userAgent))).toEqual(new Set(['proofload (run run-1)']));
});
