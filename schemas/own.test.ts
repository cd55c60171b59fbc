import { expect, test } from 'vitest';
import {
  documentedTable,
  highestRate,
  isAdded,
  isOwn,
  type Limit,
  limitTable,
  OWN_SECTION,
  tableOf,
} from './limits.ts';
import { loadChecksOf } from './load-checks.ts';
import { filledPath, operation, operations } from './operations.ts';
import { isAboutJob, isOwnName, type OwnOperation, operationIn } from './own.ts';

const name = 'export';
if (!isOwnName(name)) throw new Error('a good name is refused');
const own: OwnOperation = {
  id: name,
  interface: 'jobs',
  methods: ['POST'],
  path: '/x/{inst_id}/{job_id}',
  budget: name,
};
const row: Limit = {
  id: 'export.rate',
  kind: 'requests',
  budget: name,
  operations: [name],
  value: 5000,
  windowMs: 60_000,
  section: OWN_SECTION,
};

test('a name is free when neither an operation nor a budget of the spec has it', () => {
  for (const { id, budget } of operations) expect([isOwnName(id), isOwnName(budget ?? id)]).toEqual([false, false]);
  for (const bad of ['', 'Export', '-x', 'x-', 'a.b', 'a b', '9', 'é']) expect(isOwnName(bad), bad).toBe(false);
  for (const good of ['export', 'x9', 'bulk-export']) expect(isOwnName(good), good).toBe(true);
});

test('an operation is found wherever it comes from, and nowhere else', () => {
  for (const { id } of operations) expect(operationIn(undefined, id).id).toBe(id);
  expect(operationIn([own], name)).toBe(own);
  const gets = { ...operation('status'), methods: ['GET'] } as const;
  expect(operationIn([own, gets], 'status')).toBe(gets);
  expect(() => operationIn([], name)).toThrow("no operation 'export'");
  expect(filledPath(operationIn([own], name), { instId: 'a/b', jobId: 'j' })).toBe('/x/a%2Fb/j');
});

test('those about a job are recognised by their path', () => {
  expect(operations.filter(isAboutJob).map(({ id }) => id)).toEqual(['status', 'status-sync', 'stream', 'cancel']);
  expect(isAboutJob(own)).toBe(true);
});

test('a row with an id of its own is added, one with an id of the spec stands in its place', () => {
  const [first] = documentedTable.of('requests');
  if (!first) throw new Error('the spec has rate limits');
  const replaced: Limit = { ...first, value: 7, section: OWN_SECTION };
  const table = tableOf({ operations: [own], limits: [row, replaced] });
  expect(table.rows.map(({ id }) => id)).toEqual([...documentedTable.rows.map(({ id }) => id), 'export.rate']);
  expect(table.find('requests', first.budget)?.value).toBe(7);
  expect(table.operation(name)).toBe(own);
  expect(table.rows.filter(isOwn)).toEqual([replaced, row]);
  expect(table.rows.filter(isAdded)).toEqual([row]);
  expect(tableOf({})).toBe(documentedTable);
});

test("the configuration's rows have no checks that only the spec promises", () => {
  const checks = loadChecksOf(tableOf({ operations: [own], limits: [row] })).filter(
    ({ limitId }) => limitId === row.id,
  );
  const aspects = ['guarantee', 'enforced', 'refusal', 'retry-after', 'fields', 'served'];
  expect(checks.map(({ id }) => id)).toEqual(aspects.map((aspect) => `export.rate.${aspect}`));
  expect(checks.map(({ clauses }) => clauses)).toEqual(aspects.map(() => []));
  for (const { title } of checks) expect(title).not.toContain('documented');
});

test('the highest rate is the one of the most requests in a time, for any window and with added rows', () => {
  expect(highestRate(limitTable([row], [own]))).toBeUndefined();
  const highest = highestRate(documentedTable);
  const [other] = documentedTable.of('requests').filter((one) => one.id !== highest?.id);
  if (!highest || !other) throw new Error('the spec has several rate limits');
  const slow: Limit = { ...other, value: highest.value + 1, windowMs: highest.windowMs * 2, section: OWN_SECTION };
  expect(highestRate(tableOf({ limits: [slow] }))?.id).toBe(highest.id);
  expect(highestRate(tableOf({ operations: [own], limits: [row] }))).toEqual(highest);
});
