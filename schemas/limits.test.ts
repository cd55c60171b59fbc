/** The tables against each other: the numbers themselves are the spec's and are repeated here once, as a proof reading. */
import { describe, expect, test } from 'vitest';
import { type Limit, limitFor, limits, limitsOf, queueBorder } from './limits.ts';
import { loadChecks } from './load-checks.ts';
import { operation, operationPath, operations } from './operations.ts';

test('the table holds the rows of the spec, proof-read', () => {
  const text = (limit: Limit) => `${limit.id} ${limit.value}${limit.kind === 'requests' ? `/${limit.windowMs}` : ''}`;
  expect(limits.map(text)).toEqual([
    'inference.concurrency 1000',
    'run.rate 1000/10000',
    'run.concurrency 200',
    'run.payload 10000000',
    'run.queue 50',
    'run.retention 1800000',
    'runsync.rate 2000/10000',
    'runsync.concurrency 400',
    'runsync.payload 20000000',
    'runsync.queue 50',
    'runsync.retention 60000',
    'status.rate 2000/10000',
    'status.concurrency 400',
    'cancel.rate 100/10000',
    'cancel.concurrency 20',
    'purge-queue.rate 2/10000',
    'requests.rate 10/10000',
    'requests.concurrency 2',
  ]);
});

test('ids are unique and say what they limit', () => {
  expect(new Set(limits.map((limit) => limit.id)).size).toBe(limits.length);
  for (const limit of limits) expect(limit.id.startsWith(`${limit.budget}.`)).toBe(true);
});

test('an operation is in the rows of its own budget, and health is in none', () => {
  for (const limit of limits) {
    for (const id of limit.operations) expect(operation(id).budget, `${id} in ${limit.id}`).toBe(limit.budget);
  }
  expect(operation('health').budget).toBeNull();
});

describe('the queue rule as a truth table', () => {
  const [limit] = limitsOf('queue');
  test.each([
    [0, 50],
    [1, 500],
    [2, 1000],
    [5, 2500],
  ])('WorkersMax %i: nothing is refused up to %i queued', (workersMax, border) => {
    expect(limit && queueBorder(limit, workersMax)).toBe(border);
  });
});

test('a budget without a row has no limit of that kind', () => {
  expect(limitFor('concurrent-requests', 'purge-queue')).toBeUndefined();
  expect(limitFor('requests', 'inference')).toBeUndefined();
});

test('every limit but retention has a guarantee and an enforcement to check', () => {
  for (const limit of limits.filter((one) => one.kind !== 'retention')) {
    const ids = loadChecks.filter((check) => check.limitId === limit.id).map((check) => check.id);
    expect(ids).toEqual(expect.arrayContaining([`${limit.id}.guarantee`, `${limit.id}.enforced`]));
  }
});

test('paths are filled in percent-encoded', () => {
  expect(operationPath('status', { instId: 'a/b', jobId: 'c d' })).toBe('/api/v1/sl/a%2Fb/status/c%20d');
  expect(operations).toHaveLength(12);
  expect(() => operation('nonsense' as 'run')).toThrow(/nonsense/);
});
