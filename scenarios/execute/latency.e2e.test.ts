/** What a real k6 measures of latency, against a server that knows how long it took, within the same run. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PacedRequests } from '../../schemas/latency.ts';
import { pacedPhases, schedulesOf } from '../analysis/latency.ts';
import type { UnlimitedParameters } from '../probe.ts';
import { type Bench, makeBench } from './testing/probe.ts';

let bench: Bench;
let server: Server;
beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Answers after a time, by number of the request and time since the first; keeps how long each really took. */
async function serve(waitMs: (index: number, sinceMs: number) => number): Promise<{ url: string; tookMs: number[] }> {
  const tookMs: number[] = [];
  let firstMs = Number.NaN;
  let count = 0;
  server = createServer((request, response) => {
    const cameMs = performance.now();
    if (Number.isNaN(firstMs)) firstMs = cameMs;
    request.resume();
    const waited = Math.max(0, waitMs(count, cameMs - firstMs));
    count += 1;
    setTimeout(() => {
      tookMs.push(performance.now() - cameMs);
      response.end('{}');
    }, waited);
  });
  server.listen({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tookMs };
}

const load = (changes: Partial<UnlimitedParameters>): UnlimitedParameters => ({
  kind: 'unlimited',
  instId: 'inst-1',
  operation: 'health',
  vus: 20,
  periodMs: 10,
  durationMs: 2000,
  windowMs: 10_000,
  ...changes,
});

async function measured(parameters: UnlimitedParameters, url: string): Promise<PacedRequests> {
  const { entries } = await bench.send(parameters, { url, id: 'health.unlimited' });
  const [phase] = pacedPhases(entries, schedulesOf(parameters));
  expect(phase?.planned).toEqual({ health: parameters.durationMs / parameters.periodMs });
  const [answered, ...others] = phase?.requests ?? [];
  expect(others).toEqual([]);
  if (!answered) throw new Error('nothing was answered');
  expect(answered.dueToEndMs).toHaveLength(parameters.durationMs / parameters.periodMs);
  return answered;
}

const rising = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
/** The server reads its clock inside of what k6 times, but both only to a fraction of a millisecond. */
const CLOCK_MS = 1;
const SLOW_MS = 150;

test('no request took less than its server did, and none less from its moment than from its sending', async () => {
  const { url, tookMs } = await serve((index) => (index % 10 === 0 ? SLOW_MS : 20));
  const { sentToEndMs, dueToEndMs, sentToFirstByteMs } = await measured(load({}), url);
  const [seen, real, first, due] = [rising(sentToEndMs), rising(tookMs), rising(sentToFirstByteMs), rising(dueToEndMs)];
  expect(seen.filter((ms, rank) => ms < (real[rank] ?? 0) - CLOCK_MS)).toEqual([]);
  expect(first.filter((ms, rank) => ms > (seen[rank] ?? 0))).toEqual([]);
  expect(dueToEndMs.filter((ms, index) => ms < (sentToEndMs[index] ?? 0) - CLOCK_MS)).toEqual([]);
  // One in ten is slow, so what is beyond nineteen twentieths is.
  for (const all of [real, seen, due]) {
    expect(all[Math.ceil(0.95 * all.length) - 1]).toBeGreaterThanOrEqual(SLOW_MS - CLOCK_MS);
  }
});

test('a server that stands still for a second keeps few requests waiting, and many from being sent', async () => {
  const [fromMs, toMs] = [1500, 2500];
  const { url } = await serve((_, sinceMs) => (sinceMs > fromMs && sinceMs < toMs ? toMs - sinceMs : 0));
  const { sentToEndMs, dueToEndMs } = await measured(load({ vus: 5, periodMs: 5, durationMs: 5000 }), url);
  const share = (values: readonly number[]) => values.filter((ms) => ms > 300).length / values.length;
  expect(share(dueToEndMs)).toBeGreaterThan(0.1);
  expect(share(sentToEndMs)).toBeLessThan(share(dueToEndMs) / 5);
});
