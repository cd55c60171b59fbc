/** Whether held requests were in the target together: where some are read late, where none is, and what is claimed. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { judgeConcurrency } from '../../../../reports/kinds/concurrency/judge.ts';
import { judgingContext } from '../../../../reports/verdicts/context.ts';
import { exactConcurrency } from '../../../../reports/verdicts/testing/facts.ts';
import type { ConcurrencyFacts } from '../../../../schemas/facts.ts';
import { decodeLedger } from '../../../../schemas/ledger.ts';
import { limitsOf } from '../../../../schemas/limits.ts';
import { type LateProxy, startLateProxy } from '../../../execute/testing/late-proxy.ts';
import { startServer, type TestLimits } from '../../../execute/testing/server.ts';
import type { ConcurrencyParameters } from '../../../probe.ts';
import { analyseConcurrency } from '../measure.ts';
import { sendHeld } from './index.ts';

/** They wait, all at once, so each has its own and all are closed in the end. */
const opened: { readonly close: () => Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

const runLimit = limitsOf('concurrent-requests').find((one) => one.id === 'run.concurrency');
if (!runLimit) throw new Error('run has a concurrency limit');
const row = runLimit;

const parameters: ConcurrencyParameters = {
  kind: 'concurrency',
  limitId: row.id,
  instId: 'inst-1',
  operations: ['run'],
  technique: 'held-body',
  limit: row.value,
  extra: 3,
  holdMs: 1000,
};

/** @param reach what stands between the sender and the server, if anything; returns its address */
async function send(limits: TestLimits, reach?: (url: string) => Promise<string>) {
  const server = await startServer(limits);
  opened.push(server);
  const url = (await reach?.(server.url)) ?? server.url;
  const addresses = { baseUrl: url, jobBaseUrl: url, model: 'acme/base-70b', instId: 'inst-1', runId: 'run-1' };
  const env = { signal: new AbortController().signal, progress: () => {} };
  const text = await sendHeld(parameters, { addresses, workersMax: 3, key: 'k' }, env);
  const ledger = decodeLedger(text);
  const facts = analyseConcurrency(parameters, decodeLedger(text), row.value + parameters.extra);
  return {
    server,
    facts,
    controls: ledger.entries.filter(({ phase }) => phase === 'control').map(({ status }) => status),
  };
}

/** Beside another limit of this target that shows that held requests are counted. */
const enforced = (facts: ConcurrencyFacts) =>
  judgeConcurrency(facts, row, judgingContext([facts, exactConcurrency('cancel.concurrency', 20)], []))[
    `${row.id}.enforced`
  ];

/** One before the first wave, and one behind each of its two batches. */
const POLLS = 3;

/** Everything after the first wave is kept until `when` is over. */
const lateUntil = (when: (late: LateProxy) => Promise<unknown>) => async (url: string) => {
  const late = await startLateProxy(url, row.value + POLLS, POLLS + 1);
  opened.unshift(late);
  void when(late).then(() => late.open());
  return late.url;
};

test.concurrent('where all had surely arrived, one too many served is a missing refusal', async () => {
  const { facts, controls } = await send({ concurrency: { run: row.value + 1 } });
  expect(controls).toEqual([200, 200, 200]);
  expect(facts).toMatchObject({ arrivedTogether: true, overlapInner: row.value + 1, fewestAtRefusal: row.value + 1 });
  expect(enforced(facts)?.verdict).toBe('broken');
});

test.concurrent('a target that keeps the limit is not blamed for what it read only after a release', async () => {
  const { server, facts, controls } = await send(
    { concurrency: { run: row.value } },
    lateUntil((late) => late.answered),
  );
  expect(server.maxInFlight('run')).toBe(row.value);
  expect(controls).toEqual([0]);
  expect(facts).toMatchObject({ arrivedTogether: false, overlapInner: row.value + parameters.extra });
  expect(enforced(facts)).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('had reached the target'),
  });
});

test.concurrent('a target that catches up before anything is released has shown what it does', async () => {
  const { facts, controls } = await send(
    { concurrency: { run: row.value } },
    lateUntil(() => delay(3000)),
  );
  // For the waves, for each of the three that took a freed slot, and for those that took the last ones together.
  expect(controls).toEqual(Array(15).fill(200));
  expect(facts).toMatchObject({ arrivedTogether: true, overlapInner: row.value, refusedWithinLimit: 0 });
  expect(enforced(facts)?.verdict).toBe('holds');
});
