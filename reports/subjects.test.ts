import { expect, test } from 'vitest';
import { subjectsOf } from './subjects.ts';
import { check } from './testing/fixtures.ts';

const named = (id: string) => check({ id, title: id, clauses: [], level: 'documented' });

test('groups follow the operations table, then first appearance', () => {
  const groups = subjectsOf(['zeta.a', 'run.b', 'inference.c', 'models.d', 'run.e'].map(named));
  expect(groups.map((group) => group.subject)).toEqual(['models', 'run', 'zeta', 'inference']);
  expect(groups.find((group) => group.subject === 'run')?.checks.map((one) => one.id)).toEqual(['run.b', 'run.e']);
});

test('a subject knows its operation, if it is one', () => {
  const [run, other] = subjectsOf([named('run.a'), named('inference.a')]);
  expect(run?.operation?.path).toContain('/run');
  expect(other?.operation).toBeUndefined();
});

test('status-sync is not status', () => {
  expect(subjectsOf([named('status-sync.a'), named('status.a')]).map((group) => group.subject)).toEqual([
    'status',
    'status-sync',
  ]);
});
