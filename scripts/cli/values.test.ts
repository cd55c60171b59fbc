import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import type { OptionSpec, OptionType } from './options.ts';
import { parseValue } from './values.ts';

const spec = (type: OptionType, choices?: readonly string[]): OptionSpec => ({
  name: 'thing',
  type,
  describe: '',
  commands: ['verify'],
  ...(choices ? { choices } : {}),
});
const parse = (type: OptionType, raw: unknown) => parseValue(spec(type), { raw, source: 'PROOFLOAD_THING' });

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ['https://example.com/tenant/a//', 'https://example.com/tenant/a'],
])('the base address %s', (given, expected) => {
  expect(parse('url', given)).toBe(expected);
});

test.each([
  ['not a url', 'not a URL'],
  ['api.example.com', 'not a URL'],
  ['ftp://example.com', 'http or https'],
  ['https://user:hunter2@example.com', 'must not carry'],
  ['https://example.com/v1', 'leave it off'],
  ['https://example.com/api/v1/sl/', 'leave it off'],
  ['https://example.com/?key=1', "without '?'"],
  ['', 'needs an http or https URL'],
])('the address %s is refused: %s', (given, why) => {
  expect(() => parse('url', given)).toThrow(UsageError);
  expect(() => parse('url', given)).toThrow(why);
  expect(() => parse('url', given)).toThrow('PROOFLOAD_THING');
  expect(() => parse('url', given)).not.toThrow('hunter2');
});

test.each([
  ['true', true],
  ['YES', true],
  ['1', true],
  [true, true],
  ['off', false],
  ['0', false],
])('the switch %s is %s', (given, expected) => {
  expect(parse('boolean', given)).toBe(expected);
});

test('a switch that is neither is refused', () => {
  expect(() => parse('boolean', 'maybe')).toThrow("PROOFLOAD_THING takes true or false, not 'maybe'");
});

test.each(['-1', '1.5', 'three', '1e3', ''])('the count %s is refused', (given) => {
  expect(() => parse('count', given)).toThrow(UsageError);
});

test('counts read back as the number they are', () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_999_999 }), (n) => parse('count', String(n)) === n && parse('count', n) === n),
  );
});

test('a choice names what there is, and what was meant', () => {
  const profile = spec('choice', ['smoke', 'gate', 'nightly']);
  expect(parseValue(profile, { raw: 'gate', source: '--profile' })).toBe('gate');
  expect(() => parseValue(profile, { raw: 'gtae', source: '--profile' })).toThrow(
    "--profile takes smoke, gate, nightly; not 'gtae'; did you mean 'gate'?",
  );
});

test('lists come from commas, from repetition and from YAML alike', () => {
  for (const raw of ['a, b', ['a', 'b'], ['a,b']]) expect(parse('strings', raw)).toEqual(['a', 'b']);
});

test('values with commas in them come from repetition and from lines', () => {
  for (const raw of ['a=[1, 2]\nb=3\n', ['a=[1, 2]', 'b=3']]) expect(parse('lines', raw)).toEqual(['a=[1, 2]', 'b=3']);
  expect(() => parse('lines', ' \n')).toThrow('PROOFLOAD_THING needs a value');
});

test('a comma within the braces of a glob separates nothing', () => {
  expect(parse('strings', 'run.{rate,queue}.*,cancel.*')).toEqual(['run.{rate,queue}.*', 'cancel.*']);
});

test.each(['', 'a,,b', ','])('a list with a hole, %j, is refused', (raw) => {
  expect(() => parse('strings', raw)).toThrow('PROOFLOAD_THING needs a value');
});

test('a single value given twice is refused', () => {
  expect(() => parse('string', ['a', 'b'])).toThrow('more than once');
});

test.each([null, {}, undefined])('the YAML value %j for a text is refused', (raw) => {
  expect(() => parse('string', raw)).toThrow('PROOFLOAD_THING needs a value');
});
