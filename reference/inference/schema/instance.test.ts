/** Values made from schemas: examples, and random schemas whose values another library judges. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceOf, instanceText } from './instance.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

function fitting(schema: object): unknown {
  const value = instanceOf(schema);
  const valid = ajv.compile(schema);
  expect(valid(value), `${JSON.stringify(schema)} got ${JSON.stringify(value)}: ${ajv.errorsText(valid.errors)}`).toBe(
    true,
  );
  return value;
}

test('an instance of a schema has what the schema requires', () => {
  const properties = {
    city: { type: 'string', minLength: 3 },
    days: { type: 'integer', minimum: 2 },
    unit: { enum: ['C', 'F'] },
    tags: { type: 'array', minItems: 2, items: { type: 'boolean' } },
    kind: { const: 'weather' },
    more: { type: ['object', 'null'], properties: {} },
    either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    none: { type: 'null' },
  };
  const value = fitting({ type: 'object', properties });
  expect(Object.keys(value ?? {}).sort()).toEqual(Object.keys(properties).sort());
  fitting({ properties: { a: { type: 'string' } } });
});

test('references are followed, into themselves only as far as there is an end', () => {
  const list = {
    $defs: {
      node: {
        type: 'object',
        properties: { value: { type: 'integer' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
        required: ['value', 'next'],
      },
      'a/b': { type: 'string', maxLength: 4 },
    },
    type: 'object',
    properties: { list: { $ref: '#/$defs/node' }, name: { $ref: '#/$defs/a~1b', minLength: 2 } },
    required: ['list', 'name'],
  };
  fitting(list);
  fitting({ type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } }, minProperties: 1 });
  const base = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  const twice = { $defs: { base }, allOf: [{ $ref: '#/$defs/base' }, { $ref: '#/$defs/base' }] };
  fitting(twice);
  fitting({ ...twice, properties: { other: { $ref: '#/$defs/base' } }, required: ['other'] });
});

test('what nothing can be built from is null', () => {
  for (const schema of [undefined, false, { $ref: '#/$defs/none' }, { type: 'nothing', not: {} }])
    expect(instanceOf(schema)).toBeNull();
});

test.for<[string, object]>([
  [
    'what all of several ask for',
    {
      allOf: [
        { type: 'integer', minimum: 3 },
        { type: 'number', multipleOf: 4 },
      ],
    },
  ],
  [
    'properties of all',
    { allOf: [{ properties: { a: { minimum: 2 } } }, { properties: { a: { type: 'number' }, b: { type: 'null' } } }] },
  ],
  ['alternatives twice', { allOf: [{ anyOf: [{ minimum: 5 }] }, { anyOf: [{ type: 'integer' }] }] }],
  ['one of several, by a condition', { anyOf: [{ const: 1 }, { const: 3 }], if: { const: 1 }, else: { const: 3 } }],
  ['what enumerations have in common', { allOf: [{ enum: [1, 'a', 'b'] }, { enum: ['b', 'a'] }], type: 'string' }],
  ['alternatives beside the rest', { type: 'string', anyOf: [{ type: 'number' }, { minLength: 2 }] }],
  ['exactly one of several', { oneOf: [{ type: 'integer' }, { type: 'number' }, { type: 'string' }] }],
  ['room between two bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }],
  ['items that differ', { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'integer', maximum: 1 } }],
  ['items by place', { type: 'array', prefixItems: [{ const: 1 }, { type: 'string' }], items: false }],
  ['more properties than are named', { type: 'object', minProperties: 2, additionalProperties: { const: 1 } }],
  ['a required property without a schema', { type: 'object', required: ['a'] }],
  ['what is forbidden', { anyOf: [{ type: 'integer' }, { type: 'string' }], not: { type: 'integer' } }],
  ['no text at all', { type: 'string', maxLength: 0 }],
])('%s', ([, schema]) => {
  fitting(schema);
});

test('a value for each format is valid, as often as it is needed', () => {
  const names = 'date-time date time duration email hostname ipv4 ipv6 uri uri-reference uuid json-pointer regex';
  for (const format of names.split(' ')) {
    fitting({ type: 'array', items: { type: 'string', format }, minItems: 20, uniqueItems: true });
  }
});

test.for([
  '^[A-Z]{2}-\\d{4}$',
  '^(GET|POST) /',
  '^\\+?[1-9][0-9]{6,14}$',
  '^#(?:[0-9a-f]{3}){1,2}$',
  '[^a-z]',
  '^\\w+@\\w+\\.com$',
  '^[^\\]]+\\]$',
  '^.{3,5}$',
  '^(?<year>\\d+)(-x)*?$',
  '',
])('a text of the pattern %s', (pattern) => {
  fitting({ type: 'string', pattern });
});

test('the text of a schema is kept, for many schemas and not for all', () => {
  for (let round = 0; round < 500; round += 1) expect(instanceText({ const: round })).toBe(String(round));
  expect(instanceText({ const: 1 })).toBe('1');
  expect(instanceText(undefined)).toBe('null');
});

test('a value that has a toString of its own is given as it is', () => {
  expect(instanceOf({ type: 'array', items: { const: { toString: 0 } }, minItems: 1, maxItems: 1 })).toEqual([
    { toString: 0 },
  ]);
});

/** ajv can't compare values whose methods are none. */
const anyJson = fc.jsonValue({ maxDepth: 1 }).filter((value) => !/"(toString|valueOf)":/.test(JSON.stringify(value)));

/** Schemas that something fits, of the everyday keywords. */
const { schema: anySchema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => {
  const bounds = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat(20));
  const texts = fc.tuple(fc.nat(5), fc.nat(5));
  const leaf = fc.oneof(
    bounds.map(([minimum, more]) => ({ type: 'integer', minimum, maximum: minimum + more })),
    bounds.map(([above, more]) => ({ type: 'number', exclusiveMinimum: above, exclusiveMaximum: above + more + 1 })),
    fc.tuple(bounds, fc.integer({ min: 1, max: 9 })).map(([[minimum], multipleOf]) => ({
      type: 'number',
      minimum,
      multipleOf,
    })),
    texts.map(([minLength, more]) => ({ type: 'string', minLength, maxLength: minLength + more })),
    fc.constantFrom('date-time', 'email', 'uuid', 'uri', 'ipv4').map((format) => ({ type: 'string', format })),
    fc.constantFrom('^[a-f0-9]{8}$', '^(yes|no)$', '^\\d+(\\.\\d+)?$').map((pattern) => ({ type: 'string', pattern })),
    fc.constantFrom({ type: 'boolean' }, { type: 'null' }, {}, { $ref: '#/$defs/leaf' }),
    fc.array(anyJson, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
    anyJson.map((value) => ({ const: value })),
  );
  const names = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('schema'), { noNullPrototype: true });
  const node = fc.oneof(
    fc.tuple(names, fc.boolean()).map(([properties, strict]) => {
      return { type: 'object', properties, required: Object.keys(properties), additionalProperties: !strict };
    }),
    names.map((properties) => ({ type: ['object', 'null'], properties })),
    fc.tuple(tie('schema'), fc.nat(3)).map(([items, minItems]) => ({ type: 'array', items, minItems })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.tuple(names, tie('schema')).map(([properties, more]) => {
      return { allOf: [{ type: 'object', properties }, { properties: { e: more } }, { required: ['e'] }] };
    }),
    tie('schema').map((inner) => ({ oneOf: [{ type: 'object', properties: { inner } }, { type: 'string' }] })),
  );
  return { schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, node) };
});

test('a value for any everyday keywords is made', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      const whole = { $defs: { leaf: { type: 'integer', minimum: 2 } }, allOf: [schema] };
      fitting(whole);
      ajv.removeSchema(whole);
    }),
    { numRuns: 80 },
  );
});
