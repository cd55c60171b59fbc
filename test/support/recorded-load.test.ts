import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordedChecks, recordedLimits } from '../../reports/differences/index.ts';
import { sampleResults } from '../../reports/testing/fixtures.ts';
import { limits } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import type { Results } from '../../schemas/results.ts';
import { RECORD, recordedLoad } from './recorded-load.ts';

/** Results as a run brings them that agrees with the record. */
function agreeing(change: (observed: string) => string = (one) => one): Results {
  const checks = loadChecks.map((one) => {
    const { verdict = 'pass', observed = '' } = recordedChecks[one.id] ?? {};
    return { ...one, verdict, expected: 'e', observed: change(observed) };
  });
  const rows = limits.flatMap((limit) => {
    const recorded = recordedLimits[limit.id];
    if (!recorded) return [];
    const { documented: value, lower, upper, algorithm } = recorded;
    const { id, kind, operations } = limit;
    const row = {
      id,
      kind,
      operations,
      documented: { value },
      measured: { lower, upper },
      verdict: 'pass' as const,
      checks: [],
    };
    return [algorithm === undefined ? row : { ...row, algorithm }];
  });
  return { ...sampleResults('passing'), checks, limits: rows };
}

const onDisk = readFileSync(RECORD, 'utf8');

test('a run that agrees with the record leaves it unchanged, with any counts', () => {
  expect(recordedLoad(agreeing())).toBe(onDisk);
  expect(recordedLoad(agreeing((one) => one.replaceAll(/\d+/g, '7')))).toBe(onDisk);
});

test('another verdict, another value, other words are another record', () => {
  const given = agreeing();
  const [check, ...others] = given.checks;
  const [limit, ...rows] = given.limits;
  if (!check || !limit) throw new Error('there are checks and limits');
  expect(recordedLoad({ ...given, checks: [{ ...check, verdict: 'fail' }, ...others] })).not.toBe(onDisk);
  expect(recordedLoad({ ...given, limits: [{ ...limit, measured: { lower: 1, upper: 1 } }, ...rows] })).not.toBe(
    onDisk,
  );
  expect(recordedLoad(agreeing((one) => `${one}, and more`))).not.toBe(onDisk);
});

test('a fingerprint that could not be taken says nothing against the recorded one', () => {
  const given = agreeing();
  const limits = given.limits.map((one) => (one.algorithm ? { ...one, algorithm: 'unknown' } : one));
  expect(recordedLoad({ ...given, limits })).toBe(onDisk);
});

test('a moment that nothing was sent at says nothing against it either', () => {
  const given = agreeing();
  const unlucky = given.checks.map((one) =>
    one.id === 'cancel.rate.retry-after'
      ? { ...one, verdict: 'observed' as const, observed: 'nothing was asked' }
      : one,
  );
  expect(recordedLoad({ ...given, checks: unlucky })).toBe(onDisk);
  const worse = given.checks.map((one) =>
    one.id === 'cancel.rate.retry-after' ? { ...one, verdict: 'warn' as const } : one,
  );
  expect(recordedLoad({ ...given, checks: worse })).not.toBe(onDisk);
});
