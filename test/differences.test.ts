/**
 * The comparison with the reference on real exchanges: of one correct service with another seed it tells nothing, and
 * any change of its answers it tells, from both sides.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { allChecks } from '../conformance/checks/index.ts';
import { runPlain } from '../conformance/run/plain.ts';
import { openReference } from '../conformance/target/in-process.ts';
import { differencesByCheck, isExample, type Observed } from '../reports/differences/check.ts';
import type { CheckFacts, Exchange } from '../schemas/facts.ts';

const runs: Observed[] = [];

async function run(seed: number, runId: string): Promise<Observed> {
  const target = openReference({ seed, runId });
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal });
  await target.close();
  return { facts, target: target.config, runId };
}

beforeAll(async () => {
  runs.push(await run(1, 'first-run'), await run(2, 'second-run'));
}, 120_000);

const texts = (ours: Observed, theirs: Observed): string[] =>
  [...differencesByCheck(ours, theirs)].flatMap(([id, list]) =>
    list.map(({ request, text }) => `${id}: ${request} ${text}`),
  );

test('two runs of one service differ in nothing, whichever is called the reference', { timeout: 60_000 }, () => {
  const [one, other] = runs;
  if (!one || !other) throw new Error('both runs were made');
  expect(texts(one, other)).toEqual([]);
  expect(texts(other, one)).toEqual([]);
});

/** A check's whole evidence, small enough to be compared a few hundred times. */
const recorded = (): CheckFacts[] =>
  (runs[0]?.facts ?? []).filter((one) => one.exchanges.length > 0 && one.exchanges.length < 12 && !isExample(one));
const single = (facts: CheckFacts): Observed => ({
  facts: [facts],
  target: runs[0]?.target ?? fail(),
  runId: 'first-run',
});
function fail(): never {
  throw new Error('the run was made');
}

/** The exchanges of a check with all answers of status 200 in JSON changed alike. */
function changed(facts: CheckFacts, change: (exchange: Exchange) => Exchange): CheckFacts {
  return { ...facts, exchanges: facts.exchanges.map((one) => (isPlain(one) ? change(one) : one)) };
}
const isPlain = ({ method, status, responseBody = '' }: Exchange): boolean =>
  method !== 'HEAD' && status === 200 && /^\{"(?:[^{}]*)\}$/.test(responseBody);

const bodyWith =
  (edit: (body: Record<string, unknown>) => unknown) =>
  (one: Exchange): Exchange => ({
    ...one,
    responseBody: JSON.stringify(edit(JSON.parse(one.responseBody ?? '{}'))),
  });

const changes: Readonly<Record<string, (exchange: Exchange) => Exchange>> = {
  'a new field': bodyWith((body) => ({ ...body, somethingNew: 1 })),
  'another status': (one) => ({ ...one, status: 203 }),
  'another type': bodyWith((body) => ({ ...body, id: 7 })),
  'a lost field': bodyWith(({ id: _, ...body }) => body),
  'a new header': (one) => ({ ...one, responseHeaders: { ...one.responseHeaders, 'retry-after': '1' } }),
  'a lost header': (one) => {
    const { 'x-request-id': _, ...responseHeaders } = one.responseHeaders ?? {};
    return { ...one, responseHeaders };
  },
};

test.each(Object.entries(changes))('%s is always reported, from both sides', { timeout: 60_000 }, (_name, change) => {
  const able = recorded().filter(({ exchanges }) =>
    exchanges.some((one) => isPlain(one) && /"id":"/.test(one.responseBody ?? '')),
  );
  expect(able.length).toBeGreaterThan(20);
  const property = fc.property(fc.constantFrom(...able), (facts) => {
    const other = changed(facts, change);
    expect(texts(single(other), single(facts))).not.toEqual([]);
    expect(texts(single(facts), single(other))).not.toEqual([]);
  });
  fc.assert(property, { numRuns: 40 });
});

/** The same JSON with the fields of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, reordered(one)]),
  );
}

const shuffled = (one: Exchange): Exchange => {
  try {
    return { ...one, responseBody: JSON.stringify(reordered(JSON.parse(one.responseBody ?? ''))) };
  } catch {
    return one;
  }
};

test('the order of fields is nothing, and of any two checks both sides see a difference or none does', {
  timeout: 60_000,
}, () => {
  const property = fc.property(fc.constantFrom(...recorded()), fc.constantFrom(...recorded()), (one, other) => {
    const turned = { ...one, exchanges: one.exchanges.map(shuffled) };
    expect(texts(single(turned), single(one))).toEqual([]);
    const renamed = { ...other, id: one.id };
    const [there, back] = [texts(single(one), single(renamed)), texts(single(renamed), single(one))];
    expect(there.length === 0).toBe(back.length === 0);
    expect(texts(single(turned), single(renamed))).toEqual(there);
  });
  fc.assert(property, { numRuns: 60 });
});
