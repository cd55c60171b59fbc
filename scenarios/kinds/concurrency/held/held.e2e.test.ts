/** The whole sequence of the held-request sender, on servers that keep the limit and on some that break it. */
import { afterAll, expect, test, vi } from 'vitest';
import { decodeLedger, type Ledger } from '../../../../schemas/ledger.ts';
import { limitFor } from '../../../../schemas/limits.ts';
import { type DocumentedOperationId, operation } from '../../../../schemas/operations.ts';
import { isAboutJob, operationIn } from '../../../../schemas/own.ts';
import { marksOf } from '../../../execute/testing/probe.ts';
import { jobOn, startServer, type TestLimits, type TestServer } from '../../../execute/testing/server.ts';
import type { ConcurrencyParameters } from '../../../probe.ts';
import { analyseConcurrency } from '../measure.ts';
import type { Tries } from './amounts.ts';
import { sendHeld } from './index.ts';

/** They wait, several at a time, so each has its own and all are closed in the end. */
const opened: TestServer[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

async function opening(limits: TestLimits): Promise<TestServer> {
  const server = await startServer(limits);
  opened.push(server);
  return server;
}

const parameters = (operations: DocumentedOperationId[], limit: number, extra = 3): ConcurrencyParameters => ({
  kind: 'concurrency',
  limitId: `${operations[0]}.concurrency`,
  instId: 'inst-1',
  operations,
  technique: 'held-body',
  limit,
  extra,
  rateLimit:
    limitFor('requests', operation(operations[0] ?? 'health').budget ?? 'inference')?.value ?? Number.MAX_SAFE_INTEGER,
  holdMs: 1000,
});

interface Choices {
  readonly signal?: AbortSignal;
  readonly reported?: number[];
  readonly tries?: Tries;
}

/** Of slots that never come back. */
const BRIEF: Tries = { freeMs: [0, 100], abortMs: [100, 100, 100, 100, 100, 100] };

async function sendTo(server: TestServer, what: ConcurrencyParameters, choices: Choices = {}): Promise<Ledger> {
  const aboutJob = what.operations.some((id) => isAboutJob(operationIn(undefined, id)));
  const addresses = {
    ...(aboutJob ? { doneJobs: [await jobOn(server)] } : {}),
    baseUrl: server.url,
    jobBaseUrl: server.url,
    model: 'acme/base-70b',
    instId: 'inst-1',
    runId: 'run-1',
  };
  const env = {
    signal: choices.signal ?? new AbortController().signal,
    progress: (done: number) => void choices.reported?.push(done),
  };
  return decodeLedger(await sendHeld(what, { addresses, workersMax: 3, key: 'k' }, env, choices.tries));
}

const send = async (limits: TestLimits, what: ConcurrencyParameters, choices?: Choices): Promise<Ledger> =>
  sendTo(await opening(limits), what, choices);

/** `phase status note` -> number of entries. */
function summary(ledger: Ledger): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { phase, status, note } of ledger.entries) {
    if (['timing', 'scout'].includes(phase)) continue;
    const name = `${phase} ${status} ${note}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function kept(limit: number, refused: number) {
  // One slot after the other, and then half of them, up to half a batch, at the same moment.
  const together = limit > 2 ? Math.min(50, limit / 2) : 0;
  return {
    ...(limit > 2 ? { 'within 200 released': limit - 2 - together } : {}),
    'within 200 freed': 2 + together,
    'beyond 429 early retry-after=1': refused,
    // For the waves, for each of the three that take a slot, and for those that take the last ones together.
    'control 200 ': together > 0 ? 15 : 12,
    'after-free 200 released attempts=1': 1,
    'aborted 0 dropped attempts=1': 1,
    'after-abort 200 released attempts=1': 1,
    ...(together > 0 ? { 'refill 200 released': together, 'refill 429 early retry-after=1': refused } : {}),
  };
}

test.concurrent.each([
  [['run'], 'run', 200],
  [['runsync'], 'runsync', 120],
  [['status', 'status-sync', 'stream'], 'status', 100],
  [['cancel'], 'cancel', 20],
  [['requests'], 'requests', 2],
  [['chat', 'completions'], 'chat', 150],
] as const)(
  '%j: exactly the limit is held, one more is refused, and a freed slot is usable',
  async (ids, budget, limit) => {
    const reported: number[] = [];
    const server = await opening({ concurrency: { [budget]: limit } });
    const ledger = await sendTo(server, parameters([...ids], limit), { reported });
    expect(summary(ledger)).toEqual(kept(limit, 3));
    expect(marksOf(ledger)).toEqual(['start', 'end']);
    expect(server.maxInFlight(budget)).toBe(limit);
    const sent = limit > 2 ? limit + 9 + Math.min(50, limit / 2) : limit + 6;
    expect(reported.at(-1)).toBe(sent + (budget === 'status' ? 1 : 0));
  },
);

test.concurrent('operations and methods of a shared limit are mixed, on a job that exists', async () => {
  const server = await opening({ concurrency: { status: 12 } });
  const ledger = await sendTo(server, parameters(['status', 'status-sync', 'stream'], 12));
  const sent = new Set(
    server.arrivals.filter(({ status }) => status === 200).map((one) => `${one.method} ${one.operation}`),
  );
  for (const id of ['status', 'status-sync', 'stream']) {
    expect(sent).toContain(`GET ${id}`);
    expect(sent).toContain(`POST ${id}`);
  }
  expect(ledger.entries.some(({ status }) => status === 404)).toBe(false);
});

test.concurrent('what is to make no jobs has no input', async () => {
  const server = await opening({ concurrency: { runsync: 12 } });
  const why = 'its workers need about 116 s for 436 jobs';
  const ledger = await sendTo(server, { ...parameters(['runsync'], 12), withoutInput: why });
  expect(summary(ledger)).toEqual(kept(12, 3));
  expect(server.jobs.heads.length).toBeGreaterThan(12);
  expect(server.jobs.heads.filter((head) => head.includes('input'))).toEqual([]);
});

test.concurrent('a target without the limit holds all of them', async () => {
  const ledger = await send({}, parameters(['run'], 50));
  expect(summary(ledger)).toMatchObject({ 'within 200 released': 50, 'beyond 200 released': 3 });
});

// Not while the others of this file run: a stall as long as the pause between two waves would hide what it counts.
test('a target that counts late admits more at the same moment than it has slots', async () => {
  const what = parameters(['run'], 10);
  const ledger = await send({ concurrency: { run: 10 }, countsAfterMs: 50 }, what);
  const { refill, beyond, afterFree } = analyseConcurrency(what, ledger, 0);
  expect({ beyond: beyond.refusedEarly, afterFree: afterFree?.held }).toEqual({ beyond: 3, afterFree: 1 });
  expect(refill).toEqual({ requested: 8, taken: 13 });
});

test.concurrent('a lower limit shows in the first wave', async () => {
  const ledger = await send({ concurrency: { run: 48 } }, parameters(['run'], 50));
  expect(summary(ledger)).toMatchObject({
    'within 200 freed': 26,
    'within 200 released': 22,
    'refill 200 released': 24,
    'within 429 early retry-after=1': 2,
  });
});

test.concurrent('a slot that an abort frees late is tried again', async () => {
  const ledger = await send({ concurrency: { run: 10 }, abortDelayMs: 700 }, parameters(['run'], 10));
  const [name] = Object.keys(summary(ledger)).filter((one) => one.startsWith('after-abort'));
  expect(name).toMatch(/^after-abort 200 released attempts=[23]$/);
});

test.concurrent('a slot that an abort never frees is refused in the end', async () => {
  const ledger = await send(
    { concurrency: { run: 10 }, abortDelayMs: Number.POSITIVE_INFINITY },
    parameters(['run'], 10),
    { tries: BRIEF },
  );
  expect(summary(ledger)).toMatchObject({ 'after-abort 429 early retry-after=1 attempts=6': 1 });
});

test.concurrent('never more requests than the rate limit of the operation allows', async () => {
  const limits = { concurrency: { requests: 2 }, abortDelayMs: Number.POSITIVE_INFINITY };
  const server = await opening({ ...limits, rate: { requests: { value: 10, windowMs: 10_000 } } });
  await sendTo(server, parameters(['requests'], 2, 4), { tries: BRIEF });
  expect(server.arrivals.filter(({ operation }) => operation === 'requests').length).toBeLessThanOrEqual(10);
});

test.concurrent('an abort drops everything and leaves no end mark', async () => {
  const stop = new AbortController();
  const server = await opening({});
  const sending = sendTo(server, parameters(['run'], 30), { signal: stop.signal });
  await vi.waitFor(() => expect(server.maxInFlight('run')).toBe(30));
  stop.abort();
  const ledger = await sending;
  expect(marksOf(ledger)).toEqual(['start']);
  expect(ledger.entries.every(({ phase, status }) => status === 0 || phase === 'timing')).toBe(true);
  expect(server.jobs.all.size).toBe(0);
});
