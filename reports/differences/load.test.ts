import { expect, test } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import type { ResultLimit } from '../../schemas/results.ts';
import { check } from '../testing/fixtures.ts';
import { loadDifferences, recordedAnswer, recordedLimits } from './index.ts';

const row = (id: string, changes: Partial<ResultLimit> = {}): ResultLimit => {
  const limit = limits.find((one) => one.id === id);
  const recorded = recordedLimits[id];
  if (!limit || !recorded) throw new Error(`no limit ${id}`);
  return {
    id,
    kind: limit.kind,
    operations: limit.operations,
    documented: { value: recorded.documented },
    measured: { lower: recorded.lower, upper: recorded.upper },
    verdict: 'pass',
    checks: [`${id}.guarantee`, `${id}.enforced`],
    ...changes,
  };
};
const reported = (limit: ResultLimit, enforced: 'pass' | 'fail' = 'pass') => {
  const [a = '', b = ''] = limit.checks;
  const declared = { title: 't', clauses: [], level: 'documented' } as const;
  const checks = [check({ ...declared, id: a }), check({ ...declared, id: b }, { verdict: enforced })];
  return [...loadDifferences(checks, [limit])].map(([id, list]) => [id, ...list.map(({ text }) => text)]);
};

test('every load check and every measured limit is recorded', () => {
  for (const { id } of loadChecks) expect(recordedAnswer(id), id).toBeDefined();
  const measured = limits.filter(({ kind }) => kind !== 'retention').map(({ id }) => id);
  expect(Object.keys(recordedLimits).sort()).toEqual(measured.sort());
  expect(recordedAnswer('run.no-such-check')).toBeUndefined();
  expect(recordedAnswer('constructor')).toBeUndefined();
});

test('a measurement that differs from the record is reported, at the worst check', () => {
  const { lower = 0 } = recordedLimits['run.concurrency'] ?? {};
  const limit = row('run.concurrency', { measured: { lower: 2 * lower, upper: null } });
  expect(reported(limit, 'fail')).toEqual([
    ['run.concurrency.enforced', expect.stringMatching(/^measured no bound found.*, the reference /)],
  ]);
  expect(reported(limit)[0]?.[0]).toBe('run.concurrency.guarantee');
});

test('intervals that meet, limits that were not measured and borders of other endpoints are nothing', () => {
  const { lower = 0 } = recordedLimits['run.concurrency'] ?? {};
  expect(reported(row('run.concurrency'))).toEqual([]);
  expect(reported(row('run.concurrency', { measured: { lower: lower - 1, upper: lower + 1 } }))).toEqual([]);
  expect(reported(row('run.concurrency', { measured: null }))).toEqual([]);
  expect(reported(row('run.queue', { documented: { value: 7 }, measured: { lower: 7, upper: 7 } }))).toEqual([]);
});

test('another algorithm is reported, one that could not be distinguished is not', () => {
  expect(reported(row('run.rate', { algorithm: 'token-bucket' }))[0]?.[1]).toMatch(
    /^limits as `token-bucket`, the reference as `/,
  );
  expect(reported(row('run.rate', { algorithm: 'unknown' }))).toEqual([]);
});
