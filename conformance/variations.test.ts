/** The choices that the documentation leaves to a service: none of them may turn a documented check red. */
import { expect, test } from 'vitest';
import type { ReferenceOptions } from '../reference/options.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { openReference } from './target/in-process.ts';

const variations: readonly (readonly [string, Partial<ReferenceOptions>])[] = [
  ['the bare key is taken on interface B too', { auth: 'bearer' }],
  ['no key is asked on interface B', { auth: 'none' }],
  ['no balance is 429', { balanceStatus: 429 }],
  ['windows are fixed', { limiter: 'fixed' }],
  ['windows begin elsewhere', { limiter: 'fixed', windowPhaseMs: 3333 }],
  ['a token bucket', { limiter: 'token' }],
  ['no limiter at all', { limiter: 'off' }],
  ['400 for a body that is too large', { oversizeStatus: 400, payloadReading: 'decimal' }],
  ['the queue is measured with the new job in it', { queueMeasured: 'after' }],
  ['answers take 200 ms', { latencyMs: 200 }],
  ['slow tokens', { firstTokenMs: 800, interTokenMs: 60 }],
  ['purged jobs are forgotten', { purgedJobs: 'forgotten' }],
  ['requests is a bare list', { requestsShape: 'array' }],
  ['short lists', { requestsPage: { default: 3, max: 10 } }],
  ['short patience of status-sync', { statusSyncWait: { default: 300, min: 1, max: 1000 } }],
  ['one endpoint', { instances: [{ instId: 'inst-1', workersMax: 3 }] }],
  ['one worker', { instances: [{ instId: 'inst-1', workersMax: 1 }] }],
  ['no workers', { instances: [{ instId: 'inst-1', workersMax: 0 }] }],
  ['many workers', { instances: [{ instId: 'inst-1', workersMax: 200 }] }],
];

test.each(variations)('%s', { timeout: 60_000 }, async (_name, options) => {
  const target = openReference({ options });
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal });
  const red = facts.filter(
    ({ level, outcome }) =>
      level === 'documented' && outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds),
  );
  expect(red.map(({ id, outcome }) => [id, outcome])).toEqual([]);
  expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
});
