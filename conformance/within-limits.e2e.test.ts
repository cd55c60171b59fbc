/**
 * The suite never throttles itself: over a socket, several checks side by side and right after the wiring check, the
 * reference with its real limits refuses nothing.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specRules } from '../reference/rules.ts';
import { type Served, serve } from '../reference/server.ts';
import type { Credentials, TargetConfig } from '../schemas/target.ts';
import { allChecks } from './checks/index.ts';
import { announced } from './costs/costs.ts';
import { runPlain } from './run/plain.ts';
import { LOCAL_BROKE_KEY, LOCAL_KEY, LOCAL_OTHER_KEY } from './target/credentials.ts';
import { openTarget } from './target/open.ts';
import { checkWiring } from './wiring/wiring.ts';

const { signal } = new AbortController();
const credentials: Credentials = {
  accessKey: LOCAL_KEY,
  jobKey: LOCAL_KEY,
  brokeKey: LOCAL_BROKE_KEY,
  otherKey: LOCAL_OTHER_KEY,
};

let served: Served;
const answered: { readonly operation: string | null; readonly status: number }[] = [];

beforeAll(async () => {
  const rules = {
    ...specRules,
    outgoing: (reply: Parameters<NonNullable<typeof specRules.outgoing>>[0], { id }: { id: string | null }) => {
      answered.push({ operation: id, status: reply.status });
      return reply;
    },
  };
  served = await serve({ rules });
});
afterAll(() => served.close());

test('no request of a whole run is refused with 429, and no more are sent than announced', async () => {
  const config: TargetConfig = {
    kind: 'remote',
    baseUrl: served.url,
    jobBaseUrl: served.url,
    endpoints: [
      { instId: 'inst-1', workersMax: 3, dedicated: true },
      { instId: 'inst-queue', workersMax: 1, dedicated: true },
      { instId: 'inst-none', workersMax: 0, dedicated: true },
    ],
    model: null,
  };
  const wired = await checkWiring({ target: config, credentials, runId: 'run-1', signal });
  const { announced: before, sent: requested } = wired.traffic;
  expect(requested.requests).toBe(answered.length);
  expect(requested.requests).toBeLessThanOrEqual(before.requests);
  expect(requested.bytes).toBeLessThanOrEqual(before.bytes);
  const target = await openTarget(wired.target, credentials, 'run-1');
  const most = announced(allChecks, target, 'gate');
  target.allowance.limit(most);
  try {
    const facts = await runPlain(allChecks, { target, profile: 'gate', signal });
    expect(answered.filter(({ status }) => status === 429)).toEqual([]);
    expect(target.allowance.sent.requests).toBeLessThanOrEqual(most.requests);
    const short = facts.filter(
      ({ outcome }) => outcome.kind === 'inconclusive' && /have been sent/.test(outcome.reason),
    );
    expect(short.map(({ id }) => id)).toEqual([]);
    expect(facts.filter(({ leftBehind }) => leftBehind !== undefined)).toEqual([]);
  } finally {
    await target.close();
  }
});
