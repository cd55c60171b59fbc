/** What is announced holds: no check without a price, and no run that needs more or gets more. */
import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { Profile } from '../../schemas/target.ts';
import { allChecks } from '../checks/index.ts';
import { runPlain } from '../run/plain.ts';
import { openReference, type ReferenceInput } from '../target/in-process.ts';
import { measureAll } from '../testing/measure.ts';
import { announced, costs, measured, partsOf, SLOWER_TARGET, shared } from './costs.ts';

const TABLE = new URL('./costs.json', import.meta.url);
const patient = { timeout: 120_000 };
const ids = allChecks.map(({ id }) => id);
const HOW = 'the table is measured anew by: npm run costs';

// Measuring takes a while, and the table need not be exact: it is done when it is asked for.
const writing = process.env.COSTS === 'write';
if (writing) {
  test('the table is measured', { timeout: 900_000 }, async () => {
    writeFileSync(TABLE, JSON.stringify(await measureAll(allChecks)));
  });
}

test.skipIf(writing)('every check has a row, and no other', () => {
  expect(
    ids.filter((id) => !costs.has(id)),
    HOW,
  ).toEqual([]);
  expect(
    [...costs.keys()].filter((id) => !ids.includes(id)),
    HOW,
  ).toEqual([]);
  const most = shared.length;
  for (const row of costs.values()) for (const index of row.shared) expect(index).toBeLessThan(most);
});

test.skipIf(writing)('shared results cost once, for any number of checks', () => {
  const [one, other] = [...costs].filter(([, row]) => row.shared.length === 1 && row.shared[0] === 0);
  if (!one || !other) throw new Error('nothing is shared');
  const both = measured([one[0], other[0]]).requests;
  expect(both).toBe(one[1].requests + other[1].requests + (shared[0]?.requests ?? 0));
});

/** A whole run within its announcement. */
async function run(input: ReferenceInput, profile: Profile = 'gate', share = 1) {
  const target = openReference(input);
  const most = announced(allChecks, target, profile);
  target.allowance.limit({ ...most, requests: Math.floor(most.requests * share) }, partsOf(allChecks, target, profile));
  const facts = await runPlain(allChecks, { target, profile, signal: new AbortController().signal });
  const short = facts.filter(
    ({ outcome }) => outcome.kind === 'inconclusive' && / have been sent/.test(outcome.reason),
  );
  return { facts, most, short: short.map(({ id }) => id), sent: target.allowance.sent };
}

let usual: Awaited<ReturnType<typeof run>>;
beforeAll(async () => {
  usual = await run({});
}, 120_000);

test.skipIf(writing)('a whole run stays within what is announced, which is not far from it', () => {
  const { most, sent, short } = usual;
  expect(short, HOW).toEqual([]);
  expect(sent.requests).toBeLessThanOrEqual(most.requests - most.reserve);
  expect(sent.bytes).toBeLessThanOrEqual(most.bytes);
  expect(most.requests, HOW).toBeLessThan(2 * SLOWER_TARGET * sent.requests);
});

test.skipIf(writing)('the suite keeps within every documented limit by itself: nothing was refused with 429', () => {
  const refused = usual.facts.flatMap(({ exchanges }) => exchanges).filter(({ status }) => status === 429);
  expect(refused.map(({ method, url, responseBody }) => [method, url, responseBody])).toEqual([]);
});

test.skipIf(writing)(
  'a target that takes its time gets more requests, and still no more than announced',
  patient,
  async () => {
    expect((await run({ options: { latencyMs: 200 } })).short).toEqual([]);
  },
);

test.skipIf(writing)('when it is used up nothing more is sent: unanswered, not wrong', patient, async () => {
  const { facts, most, short, sent } = await run({}, 'gate', 0.15);
  expect(sent.requests).toBeLessThanOrEqual(Math.floor(most.requests * 0.15));
  expect(short.length).toBeGreaterThan(20);
  const wrong = facts.filter(
    ({ outcome }) =>
      outcome.kind === 'error' || (outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds)),
  );
  expect(wrong.map(({ id, outcome }) => [id, outcome])).toEqual([]);
});

test('the parts of all checks are of the same announcement', () => {
  const target = openReference();
  const parts = [...partsOf(allChecks, target, 'gate').values()];
  const { requests, reserve } = announced(allChecks, target, 'gate');
  const kept = parts.reduce((all, part) => all + part.kept, 0);
  expect(kept * SLOWER_TARGET).toBe(requests - reserve);
  expect(parts.filter(({ most, kept: own }) => most < own)).toEqual([]);
});

test('what is left out by profile or configuration is not announced', () => {
  const [gate, nightly] = (['gate', 'nightly'] as const).map((profile) =>
    announced(allChecks, openReference(), profile),
  );
  expect(gate?.requests).toBeLessThanOrEqual(nightly?.requests ?? 0);
  const shared = openReference({}).config.endpoints.map((one) => ({ ...one, dedicated: false }));
  const config = { ...openReference().config, endpoints: shared };
  expect(announced(allChecks, openReference({ config }), 'gate').requests).toBeLessThan(gate?.requests ?? 0);
});

test('longer templates take more bytes', () => {
  const config = { ...openReference().config, workloads: { quick: { pad: 'x'.repeat(5000), echo: '{{echo}}' } } };
  const most = announced(allChecks, openReference({ config }), 'gate');
  expect(most.bytes).toBeGreaterThan(announced(allChecks, openReference(), 'gate').bytes + most.requests * 4000);
});
