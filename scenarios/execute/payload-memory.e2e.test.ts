/**
 * How much memory the generator takes at the largest bodies of the documentation, and at twice that: k6, and this
 * process, which here holds the target as well. Prints both peaks.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import { payloadCandidate } from '../kinds/payload/plan.ts';
import { startLargeBodyServer } from '../kinds/payload/send/testing/server.ts';
import { contextFor, endpoint } from '../plan/testing/targets.ts';
import { type Bench, makeBench } from './testing/probe.ts';

const MOST_BYTES = 1_000_000_000;
const POLL_EVERY_MS = 20;

let bench: Bench;
beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());

const limit = limitsOf('content-bytes').find(({ budget }) => budget === 'runsync');
const probe = limit && payloadCandidate(limit, contextFor([endpoint('inst-1', 1)])).probe;

// Linux alone tells the peak of another process.
test.runIf(process.platform === 'linux')('the generator stays under a gigabyte', async () => {
  if (!limit || !probe) throw new Error('runsync has a payload limit');
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, POLL_EVERY_MS);
  const server = await startLargeBodyServer({ maxBytes: 1e9 });
  const { machine } = await bench.send(probe.parameters, { url: server.url });
  clearInterval(watch);
  await server.close();
  const ofK6 = machine?.peakBytes ?? 0;
  const largest = Math.max(...server.bodies.map(({ bytes }) => bytes));
  const reported = [largest, ofK6, before, most].map((bytes) => `${Math.round(bytes / 1e6)} MB`);
  console.log(
    `bodies of up to ${reported[0]}: k6 at most ${reported[1]}, this process from ${reported[2]} to ${reported[3]}`,
  );
  expect(largest).toBeGreaterThan(2 * limit.value);
  expect(ofK6).toBeGreaterThan(limit.value);
  expect(ofK6).toBeLessThan(MOST_BYTES);
  expect(most).toBeLessThan(MOST_BYTES);
});
