/** What is said of services that keep jobs rightly, too short, in odd ways, or lose them by a restart. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { documentedTable } from '../../../schemas/limits.ts';
import { retentionOf } from '../../../schemas/retention.ts';
import { jobIdOf, stateOf } from '../../reading/job.ts';
import { parseJson } from '../../target/reply.ts';
import { agedBy, brokenIn, GONE, unclearIn } from '../../testing/aging-service.ts';
import { json } from '../../testing/fake-dispatcher.ts';

const KEPT_MS = retentionOf(documentedTable, 'run');
vi.setConfig({ testTimeout: 60_000 });

test('one that keeps what it promises is found to, and everything is answered', async () => {
  const facts = await agedBy({});
  expect([brokenIn(facts), unclearIn(facts)]).toEqual([[], {}]);
  expect(facts.every(({ outcome }) => outcome.kind === 'ran')).toBe(true);
});

test('so is one whose answers take a while', async () => {
  expect(brokenIn(await agedBy({ latencyMs: 300 }))).toEqual([]);
});

test('jobs that are kept too short are found, whatever the time', async () => {
  const share = fc.double({ min: 0.0005, max: 0.999, noNaN: true });
  await fc.assert(
    fc.asyncProperty(share, async (part) => {
      const facts = await agedBy({ limits: { 'run.retention': Math.floor(KEPT_MS * part) } });
      expect(brokenIn(facts)).toContain('run.retention.guarantee');
      expect(
        brokenIn(facts).filter((id) => !/^(run\.retention\.|(status-sync|stream)\.retention\.run$)/.test(id)),
      ).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test('jobs that are kept for longer break no promise', async () => {
  const facts = await agedBy({ limits: { 'runsync.retention': KEPT_MS } });
  expect(brokenIn(facts)).toEqual([
    'cancel.expired.runsync',
    'runsync.retention.enforced',
    'status-sync.expired.runsync',
    'stream.expired.runsync',
  ]);
});

test('a restart is never taken for a broken promise, whenever it comes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: KEPT_MS * 1.2 }), async (atMs) => {
      expect(brokenIn(await agedBy({ restartsMs: [atMs] }))).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test('nor is a restart of one whose answers take a while, nor two of them', async () => {
  const atMs = fc.integer({ min: 1, max: KEPT_MS * 1.2 });
  const latencyMs = fc.constantFrom(0, 50, 300, 1500);
  await fc.assert(
    fc.asyncProperty(fc.array(atMs, { minLength: 1, maxLength: 2 }), latencyMs, async (restartsMs, ms) => {
      expect(brokenIn(await agedBy({ restartsMs, latencyMs: ms }))).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test('nor is one right before the look at the job that ran long, when others had just been forgotten for their age', async () => {
  expect(brokenIn(await agedBy({ restartsMs: [1_954_117], latencyMs: 1500 }))).toEqual([]);
});

test.each([
  [1_799_823, 300],
  [1_812_674, 1500],
  [1_814_349, 1500],
])('nor is one between the answers of several operations: after %i ms, answers of %i ms', async (atMs, latencyMs) => {
  expect(brokenIn(await agedBy({ restartsMs: [atMs], latencyMs }))).toEqual([]);
});

test('an operation that does not know a job which status knows before and after is found', async () => {
  const facts = await agedBy({
    alter: (reply, { ageMs, about }) => (about.id === 'stream' && ageMs > KEPT_MS / 2 ? GONE : reply),
  });
  expect(brokenIn(facts)).toEqual(['stream.retention.run']);
});

test('nor are two restarts while a job runs long, one each time', async () => {
  const facts = await agedBy({ restartsMs: [28_065, 43_327], latencyMs: 300 });
  expect(brokenIn(facts)).toEqual([]);
  expect(unclearIn(facts)['run.retention.from-end']).toMatch(/so was an earlier job/);
});

test('jobs that are kept too short are found behind slow answers, and never said to be kept after a restart', async () => {
  const half = { 'run.retention': KEPT_MS / 2 };
  expect(brokenIn(await agedBy({ limits: half, latencyMs: 300 }))).toContain('run.retention.guarantee');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: KEPT_MS * 1.2 }), fc.constantFrom(0, 300), async (atMs, latencyMs) => {
      const facts = await agedBy({ limits: half, restartsMs: [atMs], latencyMs });
      const guarantee = facts.find(({ id }) => id === 'run.retention.guarantee');
      const kept = guarantee?.outcome.kind === 'ran' && guarantee.outcome.expectations.every(({ holds }) => holds);
      expect(kept).toBe(false);
    }),
    { numRuns: 8 },
  );
});

test.each([60_000, KEPT_MS / 3, KEPT_MS - 20_000])('a restart after %i ms is named, with the time', async (atMs) => {
  const unclear = unclearIn(await agedBy({ restartsMs: [atMs] }));
  expect(unclear['run.retention.guarantee']).toMatch(/restart of the target: between [\d.]+ s and [\d.]+ s/);
  expect(unclear['run.retention.enforced']).toMatch(/restart/);
  expect(unclear['run.retention.output']).toMatch(/restart/);
});

test('jobs that are kept too short are found after a restart as well', async () => {
  const facts = await agedBy({ limits: { 'run.retention': KEPT_MS / 30 }, restartsMs: [20_000] });
  expect(brokenIn(facts)).toContain('run.retention.guarantee');
});

test('a store that gives each record out once is found', async () => {
  const read = new Set<string>();
  const facts = await agedBy({
    alter: (reply, { id, about }) => {
      const isEnd =
        about.id === 'status' && typeof reply.body === 'string' && stateOf(parseJson(reply.body)) === 'completed';
      if (read.has(id)) return GONE;
      if (isEnd) read.add(id);
      return reply;
    },
  });
  expect(brokenIn(facts)).toEqual(expect.arrayContaining(['run.retention.guarantee', 'runsync.retention.guarantee']));
});

test('jobs that are gone as soon as they have ended are found by those that were seen running', async () => {
  const facts = await agedBy({
    alter: (reply, { about }) => {
      const state = typeof reply.body === 'string' ? stateOf(parseJson(reply.body)) : 'unknown';
      return about.id === 'status' && state === 'completed' && longOnes(reply) ? GONE : reply;
    },
  });
  expect(brokenIn(facts)).toContain('run.retention.from-end');
});

const longOnes = ({ body }: { readonly body: unknown }): boolean => /"executionTime":1\d{4}/.test(String(body));

test('that reading prolongs the time of a job is told, and breaks nothing', async () => {
  const reads = new Map<string, number>();
  const facts = await agedBy({
    limits: { 'run.retention': 'off', 'runsync.retention': 'off' },
    alter: (reply, { id, about, ageMs }) => {
      const keptMs = about.parameters.job_id?.startsWith('sync-') ? retentionOf(documentedTable, 'runsync') : KEPT_MS;
      if (about.id !== 'status') return ageMs > keptMs + (reads.get(id) ?? 0) ? GONE : reply;
      if (ageMs > keptMs + (reads.get(id) ?? 0)) return GONE;
      reads.set(id, ageMs);
      return reply;
    },
  });
  expect(brokenIn(facts)).toEqual([]);
  const gap = facts.find(({ id }) => id === 'status.gap.availability');
  expect(JSON.stringify(gap?.outcome)).toContain('known, completed');
});

test('an answer that says nothing about the job is no loss of it', async () => {
  const facts = await agedBy({
    alter: (reply, { ageMs, about }) =>
      about.id === 'status' && ageMs > KEPT_MS * 0.99 && ageMs < KEPT_MS ? json(503, { error: 'busy' }) : reply,
  });
  expect(brokenIn(facts)).toEqual([]);
  expect(unclearIn(facts)['run.retention.guarantee']).toContain('503');
});

test('a success without a word about the job is a loss of it', async () => {
  const facts = await agedBy({
    alter: (reply, { ageMs, about }) => (about.id === 'status' && ageMs > KEPT_MS / 2 ? json(200, {}) : reply),
  });
  expect(brokenIn(facts)).toContain('run.retention.guarantee');
});

test('a job that somebody else cancelled says nothing about how long jobs are kept', async () => {
  const facts = await agedBy({
    alter: (reply, { about }) => {
      const id = typeof reply.body === 'string' ? jobIdOf(parseJson(reply.body)) : null;
      return about.id === 'status' && reply.status === 200 ? json(200, { id, status: 'CANCELLED' }) : reply;
    },
  });
  expect(brokenIn(facts)).toEqual([]);
  expect(unclearIn(facts)['run.retention.guarantee']).toContain('was not cancelled');
});
