/** The long-poll script in a real k6: requests that wait by themselves, and some more while they do. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark, type Ledger } from '../../schemas/ledger.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { analyseConcurrency } from '../kinds/concurrency/measure.ts';
import type { ConcurrencyParameters } from '../probe.ts';
import { startLateProxy } from './testing/late-proxy.ts';
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

function factsOf({ entries, marks }: Ledger, operations: OperationId[]) {
  const text = [...marks.map(encodeMark), ...entries.map(encodeEntry)].join('\n');
  return analyseConcurrency(parameters(operations), decodeLedger(text), 0);
}

test('status-sync and stream wait on one slow job, and one more than the limit is refused during it', async () => {
  server = await startServer({ concurrency: { status: 60 } });
  const ledger = await bench.send(parameters(['status-sync', 'stream']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '429 early retry-after=1': 3 });
  expect(marksOf(ledger)).toEqual(['start', 'end']);
  expect(server.maxInFlight('status')).toBe(60);
  const operations = server.arrivals.map(({ operation }) => operation);
  expect(operations.filter((one) => one === 'stream').length).toBeGreaterThanOrEqual(30);
  expect(notes(ledger, 'control')).toEqual({ '200 ': 3 });
  // And one beside the second wave.
  expect(operations.filter((one) => one === 'health')).toHaveLength(4);
});

test.each<readonly [OperationId, object]>([
  ['status-sync', { concurrency: { status: 60 } }],
  ['runsync', { concurrency: { runsync: 60 }, workers: 2 }],
  ['chat', { concurrency: { chat: 60 } }],
])('%s: one is given up, its slot is taken by another, and is free again after its answer', async (id, options) => {
  server = await startServer(options);
  server.jobs.chatMs = 3000;
  const sent = { ...parameters([id]), holdMs: 5000, abortAfterMs: 1000 };
  const ledger = await bench.send(sent, { url: server.url, workersMax: 2 });
  expect(notes(ledger, 'within')).toEqual({ '0 dropped': 1, '200 released': 59 });
  expect(factsOf(ledger, [id])).toMatchObject({
    arrivedTogether: true,
    overlapInner: 60,
    within: { held: 60 },
    afterAbort: { held: 1 },
    afterFree: { held: 1 },
    slotTakers: { afterFree: true, aborted: true, afterAbort: true },
  });
  expect(server.maxInFlight(id)).toBe(60);
});

test('a slot that becomes free a little late is tried again, and what was refused until then counts nowhere', async () => {
  server = await startServer({ concurrency: { status: 60 }, abortRefusals: 4 });
  const sent = { ...parameters(['status-sync']), holdMs: 5000, abortAfterMs: 1000 };
  const ledger = await bench.send(sent, { url: server.url });
  expect(notes(ledger, 'after-abort')).toEqual({ '429 alone retry-after=1 attempts=1': 1, '200 alone attempts=2': 1 });
  expect(factsOf(ledger, ['status-sync'])).toMatchObject({
    afterAbort: { held: 1, refusedEarly: 0 },
    refusals: { statuses: { 429: 3 }, withRetryAfter: 3 },
  });
});

test('a slot that is kept until the job has ended on which it waits becomes free when that is cancelled', async () => {
  const slots = async (workersMax: number, workers = 3) => {
    server = await startServer({ concurrency: { status: 60 }, abortUnseen: true, workers });
    const sent = { ...parameters(['status-sync']), holdMs: 5000, abortAfterMs: 1000 };
    const ledger = await bench.send(sent, { url: server.url, workersMax });
    expect(notes(ledger, 'within')).toEqual({ '0 dropped': 1, '200 released': 59 });
    expect(notes(ledger, 'clean-up')).toEqual({ '200 ': Math.min(2, workersMax) });
    await server.close();
    return factsOf(ledger, ['status-sync']);
  };
  expect(await slots(2)).toMatchObject({
    afterAbort: { held: 1 },
    afterFree: { held: 1 },
    slotTakers: { afterFree: true, aborted: true, afterAbort: true },
  });
  // All wait on the same job, where a second one would wait itself as well.
  for (const alone of [await slots(1), await slots(2, 1)]) {
    expect(alone).toMatchObject({ afterAbort: { refusedEarly: 1 } });
    expect(alone.afterFree).toBeUndefined();
  }
});

test('a stream that begins at once is in flight until it ends', async () => {
  server = await startServer({ concurrency: { status: 60 }, streamsAtOnce: true });
  const ledger = await bench.send(parameters(['status-sync', 'stream']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '429 early retry-after=1': 3 });
  const within = { opened: 60, held: 60, refusedEarly: 0, refusedLate: 0, answeredEarly: 0, lost: 0 };
  expect(factsOf(ledger, ['status-sync', 'stream'])).toMatchObject({ within, overlapInner: 60, arrivedTogether: true });
});

test('runsync waits behind slow jobs on every worker, for as long as requested', async () => {
  server = await startServer({ concurrency: { runsync: 60 }, workers: 2 });
  const ledger = await bench.send(parameters(['runsync']), { url: server.url, workersMax: 2 });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '429 early retry-after=1': 3 });
  expect(ledger.entries.filter(({ phase, operation }) => phase === 'setup' && operation === 'run')).toHaveLength(2);
});

test('no request waits for slow jobs once all were seen to wait, unless the target can not cancel them', async () => {
  const lasted = async (cancelsRunning: boolean) => {
    server = await startServer({ concurrency: { runsync: 60 }, workers: 2 });
    server.jobs.cancelsRunning = cancelsRunning;
    const ledger = await bench.send(parameters(['runsync']), { url: server.url, workersMax: 2 });
    expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
    expect(notes(ledger, 'clean-up')).toEqual({ '200 ': 2 });
    expect(factsOf(ledger, ['runsync'])).toMatchObject({
      arrivedTogether: true,
      overlapInner: 60,
    });
    const ends = ledger.entries.filter(({ phase }) => phase === 'within').map(({ endMs }) => endMs);
    const cancelledMs = ledger.entries.find(({ phase }) => phase === 'clean-up')?.sentMs ?? 0;
    return Math.max(...ends) - cancelledMs;
  };
  const cancelledMs = await lasted(true);
  await server.close();
  expect(cancelledMs).toBeLessThan((await lasted(false)) - 1000);
});

test('chats wait on their own answers, with the key of interface A', async () => {
  server = await startServer({ concurrency: { chat: 60 } });
  server.jobs.chatMs = 1000;
  const ledger = await bench.send(parameters(['chat']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '429 early retry-after=1': 2 });
  expect(new Set(server.arrivals.map((one) => one.authorization))).toEqual(new Set([`Bearer ${ACCESS_KEY}`]));
});

test('chats whose whole answers come at once wait on their streams', async () => {
  server = await startServer({ concurrency: { chat: 60 }, streamsAtOnce: true });
  server.jobs.streamedChatMs = 3000;
  const sent = { ...parameters(['chat']), holdMs: 5000, abortAfterMs: 1000 };
  const ledger = await bench.send(sent, { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '0 dropped streamed': 1, '200 released streamed': 59 });
  expect(factsOf(ledger, ['chat'])).toMatchObject({
    arrivedTogether: true,
    overlapInner: 60,
    within: { held: 60, lost: 0 },
    beyond: { refusedEarly: 2 },
    slotTakers: { afterFree: true, aborted: true, afterAbort: true },
  });
  expect(server.maxInFlight('chat')).toBe(60);
});

test('a longer answer and a streamed one are requested only where a long one does not take long', async () => {
  const requested = async (chatMs: number) => {
    server = await startServer({});
    server.jobs.chatMs = chatMs;
    const { entries } = await bench.send(parameters(['chat']), { url: server.url });
    await server.close();
    return entries.filter(({ phase }) => phase === 'setup').length;
  };
  expect([await requested(800), await requested(4200)]).toEqual([3, 1]);
});

test('a target without the limit lets all of them wait', async () => {
  server = await startServer({});
  server.jobs.chatMs = 1000;
  const ledger = await bench.send(parameters(['chat']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 released': 60 });
  expect(notes(ledger, 'beyond')).toEqual({ '200 released': 2 });
  expect(factsOf(ledger, ['chat'])).toMatchObject({ arrivedTogether: true, overlapInner: 62, fewestAtRefusal: null });
  expect(server.maxInFlight('chat')).toBe(62);
});

test('nothing shows that a request was there with the others when it is read only after their answers', async () => {
  server = await startServer({ concurrency: { status: 60 } });
  // The first connection is that of the job.
  const late = await startLateProxy(server.url, 1 + 60);
  try {
    const sending = bench.send(parameters(['status-sync']), { url: late.url });
    const answered = () => expect(server.arrivals.some(({ operation }) => operation === 'status-sync')).toBe(true);
    await vi.waitFor(answered, { timeout: 30_000 });
    late.open();
    const ledger = await sending;
    expect(server.maxInFlight('status')).toBe(60);
    expect(notes(ledger, 'beyond')).toEqual({ '200 released': 3 });
    expect(factsOf(ledger, ['status-sync'])).toMatchObject({ overlapInner: 63, arrivedTogether: false });
  } finally {
    await late.close();
  }
});

test('an operation that does not wait is shown as answered early', async () => {
  server = await startServer({});
  const ledger = await bench.send(parameters(['status']), { url: server.url });
  expect(notes(ledger, 'within')).toEqual({ '200 early': 60 });
  expect(factsOf(ledger, ['status'])).toMatchObject({ within: { held: 0 }, arrivedTogether: false });
});
