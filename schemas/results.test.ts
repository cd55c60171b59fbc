import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { stored } from '../reports/stored.ts';
import { sampleResults } from '../reports/testing/fixtures.ts';
import { resultsSchema } from './results.ts';
import { verdicts } from './verdicts.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(resultsSchema);

type Path = readonly (string | number)[];

/** Every property of a value that is an object, with the schema's opinion on whether it must be there. */
function requiredPaths(schema: unknown, value: unknown, at: Path = []): Path[] {
  if (typeof schema !== 'object' || schema === null || typeof value !== 'object' || value === null) return [];
  if ('items' in schema && Array.isArray(value)) return requiredPaths(schema.items, value[0], [...at, 0]);
  if (!('properties' in schema) || typeof schema.properties !== 'object' || schema.properties === null) return [];
  const required = 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  return [
    ...required.map((name) => [...at, name]),
    ...Object.entries(schema.properties).flatMap(([name, inner]) => {
      const next: unknown = Reflect.get(value, name);
      return requiredPaths(inner, next, [...at, name]);
    }),
  ];
}

function without(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined || typeof value !== 'object' || value === null) return value;
  const copy: unknown = Array.isArray(value) ? [...value] : { ...value };
  if (typeof copy !== 'object' || copy === null) return copy;
  if (rest.length === 0) Reflect.deleteProperty(copy, first);
  else Reflect.set(copy, first, without(Reflect.get(copy, first), rest));
  return copy;
}

test.each(['passing', 'failing', 'inconclusive', 'interrupted', 'hostile'] as const)('%s results are valid', (kind) => {
  expect([validate(stored(sampleResults(kind))), validate.errors]).toEqual([true, null]);
});

const paths = requiredPaths(resultsSchema, stored(sampleResults('failing')));

test('the walk finds the required fields at every depth', () => {
  expect(paths.map((path) => path.join('.'))).toEqual(
    expect.arrayContaining([
      'verdict',
      'run.floorMs',
      'counts.emitted',
      'checks.0.observed',
      'limits.0.documented.value',
    ]),
  );
});

test.each(paths.map((path) => path.join('.')))('results without %s are not valid', (path) => {
  expect(validate(without(stored(sampleResults('failing')), path.split('.')))).toBe(false);
});

test.each([
  ['a verdict word of no meaning', { verdict: 'green' }],
  ['another schema version', { schemaVersion: 1 }],
  ['an exit code of no meaning', { exitCode: 7 }],
])('%s is not valid', (_, change) => {
  expect(validate({ ...stored(sampleResults('passing')), ...change })).toBe(false);
});

test('fields of a later version are no break, and every verdict is allowed', () => {
  const results = stored(sampleResults('passing'));
  expect(validate({ ...results, later: 1 })).toBe(true);
  const [first] = results.checks;
  expect(validate({ ...results, checks: verdicts.map((verdict) => ({ ...first, verdict })) })).toBe(true);
});

test('a second address of ours is a text, and may be absent', () => {
  const results = stored(sampleResults('passing'));
  const having = (otherAddress: unknown) => validate({ ...results, target: { ...results.target, otherAddress } });
  expect(having('10.0.0.2')).toBe(true);
  expect(having(2)).toBe(false);
});
