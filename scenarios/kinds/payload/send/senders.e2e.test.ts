/** The senders that need no k6, on a socket: jobs of refused bodies, and the largest body of interface A. */
import { afterEach, expect, test } from 'vitest';
import { decodeLedger } from '../../../../schemas/ledger.ts';
import { addressesFor } from '../../../execute/testing/addresses.ts';
import { speedOf } from '../../../plan/assumptions.ts';
import type { RefusedJobParameters } from '../../../probe.ts';
import { analyseInferencePayload, inferencePayloadCandidate } from '../../inference-payload/index.ts';
import { analyseRefusedJobs } from '../../refused-job/index.ts';
import { sendInferencePayload } from './inference.ts';
import { sendRefusedJobs } from './refused-jobs.ts';
import { type LargeBodies, type LargeBodyServer, startLargeBodyServer } from './testing/server.ts';

let server: LargeBodyServer;
afterEach(() => server.close());

const MAX_BYTES = 100_000;
const parameters: RefusedJobParameters = {
  kind: 'refused-job',
  instId: 'inst-1',
  operation: 'run',
  bodies: [
    { limitId: 'run.payload', operation: 'run', bytes: MAX_BYTES + 1 },
    { limitId: 'runsync.payload', operation: 'runsync', bytes: MAX_BYTES + 2 },
  ],
  rounds: 2,
  settleMs: 20,
};

const env = () => ({ signal: new AbortController().signal, progress: () => {} });
const sendingTo = (baseUrl: string) => ({
  addresses: addressesFor({ jobBaseUrl: baseUrl, baseUrl, model: 'acme/base' }),
  workersMax: 1,
  key: 'a-key',
});

async function refusedBy(options: Partial<LargeBodies>) {
  server = await startLargeBodyServer({ maxBytes: MAX_BYTES, ...options });
  return analyseRefusedJobs(
    parameters,
    decodeLedger(await sendRefusedJobs(parameters, sendingTo(server.url), env())),
    1,
  );
}

test('a sound service has one job more, the ordinary one', async () => {
  const facts = await refusedBy({});
  expect(facts).toMatchObject({ counted: true, listed: true, unknownJobs: 0, health: { complete: true } });
  expect(facts.rounds.map(({ limitId, outcome, moreJobs }) => [limitId, outcome, moreJobs])).toEqual([
    ['run.payload', 'refused', 0],
    ['runsync.payload', 'refused', 0],
    ['run.payload', 'refused', 0],
    ['runsync.payload', 'refused', 0],
  ]);
  expect(server.jobs()).toBe(1);
});

test('a service that runs what it refused is seen in the counts and in the list', async () => {
  const facts = await refusedBy({ runsRefused: true });
  expect(facts.rounds.map(({ outcome, moreJobs }) => [outcome, moreJobs])).toEqual(Array(4).fill(['refused', 1]));
  expect(facts.unknownJobs).toBe(4);
});

test('a value that a service does not have is not taken for zero', async () => {
  const facts = await refusedBy({ runsRefused: true, hides: ['health', 'requests'] });
  expect(facts).toMatchObject({ counted: false, listed: false, unknownJobs: null });
  expect(facts.rounds.map(({ moreJobs }) => moreJobs)).toEqual([null, null, null, null]);
});

test('an abort leaves a ledger without an end', async () => {
  server = await startLargeBodyServer({ maxBytes: MAX_BYTES });
  const stop = new AbortController();
  const progress = () => stop.abort();
  const text = await sendRefusedJobs(parameters, sendingTo(server.url), { signal: stop.signal, progress });
  expect(analyseRefusedJobs(parameters, decodeLedger(text), 1).health.complete).toBe(false);
});

const inference = inferencePayloadCandidate({ speed: speedOf(null) }).probe;
if (inference?.parameters.kind !== 'inference-payload') throw new Error('no such probe');
const requested = inference.parameters;

test.each([
  [1_500_000, 'drained'],
  [300_000, 'early'],
  [1e9, 'drained'],
] as const)('the largest body of interface A is found near %i bytes, refused %s', async (maxBytes, refusal) => {
  server = await startLargeBodyServer({ maxBytes, refusal });
  const facts = analyseInferencePayload(
    requested,
    decodeLedger(await sendInferencePayload(requested, sendingTo(server.url), env())),
    1,
  );
  const sizes = (accepted: boolean) =>
    facts.attempts.filter(({ outcome }) => (outcome === 'accepted') === accepted).map(({ bytes }) => bytes);
  const largest = Math.max(...sizes(true));
  expect(largest).toBeGreaterThan(Math.min(maxBytes, requested.capBytes) * 0.85);
  expect(largest).toBeLessThanOrEqual(Math.min(maxBytes, requested.capBytes));
  expect(Math.min(...sizes(false))).toBeGreaterThan(maxBytes);
  expect(facts.attempts.length).toBeLessThanOrEqual(inference.requests);
});
