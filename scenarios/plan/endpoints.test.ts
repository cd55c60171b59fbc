import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedTable, queueBorder } from '../../schemas/limits.ts';
import { speedOf } from './assumptions.ts';
import { borderOf, byFitness, queueRule, workersForQueue } from './endpoints.ts';
import { anyTarget, endpoint, targetWith } from './testing/targets.ts';

const speed = speedOf(null);
const table = documentedTable;
const order = (...endpoints: Parameters<typeof targetWith>[0]) =>
  byFitness(targetWith(endpoints), speed).map(({ instId }) => instId);

test('a dedicated endpoint comes before a larger one with other users', () => {
  expect(order(endpoint('shared', 9, false), endpoint('own', 1))).toEqual(['own', 'shared']);
});

test('an endpoint without workers comes last: its jobs never finish', () => {
  expect(order(endpoint('none', 0), endpoint('shared', 1, false))).toEqual(['shared', 'none']);
});

test('more workers come first; configured order decides between equals', () => {
  expect(order(endpoint('a', 1), endpoint('b', 3), endpoint('c', null), endpoint('d', 1))).toEqual([
    'b',
    'a',
    'c',
    'd',
  ]);
});

test('sorting loses none', () => {
  fc.assert(
    fc.property(anyTarget, (target) => {
      expect([...byFitness(target, speed)].sort(byId)).toEqual([...target.endpoints].sort(byId));
    }),
  );
});

const byId = (a: { instId: string }, b: { instId: string }) => a.instId.localeCompare(b.instId);

test('the border of an endpoint follows from the rule and its workers', () => {
  expect(borderOf(endpoint('a', 2), { speed, table })).toBe(queueBorder(queueRule(table), 2));
  expect(borderOf(endpoint('a', null), { speed, table })).toBe(queueBorder(queueRule(table), 1));
});

test('the smallest WorkersMax for a number of jobs is enough, and one less is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (jobs) => {
      const workers = workersForQueue(jobs, table);
      expect(queueBorder(queueRule(table), workers)).toBeGreaterThanOrEqual(jobs);
      if (workers > 0) expect(queueBorder(queueRule(table), workers - 1)).toBeLessThan(jobs);
    }),
  );
});
