import { expect, test } from 'vitest';
import { declaredChecks } from '../../conformance/index.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import { UsageError } from '../../schemas/target.ts';
import { partsOf, select } from './selection.ts';

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
