/** The Node half of a payload probe on a socket: borders to the byte, early answers, and what became of the jobs. */
import { afterEach, expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark } from '../../../../schemas/ledger.ts';
import { addressesFor } from '../../../execute/testing/addresses.ts';
import type { PayloadParameters } from '../../../probe.ts';
import { analysePayload } from '../measure.ts';
import { sendNodePhase } from './node-phase.ts';
import { encodeSize } from './note.ts';
import { payloadParameters as parameters } from './testing/parameters.ts';
import { type LargeBodies, type LargeBodyServer, startLargeBodyServer } from './testing/server.ts';

let server: LargeBodyServer;
afterEach(() => server.close());

const seen = { id: null, state: 'unseen', endCameBack: null, paddingCameBack: false } as const;

/** What k6 would have written: a small body that was taken, and more. */
function fromK6(more: readonly (readonly [bytes: number, status: number, error: string])[] = []): string {
  const entries = ([[1000, 200, ''], ...more] as const).map(([bytes, status, error]) =>
    encodeEntry({
      phase: 'try',
      operation: 'run',
      sentMs: 1,
      firstByteMs: 2,
      endMs: 3,
      status,
      error,
      note: encodeSize({ bytes, encoding: 'content-length', sent: null, seen }),
    }),
  );
  const start = encodeMark({ mark: 'start', wallMs: 1000, monotonicMs: 0 });
  return [start, ...entries, encodeMark({ mark: 'end', wallMs: 1100, monotonicMs: 100 })].join('\n');
}

async function probe(options: LargeBodies, changes: Partial<PayloadParameters> = {}, ledger = fromK6()) {
  server = await startLargeBodyServer(options);
  const sending = { addresses: addressesFor({ jobBaseUrl: server.url }), workersMax: 1, key: 'a-key' };
  const env = { signal: new AbortController().signal, progress: () => {} };
  const requested = { ...parameters, ...changes };
  return analysePayload(requested, decodeLedger(await sendNodePhase(requested, sending, env, ledger)), 1);
}

const chunked = (facts: Awaited<ReturnType<typeof probe>>) =>
  facts.attempts.filter((one) => one.encoding === 'chunked' && !one.isRetry);
const largest = (facts: Awaited<ReturnType<typeof probe>>) =>
  Math.max(...chunked(facts).flatMap((one) => (one.outcome === 'accepted' ? one.bytes : [])));
const smallestRefused = (facts: Awaited<ReturnType<typeof probe>>) =>
  Math.min(...chunked(facts).flatMap((one) => (one.outcome === 'accepted' ? [] : one.bytes)));

test.each([
  [1_000_000, 'drained'],
  [1_048_576, 'drained'],
  [1_023_457, 'early'],
  [700_001, 'early'],
  [1_300_001, 'reset'],
] as const)('a border of chunked bodies at %i bytes, refused %s', async (maxBytes, refusal) => {
  const facts = await probe({ maxBytes, refusal });
  expect([largest(facts), smallestRefused(facts)]).toEqual([maxBytes, maxBytes + 1]);
  expect(facts.health).toMatchObject({ complete: true, unreadable: 0 });
  expect(Math.abs(facts.health.clockStepMs)).toBeLessThan(10);
});

test('an answer that comes before the end of the body is that answer and no reset, time and again', async () => {
  const facts = await probe({ maxBytes: 300_000, refusal: 'early' });
  const refused = facts.attempts.filter((one) => one.outcome !== 'accepted');
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.some(({ sent }) => sent === 'part')).toBe(true);
  // A few are lost in the race with the reset; sent once more, slowly, none is.
  expect(refused.filter(({ outcome, isRetry }) => outcome === 'refused' && !isRetry).length).toBeGreaterThan(5);
  expect(refused.filter(({ outcome, isRetry }) => outcome !== 'refused' && isRetry)).toEqual([]);
});

test('a cut connection of k6 is retried, slowly, at the sizes that decide', async () => {
  const cut = [1_048_577, 1_020_000, 1_010_000].map((bytes) => [bytes, 0, '1220 connection reset'] as const);
  const facts = await probe({ maxBytes: 1_000_000, refusal: 'early' }, {}, fromK6([[1_000_000, 200, ''], ...cut]));
  const retries = facts.attempts.filter((one) => one.isRetry && one.encoding === 'content-length');
  expect(retries.map(({ bytes, outcome }) => [bytes, outcome])).toEqual([
    [1_048_577, 'refused'],
    [1_010_000, 'refused'],
  ]);
});

test('a connection that is cut once and not again was no refusal', async () => {
  const facts = await probe({ maxBytes: 1_000_000, refusal: 'reset-once' });
  const at = facts.attempts.filter(({ bytes }) => bytes === 1_048_577);
  expect(at.map(({ outcome, isRetry }) => [outcome, isRetry])).toEqual([
    ['broken-off', false],
    ['refused', true],
  ]);
});

test('a service that limits Content-Length alone takes chunked bodies up to the cap', async () => {
  const facts = await probe({ maxBytes: 1_048_576, counts: 'content-length' });
  expect(largest(facts)).toBe(parameters.capBytes);
  expect(smallestRefused(facts)).toBe(Infinity);
});

test('a service without chunked bodies gets one, a small one', async () => {
  const facts = await probe({ maxBytes: 1_048_576, lengthRequired: true });
  expect(chunked(facts).map(({ bytes, status }) => [bytes, status])).toEqual([[1000, 411]]);
});

const jobAt = (facts: Awaited<ReturnType<typeof probe>>, bytes: number) =>
  facts.attempts.find((one) => one.bytes === bytes && one.encoding === 'chunked')?.job;

test('the job of the largest body that must be taken gives back the word from its end', async () => {
  const facts = await probe({ maxBytes: 1_048_576 });
  expect(jobAt(facts, 1_000_000)).toMatchObject({ state: 'completed', endCameBack: true, paddingCameBack: false });
  const synchronous = await (async () => {
    await server.close();
    return probe({ maxBytes: 1_048_576 }, { operation: 'runsync' });
  })();
  expect(jobAt(synchronous, 1_000_000)).toMatchObject({ state: 'completed', endCameBack: true, watchedMs: null });
});

test.each([
  [{ keepsBytes: 500_000 }, { state: 'completed', endCameBack: false }],
  [{ forgetsFrom: 500_000 }, { state: 'forgotten' }],
  [{ hides: ['output'] }, { state: 'completed', endCameBack: null }],
] as const)('a body that is accepted by a service with %j', async (fault, job) => {
  const facts = await probe({ maxBytes: 1_048_576, ...fault });
  expect(jobAt(facts, 1_000_000)).toMatchObject(job);
});

test('a job that never runs is polled for a while after a small one has ended', async () => {
  const facts = await probe({ maxBytes: 1_048_576, leavesFrom: 500_000 });
  expect(jobAt(facts, 1_000_000)).toMatchObject({ state: 'queued' });
  expect(jobAt(facts, 1_000_000)?.watchedMs).toBeGreaterThan(5000);
});

test('where k6 was cut short, or not even a small body was taken, nothing more is sent', async () => {
  const cutShort = fromK6().split('\n').slice(0, -1).join('\n');
  expect((await probe({ maxBytes: 1_048_576 }, {}, cutShort)).attempts).toHaveLength(1);
  expect(server.bodies).toEqual([]);
});

test('an abort leaves a ledger without an end', async () => {
  server = await startLargeBodyServer({ maxBytes: 1_048_576 });
  const stop = new AbortController();
  const sending = { addresses: addressesFor({ jobBaseUrl: server.url }), workersMax: 1, key: null };
  const env = { signal: stop.signal, progress: (done: number) => done > 2 && stop.abort() };
  const text = await sendNodePhase(parameters, sending, env, fromK6());
  const facts = analysePayload(parameters, decodeLedger(text), 1);
  expect(facts.health.complete).toBe(false);
  expect(facts.attempts.length).toBeLessThan(5);
});
