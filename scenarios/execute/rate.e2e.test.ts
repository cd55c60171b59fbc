/** The rate and unlimited scripts in a real k6, against a server that keeps its own record. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Ledger, zeroOf } from '../../schemas/ledger.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { limitFieldsIn } from '../limit-fields.ts';
import type { RateParameters } from '../probe.ts';
import { ACCESS_KEY, type Bench, JOB_KEY, makeBench, marksOf, tally } from './testing/probe.ts';
import { jobOn, startServer, type TestLimits, type TestServer } from './testing/server.ts';

let bench: Bench;
let server: TestServer;

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());
afterEach(() => server.close());

const serve = async (limits: TestLimits) => {
  server = await startServer(limits);
};

const WINDOW_MS = 2000;
/** A slot of the pace is left out until a window after this sender's answers: a slow machine has three seconds for them. */
const [BURST_AT_MS, PACE_AT_MS] = [1200, 8700];

function parameters(operation: OperationId, limit: number, vus: number, siblings: OperationId[] = []): RateParameters {
  return {
    kind: 'rate',
    limitId: `${operation}.rate`,
    instId: 'inst-1',
    operation,
    siblings,
    absent: [],
    limit,
    windowMs: WINDOW_MS,
    vus,
    beyondVus: vus,
    burstAtMs: BURST_AT_MS,
    secondBurstAtMs: BURST_AT_MS + WINDOW_MS + 200,
    // A pace as the planner makes it, below the limit: a slot may be as late as that leaves room, here 320 ms or more.
    paces: [{ fromMs: PACE_AT_MS, periodMs: 60, untilMs: PACE_AT_MS + 3000 }],
    overflowAtMs: PACE_AT_MS + 3100,
    overflowCap: 30,
    overflowRefusals: 2,
    polls: { spans: [{ fromMs: PACE_AT_MS + 3500, periodMs: 200, untilMs: PACE_AT_MS + 5500 }], edgesMs: [] },
    refillsAtMs: [PACE_AT_MS + 5600],
    refillCap: 10,
    untilMs: PACE_AT_MS + 5700,
  };
}

/** Each request's interval holds its arrival, so the sorted ends bound the sorted arrivals. */
function expectTimesToHold(ledger: Ledger, phases: readonly string[], operation: string): void {
  const CLOCK_MS = 3;
  const entries = ledger.entries.filter((one) => phases.includes(one.phase) && one.operation === operation);
  const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
  const zero = zeroOf(ledger) ?? Number.NaN;
  const arrivals = sorted(server.arrivals.filter((one) => one.operation === operation).map(({ atMs }) => atMs - zero));
  const sent = sorted(entries.map(({ sentMs }) => sentMs));
  const answered = sorted(entries.map(({ firstByteMs }) => firstByteMs));
  expect(arrivals).toHaveLength(entries.length);
  const early = arrivals.filter((at, index) => at + CLOCK_MS < (sent[index] ?? 0));
  const late = arrivals.filter((at, index) => at - CLOCK_MS > (answered[index] ?? 0));
  expect({ early, late }).toEqual({ early: [], late: [] });
  for (const one of entries) expect(one.sentMs <= one.firstByteMs && one.firstByteMs <= one.endMs).toBe(true);
}

test('each of the two bursts, a window apart, sends exactly the limit', async () => {
  await serve({ rate: { run: { value: 1000, windowMs: WINDOW_MS } } });
  // Whichever connection is served first, none has sent its share before the limit is reached.
  const probe = { ...parameters('run', 1000, 50), overflowCap: 1000 };
  const ledger = await bench.send(probe, { url: server.url, id: 'run.rate' });

  expect(tally(ledger)).toMatchObject({
    'burst 200': 1000,
    'second-burst 200': 1000,
    'pace 200': 50,
    'overflow 429': 100,
  });
  expect(marksOf(ledger)).toEqual(['start', 'end']);
  expect(ledger.unreadable).toBe(0);
  expectTimesToHold(ledger, ['burst', 'second-burst', 'pace', 'overflow', 'poll', 'refill'], 'run');

  const burst = ledger.entries.filter(({ phase }) => phase === 'burst');
  expect(Math.min(...burst.map(({ sentMs }) => sentMs))).toBeGreaterThanOrEqual(1200);
  expect(Math.max(...burst.map(({ firstByteMs }) => firstByteMs))).toBeLessThan(1200 + WINDOW_MS / 2);
  const refused = ledger.entries.filter(({ status }) => status === 429);
  expect(new Set(refused.map(({ note }) => limitFieldsIn(note)['retry-after']))).toEqual(new Set(['1']));

  expect(new Set(server.arrivals.map((one) => one.authorization))).toEqual(new Set([`Bearer ${JOB_KEY}`]));
  const written = await bench.written();
  expect(written).not.toContain(JOB_KEY);
  expect(written).not.toContain(ACCESS_KEY);
  expect(written).toContain('k6 ended with exit code 0');
  expect(bench.reported.at(-1)).toBeGreaterThan(1000);
});

test('single requests and pace keep their schedule', async () => {
  await serve({ rate: { cancel: { value: 40, windowMs: WINDOW_MS } } });
  const doneJobs = [await jobOn(server)];
  const ledger = await bench.send(parameters('cancel', 40, 4), { url: server.url, doneJobs });
  const burstMs = Math.min(...ledger.entries.filter(({ phase }) => phase === 'burst').map(({ sentMs }) => sentMs));
  const polls = ledger.entries.filter(({ phase }) => phase === 'poll');
  // One that would be late by a whole period is left out, which a starved machine may do to a few.
  expect(polls.length).toBeLessThanOrEqual(10);
  expect(polls.length).toBeGreaterThan(6);
  const pace = ledger.entries.filter(({ phase }) => phase === 'pace').map(({ sentMs }) => sentMs);
  const shift = burstMs - BURST_AT_MS;
  expect(pace).toHaveLength(50);
  expect(Math.min(...pace)).toBeGreaterThanOrEqual(PACE_AT_MS + Math.floor(shift) - 5);
  expect(Math.max(...pace) - Math.min(...pace)).toBeGreaterThan(2600);
  expect(server.arrivals.every(({ status }) => status !== 404)).toBe(true);
});

test('no request goes over a connection that was to be closed, whatever the server says of it', async () => {
  await serve({ rate: { cancel: { value: 2, windowMs: WINDOW_MS } }, keepsAlive: true });
  const doneJobs = [await jobOn(server)];
  const ledger = await bench.send(parameters('cancel', 2, 1), { url: server.url, doneJobs });
  expect(Object.keys(tally(ledger)).filter((one) => !/ (200|429)$/.test(one))).toEqual([]);
  expect(tally(ledger)).toMatchObject({ 'burst 200': 2, 'second-burst 200': 2 });
});

test('a shared budget: siblings follow, the pace mixes them, and nothing is spent before the burst', async () => {
  await serve({ rate: { status: { value: 100, windowMs: WINDOW_MS } } });
  const doneJobs = [await jobOn(server), await jobOn(server)];
  const what = parameters('status', 100, 5, ['status-sync', 'stream']);
  const ledger = await bench.send(what, { url: server.url, doneJobs });
  expect(tally(ledger)).toMatchObject({ 'burst 200': 100, 'overflow 429': 10, 'pace 200': 50 });
  expect(ledger.entries.filter(({ phase }) => phase === 'sibling')).toHaveLength(40);
  const burstMs = Math.min(...ledger.entries.filter(({ phase }) => phase === 'burst').map(({ sentMs }) => sentMs));
  const before = ledger.entries.filter(({ sentMs }) => sentMs < burstMs);
  expect(new Set(before.map(({ operation }) => operation))).toEqual(new Set(['health']));
  const paceFrom =
    (zeroOf(ledger) ?? Number.NaN) +
    Math.min(...ledger.entries.filter((one) => one.phase === 'pace').map((one) => one.sentMs));
  const paced = server.arrivals
    .filter(({ atMs }) => atMs >= paceFrom - 5)
    .map(({ method, operation }) => `${method} ${operation}`);
  for (const name of ['status', 'status-sync', 'stream']) {
    expect(paced).toContain(`GET ${name}`);
    expect(paced).toContain(`POST ${name}`);
  }
});

test('where answers are slow, what a bucket gets meanwhile is sent on top, for a window at most', async () => {
  await serve({ answersAfterMs: 50 });
  const burstOnly = { secondBurstAtMs: undefined, paces: [], overflowAtMs: 3000, refillsAtMs: [] };
  const what = { ...parameters('run', 40, 2), ...burstOnly, polls: { spans: [], edgesMs: [] }, overflowCap: 20 };
  const ledger = await bench.send(what, { url: server.url });
  const overflow = ledger.entries.filter(({ phase }) => phase === 'overflow');
  const lastedMs = Math.max(...overflow.map(({ endMs }) => endMs)) - Math.min(...overflow.map(({ sentMs }) => sentMs));
  // A second for the twenty of each connection, and another one for what a bucket got in both.
  expect(lastedMs).toBeGreaterThan(1700);
  expect(overflow.length).toBeGreaterThan(70);
  expect(overflow.length).toBeLessThanOrEqual(80);
});

test('a load without a limit is as many requests as its schedule has slots', async () => {
  await serve({});
  const load = {
    kind: 'unlimited',
    instId: 'inst-1',
    operation: 'health',
    vus: 10,
    periodMs: 5,
    durationMs: 1000,
  } as const;
  const ledger = await bench.send({ ...load, windowMs: 10_000 }, { url: server.url });
  expect(tally(ledger)).toEqual({ 'pace 200': 200 });
  expectTimesToHold(ledger, ['pace'], 'health');
});

test('a target that is gone is given up at once, and every silence is in the ledger', async () => {
  await serve({});
  await server.close();
  const none = { fromMs: 0, periodMs: 1000, untilMs: 0 };
  const nothing = { polls: { spans: [], edgesMs: [] }, pace: none, untilMs: 0 };
  const ledger = await bench.send({ ...parameters('run', 100, 5), ...nothing }, { url: server.url });
  expect(tally(ledger)).toEqual({ 'warm 0': 5 });
  expect(ledger.entries.every(({ status, error }) => status === 0 && /1212|refused/.test(error))).toBe(true);
  expect(marksOf(ledger)).toEqual(['start', 'end']);
});
