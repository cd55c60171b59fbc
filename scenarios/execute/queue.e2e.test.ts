/** The queue script in a real k6: the border, the purge, a rate limit in the way, and an abort in the middle. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Ledger } from '../../schemas/ledger.ts';
import { limitFor } from '../../schemas/limits.ts';
import type { QueueParameters } from '../probe.ts';
import { type Bench, makeBench, marksOf, tally } from './testing/probe.ts';
import { startServer, type TestServer } from './testing/server.ts';

let bench: Bench;
let server: TestServer;

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());
afterEach(() => server.close());

const parameters = (workersMax: number, border: number): QueueParameters => ({
  kind: 'queue',
  instId: 'inst-1',
  workersMax,
  border,
  periodMs: 11,
  idleMs: 600,
  slowJobMs: 60_000,
  smallBorder: limitFor('queue', 'run')?.value ?? 0,
  refusal: 429,
  cancelPeriodMs: 1,
});

const submissions = (ledger: Ledger) =>
  ledger.entries
    .filter(({ phase }) => phase === 'fill' || phase === 'retry')
    .map(({ phase, operation, status, note }) => `${phase} ${operation} ${status} ${note}`);

test('with its workers held, the queue is filled to the border and beyond, purged, and given back', async () => {
  server = await startServer({ workers: 2, queueBorder: 70 });
  const ledger = await bench.send(parameters(2, 70), { url: server.url, workersMax: 2 });

  expect(submissions(ledger).slice(-4)).toEqual([
    'fill run 200 70:70',
    'fill run 429 71:71',
    'retry run 429 71:71',
    'retry runsync 429 71:71',
  ]);
  expect(submissions(ledger).filter((one) => one.includes('runsync 200'))).toEqual([
    'fill runsync 200 52:52',
    'fill runsync 200 68:68',
  ]);
  expect(tally(ledger)).toMatchObject({ 'purge-before 200': 1, 'hold 200': 2, 'held 200': 2, 'purge 200': 1 });
  const notes = (phase: string) => ledger.entries.filter((one) => one.phase === phase).map(({ note }) => note);
  expect(notes('held')).toEqual(['busy', 'busy']);
  expect(notes('purge')).toEqual(['71']);
  expect(notes('cleared')).toEqual(['cleared', 'cleared', 'cleared', 'cleared', 'cleared']);
  expect(notes('kept')).toEqual(['kept', 'kept']);
  expect(tally(ledger)['next 200']).toBe(1);
  expect([server.jobs.queued, server.jobs.running]).toEqual([0, 0]);
  expect(marksOf(ledger)).toEqual(['start', 'end']);
});

test('without workers the smaller number of the rule decides, and a runsync is refused beyond it', async () => {
  server = await startServer({ workers: 0, queueBorder: 50 });
  const ledger = await bench.send(parameters(0, 50), { url: server.url, workersMax: 0 });
  expect(submissions(ledger).slice(-3)).toEqual([
    'fill run 429 51:51',
    'retry run 429 51:51',
    'retry runsync 429 51:51',
  ]);
  expect(server.jobs.queued).toBe(0);
});

test('a target without the limit is asked six jobs further, and a runsync that waits was taken', async () => {
  server = await startServer({ workers: 0 });
  const ledger = await bench.send(parameters(0, 50), { url: server.url, workersMax: 0 });
  const last = submissions(ledger).slice(-2);
  expect(last[0]).toBe('fill run 200 55:55');
  expect(last[1]).toMatch(/^fill runsync (200|0) 56:56$/);
});

test('a refusal of the rate limit is told by waiting, and filling goes on', async () => {
  server = await startServer({ workers: 0, queueBorder: 50, rate: { run: { value: 30, windowMs: 500 } } });
  const ledger = await bench.send(parameters(0, 50), { url: server.url, workersMax: 0 });
  const all = submissions(ledger);
  expect(all.slice(30, 33)).toEqual(['fill run 429 30:30', 'retry run 200 30:30', 'fill run 200 31:31']);
  expect(all.slice(-2)).toEqual(['retry run 429 51:51', 'retry runsync 429 51:51']);
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
