/**
 * The queue script in a real k6, against a small service that isn't the reference: the border from both sides, the purge,
 * other limits in the way, faults of each kind, and an abort in the middle.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { QueueFacts } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import { decodeLedger } from '../../schemas/ledger.ts';
import { mostSteps } from '../k6/lib/queue-state.ts';
import { analyseQueue } from '../kinds/queue/measure.ts';
import type { QueueParameters } from '../probe.ts';
import { type Bench, makeBench, marksOf, tally } from './testing/probe.ts';
import { startServer, type TestLimits, type TestServer } from './testing/server.ts';
import { textOf } from './testing/text.ts';

let bench: Bench;
let server: TestServer;

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());
afterEach(() => server.close());

const parameters = (workersMax: number, border: number, changes: Partial<QueueParameters> = {}): QueueParameters => ({
  kind: 'queue',
  instId: 'inst-1',
  workersMax,
  border,
  runsyncAt: border > 50 ? 52 : undefined,
  refusal: 429,
  periodMs: 11,
  perWindow: 5000,
  idleMs: 600,
  cancelPeriodMs: 5,
  finisherMs: 1000,
  pollsMost: 800,
  pollsTogether: 20,
  together: 20,
  slowJobMs: 60_000,
  ...changes,
});

interface Filled {
  readonly ledger: Ledger;
  readonly facts: QueueFacts;
}

/** Starts a server, fills its queue, and looks at the facts. */
async function fill(probe: QueueParameters, limits: TestLimits, change?: (jobs: TestServer['jobs']) => void) {
  server = await startServer({ workers: probe.workersMax, queueBorder: probe.border, ...limits });
  server.jobs.reportsCount = true;
  change?.(server.jobs);
  const ledger = await bench.send(probe, { url: server.url, workersMax: probe.workersMax });
  return { ledger, facts: analyseQueue(probe, decodeLedger(textOf(ledger)), 1) } satisfies Filled;
}

const submissions = (ledger: Ledger) =>
  ledger.entries
    .filter(({ phase, operation }) => ['fill', 'full', 'reopen', 'retry'].includes(phase) && operation !== 'health')
    .map(({ phase, operation, status, note }) => `${phase} ${operation} ${status} ${note}`);

const notes = (ledger: Ledger, phase: string) =>
  ledger.entries.filter((one) => one.phase === phase).map(({ note }) => note);

test('with its workers held, the queue is filled to the border and beyond, found again from above, and purged', async () => {
  const { ledger, facts } = await fill(parameters(2, 70), {});

  expect(submissions(ledger).slice(-10)).toEqual([
    'fill run 200 70:70',
    'fill run 429 71:71',
    'full runsync 429 71:71',
    'reopen runsync 200 69:69',
    'full runsync 200 70:70',
    'full runsync 429 71:71',
    'full run 429 71:71',
    'reopen run 200 69:69',
    'full run 200 70:70',
    'full run 429 71:71',
  ]);
  expect(submissions(ledger).filter((one) => one.startsWith('fill runsync'))).toEqual(['fill runsync 200 52:52']);
  expect(tally(ledger)).toMatchObject({ 'before 200': 1, 'hold 200': 2, 'held 200': 2, 'free 200': 4, 'purge 200': 1 });
  expect(tally(ledger)).not.toHaveProperty('purge-before 200');
  expect(notes(ledger, 'waiting')).toEqual(['queued', 'queued', 'queued', 'queued']);
  expect(facts).toMatchObject({
    workersHeld: 2,
    lengthKnown: true,
    waiting: { sampled: 4, left: 0 },
    reopenings: [
      { operation: 'runsync', freed: 2, countAfter: 69, refusedAgain: true },
      { operation: 'run', freed: 2, countAfter: 69, refusedAgain: true },
    ],
    purge: {
      status: 200,
      queuedBefore: 70,
      leftLater: null,
      running: 1,
      runningKept: 1,
      finished: 'completed',
      nextStatus: 200,
    },
  });
  expect(facts.purge?.cleared).toBe(facts.purge?.sampled);
  expect(facts.purge?.sampled).toBeGreaterThan(60);
  expect(facts.attempts.filter(({ outcome }) => outcome === 'refused').every(({ reopened }) => reopened)).toBe(true);
  expect([server.jobs.queued, server.jobs.running]).toEqual([0, 0]);
  expect(marksOf(ledger)).toEqual(['start', 'end']);
});

test('no more is sent than the steps announce', async () => {
  const { ledger } = await fill(parameters(1, 70), {});
  const sent = (operation: string) => submissions(ledger).filter((one) => one.split(' ')[1] === operation).length;
  const most = mostSteps(70);
  expect(sent('run')).toBeLessThanOrEqual(most.run);
  expect(sent('runsync')).toBeLessThanOrEqual(most.runsync);
  expect(notes(ledger, 'free').length).toBeLessThanOrEqual(most.free);
});

test('health without counts costs a purge before, and the cancelled job is polled instead', async () => {
  const { ledger, facts } = await fill(parameters(0, 50), {}, (jobs) => {
    jobs.reportsCount = false;
  });
  expect(tally(ledger)).toMatchObject({ 'purge-before 200': 1, 'free 200': 4, 'free-check 200': 4, 'purge 200': 1 });
  const [before, after] = server.arrivals
    .filter(({ operation }) => operation === 'purge-queue')
    .map(({ atMs }) => atMs);
  expect((after ?? 0) - (before ?? 0)).toBeGreaterThanOrEqual(600);
  expect(facts).toMatchObject({ lengthKnown: true, reopenings: [{ countAfter: null }, { countAfter: null }] });
});

test('a count that is some seconds old still shows that the queue has become shorter', async () => {
  const { facts } = await fill(parameters(0, 50), {}, (jobs) => {
    jobs.countLastsMs = 2500;
  });
  expect(facts.reopenings).toMatchObject([{ refusedAgain: true }, { refusedAgain: true }]);
});

test('a target that counts the new job too is right as well', async () => {
  const { ledger } = await fill(parameters(0, 50), { queueBorder: 49 });
  expect(submissions(ledger)).toContain('fill run 429 50:50');
  expect(submissions(ledger)).toContain('reopen run 200 49:49');
  expect(submissions(ledger)).toContain('full runsync 429 50:50');
});

test('a target without the limit gets six more jobs, and a runsync that waits stands in the queue', async () => {
  const { ledger, facts } = await fill(parameters(0, 50), { queueBorder: 1000 });
  const last = submissions(ledger).slice(-2);
  expect(last[0]).toBe('fill run 200 55:55');
  expect(last[1]).toMatch(/^full runsync (200|0) 56:56$/);
  expect(facts.attempts.at(-1)?.seenQueued).toBe(true);
});

describe('what is no matter of the queue', () => {
  test('a refusal of the rate limit goes with time, and filling goes on', async () => {
    const limits = { rate: { run: { value: 30, windowMs: 500 } } };
    const { ledger, facts } = await fill(parameters(0, 50), limits);
    const early = facts.attempts.filter((one) => one.outcome === 'refused' && one.queuedMax < 49);
    expect(early.length).toBeGreaterThan(0);
    expect(early.every(({ persisted }) => persisted === false)).toBe(true);
    expect(submissions(ledger).at(-1)).toBe('full run 429 51:51');
  });

  test('one request at once: nothing of it looks like the queue', async () => {
    const { facts } = await fill(parameters(0, 50), { concurrency: { run: 1, runsync: 1 } });
    const refused = facts.attempts.filter(({ outcome }) => outcome === 'refused');
    expect(refused.every(({ queuedMax }) => queuedMax === 51)).toBe(true);
    expect(refused.every(({ reopened }) => reopened)).toBe(true);
  });
});

describe('faults', () => {
  test('a queue that refuses until it is empty, once it has refused', async () => {
    let stuck = false;
    const { facts } = await fill(parameters(0, 50), {}, (jobs) => {
      jobs.refuses = (queued) => {
        stuck = queued > 50 || (stuck && queued > 0);
        return stuck;
      };
    });
    expect(facts.reopenings.map(({ attempt }) => [attempt.outcome, attempt.persisted])).toEqual([
      ['refused', true],
      ['refused', true],
    ]);
  });

  test('a job that can’t be taken out leaves it to an idle window', async () => {
    const { ledger, facts } = await fill(parameters(0, 50), {}, (jobs) => {
      jobs.cancelsQueued = false;
    });
    expect(submissions(ledger).slice(-2)).toEqual(['retry run 429 50:51', 'retry runsync 429 50:51']);
    expect(facts.reopenings).toEqual([]);
  });

  test('running jobs counted as if they were queued: refused by so many too early', async () => {
    const { facts } = await fill(parameters(5, 70), {}, (jobs) => {
      jobs.refuses = (queued) => queued + jobs.running > 70;
    });
    const refused = facts.attempts.filter(({ outcome }) => outcome === 'refused');
    expect(refused.map(({ queuedMin, queuedMax, reopened }) => [queuedMin, queuedMax, reopened])).toContainEqual([
      66,
      66,
      true,
    ]);
    expect(refused.every(({ queuedMax }) => queuedMax < 70)).toBe(true);
  });

  test('a purge that leaves every tenth job', async () => {
    const { facts } = await fill(parameters(0, 50), {}, (jobs) => {
      jobs.purge = { ...jobs.purge, takes: (place) => place % 10 !== 3 };
    });
    const { sampled = 0, cleared = 0, leftLater } = facts.purge ?? {};
    expect([sampled - cleared, leftLater]).toEqual([5, 5]);
  });

  test('a purge that answers before it is done', async () => {
    const { facts } = await fill(parameters(0, 50), {}, (jobs) => {
      jobs.purge = { ...jobs.purge, lateMs: 300 };
    });
    const { sampled = 0, cleared = 0, leftLater } = facts.purge ?? {};
    expect(cleared).toBeLessThan(sampled);
    expect(leftLater).toBe(0);
  });

  test('a purge that ends what runs', async () => {
    const { facts } = await fill(parameters(2, 70), {}, (jobs) => {
      jobs.purge = { ...jobs.purge, running: true };
    });
    expect(facts.purge).toMatchObject({ running: 1, runningKept: 0, finished: 'cancelled' });
  });
});

test('more workers than the target is said to have are noticed', async () => {
  const { facts } = await fill(parameters(1, 70), { workers: 2 });
  expect(facts.waiting.left).toBeGreaterThan(0);
});

test('an abort in the middle leaves no end mark, and neither jobs nor a queue behind', async () => {
  server = await startServer({ workers: 1 });
  const stop = new AbortController();
  const sent = bench.send(parameters(1, 500), { url: server.url, signal: stop.signal });
  await vi.waitFor(() => expect(server.jobs.queued).toBeGreaterThan(20), { timeout: 20_000, interval: 20 });
  stop.abort();
  const ledger = await sent;
  expect(marksOf(ledger)).toEqual(['start']);
  expect([server.jobs.queued, server.jobs.running]).toEqual([0, 0]);
});
