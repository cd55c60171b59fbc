import { expect, test } from 'vitest';
import type { ResultCheck } from '../schemas/results.ts';
import { groupFindings } from './grouped.ts';
import { check } from './testing/fixtures.ts';

const one = (id: string, level: ResultCheck['level']): ResultCheck =>
  check({ id, title: id, clauses: [], level }, { verdict: level === 'documented' ? 'fail' : 'warn' });
const idsOf = (checks: readonly ResultCheck[], ofLimit: readonly string[]) =>
  groupFindings(checks, { limits: [{ checks: ofLimit } as never] }).map(({ first, others }) =>
    [first, ...others].map(({ id }) => id),
  );

test('the same of several operations is one entry; a documented limit is one of its own', () => {
  const checks = [
    one('run.rate.refusal', 'convention'),
    one('run.rate.guarantee', 'documented'),
    one('cancel.rate.refusal', 'convention'),
    one('cancel.rate.guarantee', 'documented'),
    one('run.auth.key', 'documented'),
    one('status.auth.key', 'documented'),
    one('status.auth', 'documented'),
  ];
  expect(
    idsOf(checks, ['run.rate.refusal', 'run.rate.guarantee', 'cancel.rate.refusal', 'cancel.rate.guarantee']),
  ).toEqual([
    ['run.rate.refusal', 'cancel.rate.refusal'],
    ['cancel.rate.guarantee'],
    ['run.auth.key', 'status.auth.key'],
    ['status.auth'],
    ['run.rate.guarantee'],
  ]);
});

test('one of each family comes first', () => {
  const checks = ['a.auth.key', 'a.auth.scheme', 'a.rate.guarantee', 'b.body'].map((id) => one(id, 'documented'));
  expect(idsOf(checks, [])).toEqual([['a.auth.key'], ['a.rate.guarantee'], ['b.body'], ['a.auth.scheme']]);
});
