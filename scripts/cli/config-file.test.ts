import { expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { documentOf, openConfig, targetConfig } from './config-file.ts';

const parse = (text: string, env: Record<string, string> = {}) => targetConfig(documentOf(text, 'proofload.yaml'), env);

test('reads options under their YAML names and remembers the line', () => {
  const { options } = parse('# staging\nbaseUrl: https://a.example\nonly: [run.*, cancel.*]\n');
  expect(options.get('base-url')).toEqual({ raw: 'https://a.example', source: 'proofload.yaml:2: baseUrl' });
  expect(options.get('only')?.raw).toEqual(['run.*', 'cancel.*']);
});

test('reads several endpoints', () => {
  const { endpoints } = parse('endpoints:\n  - instId: one\n    workersMax: 3\n    dedicated: true\n  - instId: 42\n');
  expect(endpoints).toEqual([{ instId: 'one', workersMax: 3, dedicated: true }, { instId: '42' }]);
});

test('takes a key as a reference to the environment', () => {
  expect(parse(`accessKey: \${STAGING_KEY}\n`, { STAGING_KEY: 'sk-1' }).secrets).toEqual({ 'access-key': 'sk-1' });
});

test('replaces references in other values too', () => {
  expect(parse(`baseUrl: https://\${HOST}/x\n`, { HOST: 'a.example' }).options.get('base-url')?.raw).toBe(
    'https://a.example/x',
  );
});

test('an empty file sets nothing', () => {
  expect(parse('').options.size).toBe(0);
  expect(parse('# nothing yet\n').options.size).toBe(0);
});

test.each([
  ['baseUrl: [a\n', 'proofload.yaml:'],
  ['a: 1\na: 2\n', 'proofload.yaml:2:'],
  ['\nbaseUrl: x\nbasUrl: y\n', "proofload.yaml:3: unknown key 'basUrl'; did you mean 'baseUrl'?"],
  ['config: other.yaml\n', "unknown key 'config'"],
  ['- a\n- b\n', 'proofload.yaml:1: expected options'],
  ['endpoints: none\n', 'proofload.yaml:1: endpoints takes a list'],
  ['endpoints: []\n', 'endpoints takes a list'],
  ['endpoints: [{workersMax: 1}]\n', 'endpoints.0 needs instId'],
  ['endpoints: [{instId: a, workersMax: -1}]\n', 'endpoints.0.workersMax takes a whole number'],
  ['endpoints: [{instId: a, dedicated: sometimes}]\n', 'endpoints.0.dedicated takes true or false'],
  ['endpoints: [{instId: a, workerMax: 1}]\n', "unknown key 'workerMax' of endpoints.0; did you mean 'workersMax'?"],
  [`accessKey: \${UNSET_KEY}\n`, 'the environment variable UNSET_KEY is not set'],
])('%j is refused: %s', (text, why) => {
  expect(() => parse(text)).toThrow(UsageError);
  expect(() => parse(text)).toThrow(why);
});

test('a key written out is refused and not repeated', () => {
  expect(() => parse('jobKey: sk-very-secret\n')).toThrow("proofload.yaml:1: jobKey: a key doesn't belong in a file");
  expect(() => parse('jobKey: sk-very-secret\n')).not.toThrow('sk-very-secret');
});

test('what serve alone reads is noticed, not read', () => {
  expect(parse('profile: gate\nreference: { limiter: token }\n').reference).toBe('proofload.yaml:2: reference');
  expect(parse('profile: gate\n').reference).toBeNull();
});

test('a missing file is named with its option', () => {
  expect(() => openConfig('no/such.yaml')).toThrow('--config no/such.yaml: no such file');
});
