/**
 * The look at every answer on services that this repository doesn't contain: correct ones of other habits, and one that
 * breaks its promise once.
 */
import { expect, test } from 'vitest';
import type { CheckFacts } from '../../schemas/facts.ts';
import { at } from '../../schemas/json.ts';
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { type Check, check } from '../check.ts';
import { runPlain } from '../run/plain.ts';
import { type Alter, openAltered } from '../testing/altered.ts';
import { json } from '../testing/fake-dispatcher.ts';
import { checks } from './every-answer.check.ts';
import { allChecks } from './index.ts';

const own = checks.map(check);
const PATIENCE_MS = 60_000;
const { signal } = new AbortController();

async function factsOf(alter: Alter, requested: readonly Check[] = allChecks): Promise<CheckFacts[]> {
  const target = openAltered(alter);
  const facts = await runPlain(requested, { target, profile: 'gate', signal });
  await target.close();
  return facts.filter((one) => checks.some(({ id }) => id === one.id));
}

const broken = (facts: readonly CheckFacts[]): CheckFacts[] =>
  facts.filter(({ outcome }) => outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds));

const text = (body: string) => ({ status: 200, headers: { 'content-type': 'text/plain' }, body });

/** Interface B that answers in words, with bare results and bare lists. */
const wordy: Partial<Record<DocumentedOperationId, (body: unknown) => ReturnType<typeof text>>> = {
  run: (body) => text(String(at(body, 'id'))),
  stream: (body) => text(JSON.stringify(at(body, 'stream'))),
  cancel: () => text('cancelled'),
  'purge-queue': (body) => text(`${at(body, 'removed')} jobs removed`),
  requests: (body) => text(JSON.stringify(at(body, 'requests'))),
};

const inWords: Alter = ({ id, reply }) => {
  if (typeof reply.body !== 'string') return reply;
  if (reply.status >= 400) return { ...reply, headers: { 'content-type': 'text/html' }, body: '<h1>No</h1>' };
  return wordy[id]?.(JSON.parse(reply.body)) ?? reply;
};

test('a service of other habits breaks no promise', { timeout: PATIENCE_MS }, async () => {
  const facts = await factsOf(inWords);
  expect(facts.length).toBe(checks.length);
  expect(broken(facts).filter((one) => one.level === 'documented')).toEqual([]);
  const looked = facts.filter((one) => one.level === 'documented' && one.outcome.kind === 'ran');
  expect(looked.map((one) => one.id)).toContain('status.answers.documented');
});

/** A runsync that hands out what the handler made and nothing else. */
const bare: Alter = ({ id, reply }) => {
  if (id !== 'runsync' || reply.status !== 200 || typeof reply.body !== 'string') return reply;
  return json(200, at(JSON.parse(reply.body), 'output') ?? { error: 'failed' });
};

test('bare results break no promise, whatever they are', { timeout: PATIENCE_MS }, async () => {
  const facts = await factsOf(bare);
  expect(broken(facts).filter((one) => one.level === 'documented')).toEqual([]);
});

test('one bad answer is found with its exchange, its place and how many there were', async () => {
  let answered = 0;
  const facts = await factsOf(
    ({ id, reply }) => (id === 'health' && ++answered > 1 ? json(200, []) : reply),
    [...allChecks.filter(({ id }) => id === 'health.route' || id === 'purge-queue.route'), ...own],
  );
  const [found] = broken(facts).filter((one) => one.id === 'health.answers.documented');
  const [exchange] = found?.exchanges ?? [];
  expect(exchange).toMatchObject({ method: 'GET', status: 200, responseBody: '[]' });
  const { outcome } = found ?? {};
  expect(outcome).toMatchObject({ kind: 'ran', expectations: [{ schemaPath: 'health/documented#/anyOf/0/type' }] });
  const observed = outcome?.kind === 'ran' ? outcome.expectations[0]?.observed : '';
  expect(observed).toMatch(
    /^\d of \d answers not, first GET http:\/\/fake.local\/api\/v1\/sl\/\S+\/health: the body must be/,
  );
});

const modelChecks = [...allChecks.filter(({ id }) => /^models\.(list|auth\.missing|stable)$/.test(id)), ...own];

test.each<readonly [string, Alter, RegExp]>([
  [
    'no key brings it down',
    ({ reply }) => (reply.status === 401 ? json(500, {}) : reply),
    /of \d+ requests not.*: 500/,
  ],
  ['a good key is refused once', once(401), /1 of \d+ requests not, first GET \S+\/v1\/models\b.*: 401/],
  [
    'the same request is refused once',
    once(404),
    /1 of \d+ requests not.*the same request was (served|refused) before/,
  ],
])('%s: the check on served requests says so', async (_what, alter, words) => {
  const facts = await factsOf((one) => (one.id === 'models' ? alter(one) : one.reply), modelChecks);
  const outcome = facts.find(({ id }) => id === 'models.answers.served')?.outcome;
  const reported = outcome?.kind === 'ran' ? outcome.expectations.filter(({ holds }) => !holds) : [];
  expect(reported.map(({ observed }) => observed)).toEqual([expect.stringMatching(words)]);
});

/** Instead of the second success. */
function once(status: number): Alter {
  let count = 0;
  return ({ reply }) => (reply.status === 200 && ++count === 2 ? json(status, {}) : reply);
}

test('without an answer that is understood nothing is said', async () => {
  const facts = await factsOf(() => json(200, {}), own);
  expect(new Set(facts.map(({ outcome }) => outcome.kind))).toEqual(new Set(['inconclusive']));
});

test.each(own)('$id checks responses of its own where it runs alone', async (one) => {
  const [facts] = await factsOf(({ reply }) => reply, [one]);
  expect(facts?.outcome).toMatchObject({ kind: 'ran' });
  expect(facts?.exchanges.length).toBeGreaterThan(0);
});
