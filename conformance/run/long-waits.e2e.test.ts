/**
 * The long waits of a nightly on a real clock and a socket, with a documented time of seconds: what is measured, that
 * nothing is sent while the load goes on, and that they end at once when the run is stopped.
 */
import { expect, test } from 'vitest';
import type { Reply } from '../../reference/reply.ts';
import { specRules } from '../../reference/rules.ts';
import { type Served, serve } from '../../reference/server.ts';
import type { CheckFacts } from '../../schemas/facts.ts';
import { documentedTable } from '../../schemas/limits.ts';
import { lossesOf } from '../../schemas/retention.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { allChecks } from '../checks/index.ts';
import { LOCAL_KEY } from '../target/credentials.ts';
import { beginWaits, parted } from './long-waits.ts';

const KEPT_MS = { run: 10_000, runsync: 4000 } as const;
const LOAD_MS = 300;

const promised = documentedTable.of('retention').map((limit) => ({
  ...limit,
  value: limit.budget === 'run' ? KEPT_MS.run : KEPT_MS.runsync,
}));
const credentials = { accessKey: LOCAL_KEY, jobKey: LOCAL_KEY, brokeKey: null, otherKey: null };

function targetOf({ url }: Served): TargetConfig {
  const endpoints = [{ instId: 'inst-1', workersMax: 3, dedicated: true }];
  return { kind: 'remote', baseUrl: null, jobBaseUrl: url, endpoints, model: null, limits: promised };
}

interface Seen {
  readonly facts: readonly CheckFacts[];
  readonly during: number;
  readonly sent: number;
  readonly announced: number;
}

/** What the waits saw of a reference that keeps jobs for so long. */
async function nightly(keptMs: { readonly run: number; readonly runsync: number }): Promise<Seen> {
  let answered = 0;
  const count = (reply: Reply): Reply => {
    answered += 1;
    return reply;
  };
  const served = await serve({
    rules: { ...specRules, outgoing: count },
    limits: { 'run.retention': keptMs.run, 'runsync.retention': keptMs.runsync },
  });
  const { signal } = new AbortController();
  const target = targetOf(served);
  const { later } = parted(allChecks, { target, profile: 'nightly' });
  try {
    const waits = beginWaits(later, { target, credentials, profile: 'nightly', runId: 'short', signal });
    await waits.still;
    const before = answered;
    await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
    const during = answered - before;
    waits.loadIsOver();
    const { facts, sent, announced } = await waits.done;
    expect(sent.requests).toBe(answered);
    return { facts, during, sent: sent.requests, announced: announced.requests };
  } finally {
    await served.close();
  }
}

const broken = (facts: readonly CheckFacts[]): readonly string[] =>
  facts
    .filter(({ outcome }) => outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds))
    .map(({ id }) => id)
    .sort();

const unanswered = (facts: readonly CheckFacts[]): readonly unknown[] =>
  facts.flatMap(({ id, outcome }) => (outcome.kind === 'ran' ? [] : [[id, outcome]]));

test('a service that keeps jobs for exactly as long passes, and nothing is sent while the load runs', async () => {
  const { facts, during, sent, announced } = await nightly(KEPT_MS);
  expect(unanswered(facts)).toEqual([]);
  expect(broken(facts)).toEqual([]);
  expect(during).toBe(0);
  expect(sent).toBeLessThanOrEqual(announced);
  const watches = facts.flatMap(({ retention }) => retention ?? []);
  expect(new Set(watches.map(({ limitId }) => limitId))).toEqual(new Set(['run.retention', 'runsync.retention']));
  for (const watch of watches) {
    for (const loss of lossesOf(watch)) expect(loss).toMatchObject({ proven: true });
  }
});

test('one that forgets jobs too early, or mixes the operations up, is found', async () => {
  const { facts } = await nightly({ run: KEPT_MS.runsync, runsync: KEPT_MS.runsync * 0.7 });
  expect(broken(facts)).toEqual(
    expect.arrayContaining(['run.retention.guarantee', 'run.retention.read', 'runsync.retention.guarantee']),
  );
  expect(broken(facts).filter((id) => id.includes('expired') || id.includes('enforced'))).toEqual([]);
});

test('one that keeps jobs for longer breaks a convention and no promise', async () => {
  const { facts } = await nightly({ run: KEPT_MS.run, runsync: KEPT_MS.run });
  expect(broken(facts)).toEqual(
    ['cancel.expired.', 'status-sync.expired.', 'stream.expired.']
      .map((id) => `${id}runsync`)
      .toSpliced(1, 0, 'runsync.retention.enforced'),
  );
});

test('a stopped run ends at once, with what it has', async () => {
  const served = await serve();
  const stop = new AbortController();
  const target = targetOf(served);
  const { later } = parted(allChecks, { target, profile: 'nightly' });
  const input = { target, credentials, profile: 'nightly', runId: 'stopped', signal: stop.signal } as const;
  const waits = beginWaits(later, input);
  await waits.still;
  waits.loadIsOver();
  setTimeout(() => stop.abort(new Error('stopped')), 200);
  const began = performance.now();
  expect((await waits.done).facts).toEqual([]);
  expect(performance.now() - began).toBeLessThan(5000);
  await served.close();
});
