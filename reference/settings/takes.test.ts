import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { between, choice, keys, listOf, onOff, orElse, real, type Takes, text, whole } from './takes.ts';

const ajv = new Ajv2020({ $data: true });
const accepts = ({ schema }: Takes, value: unknown): boolean => ajv.validate(schema, value);

test('a whole number has its range and its unit in words', () => {
  expect(whole({ unit: 'ms' }).words).toBe('a whole number, 0 or more ms');
  expect(whole({ unit: 'jobs', min: 1, max: 5 }).words).toBe('a whole number, 1 to 5 jobs');
  expect(real({ max: 1 }).words).toBe('a number, 0 to 1');
});

test('words and schema agree on numbers', () => {
  const [anyNumber, wholeNumber] = [real({ min: -2, max: 2 }), whole({ min: -2, max: 2 })];
  fc.assert(
    fc.property(fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -4, max: 4 })), (value) => {
      expect(accepts(anyNumber, value)).toBe(value >= -2 && value <= 2);
      expect(accepts(wholeNumber, value)).toBe(Number.isInteger(value) && Math.abs(value) <= 2);
    }),
  );
});

test('a choice takes its values and nothing like them', () => {
  const status = choice(402, 429);
  expect([status.words, status.choices]).toEqual(['402 or 429', [402, 429]]);
  expect([402, '402', 403].map((value) => accepts(status, value))).toEqual([true, false, false]);
  expect(choice('a', 'b', 'c').words).toBe('a, b or c');
  expect(choice('a').words).toBe('a');
});

test('one more word may be accepted', () => {
  for (const other of ['off', null]) {
    const takes = orElse(whole(), other);
    expect(takes.words).toBe(`a whole number, 0 or more; or ${other}`);
    expect([3, other, -1, 'on'].map((value) => accepts(takes, value))).toEqual([true, true, false, false]);
  }
});

test('a value between two others follows them', () => {
  const schema = { type: 'object', properties: { 'a.b': between('ms', { name: 'a.min' }, 'a.max').schema } };
  const validate = ajv.compile(schema);
  expect(validate({ 'a.b': 5, 'a.min': 5, 'a.max': 5 })).toBe(true);
  expect(validate({ 'a.b': 5, 'a.min': 6, 'a.max': 9 })).toBe(false);
  expect(validate({ 'a.b': 5, 'a.min': 1, 'a.max': 4 })).toBe(false);
  expect(between('ms', { min: 1 }, 'a.max').words).toBe('a whole number, from 1 to a.max, ms');
});

test('keys are what a header can carry', () => {
  expect([['a'], [], ['a b'], ['ä'], 'a'].map((value) => accepts(keys(1), value))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(accepts(keys(0), [])).toBe(true);
});

test('a list names the properties of its entries, and wants them all', () => {
  const takes = listOf({ id: text('^[a-z]+$', 'letters'), on: onOff }, 0);
  expect(takes.words).toBe('a list of {id, on}');
  const values = [
    [{ id: 'a', on: true }],
    [],
    [{ id: 'a' }],
    [{ id: '1', on: true }],
    [{ id: 'a', on: true, more: 1 }],
  ];
  expect(values.map((value) => accepts(takes, value))).toEqual([true, true, false, false, false]);
});
