import { expect, test } from 'vitest';
import { declaredChecks } from '../../conformance/index.ts';
import type { Goal } from '../../schemas/goals.ts';
import { tableOf } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import { type TargetConfig, UsageError } from '../../schemas/target.ts';
import type { Settings } from '../cli/settings.ts';
import { referenceTarget } from './reference-process.ts';
import { includesDocumented, partsOf, select } from './selection.ts';

test('without patterns a run does all its parts', () => {
  expect(select(partsOf.verify, [])).toEqual({ conformance: true, load: true });
  expect(select(partsOf.conformance, [])).toEqual({ conformance: true, load: false });
  expect(select(partsOf.load, [])).toEqual({ conformance: false, load: true });
});

test('a part of which nothing is selected is left out', () => {
  const contract = declaredChecks()[0]?.id ?? '';
  const load = loadChecks[0]?.id ?? '';
  expect(select(partsOf.verify, [contract])).toEqual({ conformance: true, load: false });
  expect(select(partsOf.verify, [load])).toEqual({ conformance: false, load: true });
  expect(select(partsOf.verify, [contract, load])).toEqual({ conformance: true, load: true });
});

test('every pattern has to match something', () => {
  expect(() => select(partsOf.verify, ['run.*', 'nothing.*'])).toThrow(UsageError);
  expect(() => select(partsOf.verify, ['run.*', 'nothing.*'])).toThrow("--only 'nothing.*' matches no check");
});

test('what a command never does cannot be selected for it', () => {
  expect(() => select(partsOf.conformance, ['run.rate.*'])).toThrow('matches no check');
  expect(() => select(partsOf.load, [declaredChecks()[0]?.id ?? ''])).toThrow('matches no check');
});

test.each([
  ['run.rate', "did you mean 'run.rate.*'?"],
  ['run.rates.guarantee', "did you mean 'run.rate.guarantee'?"],
])('%s gets help: %s', (pattern, hint) => {
  expect(() => select(partsOf.verify, [pattern])).toThrow(hint);
});

test('no check id is used twice', () => {
  const ids = [...declaredChecks(), ...loadChecks].map((check) => check.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each([
  ['verify', ['export.*'], [], false],
  ['load', ['export.rate.*', 'goal.export.p99'], [], false],
  ['load', ['export.*', 'run.rate.guarantee'], [], true],
  ['load', [], [], true],
  ['load', ['goal.*'], [{ operation: 'run', measure: 'latency', percentile: 'p99', ms: 5 }], true],
] as const)('%s of %j includes documented checks only where that is meant', (command, only, more, expected) => {
  const operations = [{ id: 'export', methods: ['POST'], path: '/export', interface: 'jobs', body: {} }] as const;
  const limits = [
    { id: 'export.rate', kind: 'requests', operations: ['export'], value: 20, windowMs: 1000, budget: 'export' },
  ] as const;
  const target = { ...referenceTarget(null), operations, limits } as unknown as TargetConfig;
  const goals = [{ operation: 'export', measure: 'latency', percentile: 'p99', ms: 5 }, ...more] as unknown as Goal[];
  const settings = { only, goals, target } as unknown as Settings;
  expect(includesDocumented(select(partsOf[command], only, goals, tableOf(target)), settings)).toBe(expected);
});
