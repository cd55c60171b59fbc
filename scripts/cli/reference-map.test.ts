import { expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { documentOf, openConfig } from './config-file.ts';
import { referenceSettings } from './reference-settings.ts';

const parse = (text: string, env: Record<string, string> = {}) =>
  referenceSettings(documentOf(text, 'proofload.yaml'), env);
const values = (text: string, env: Record<string, string> = {}) =>
  Object.fromEntries([...parse(text, env)].map(([name, { raw }]) => [name, raw]));

test('names may be nested, dotted, or both', () => {
  const expected = { 'limits.run.rate': 5, 'limits.run.queue': 'off', 'ttl.max': 900, limiter: 'token' };
  const ways = [
    'limiter: token\n  limits.run.rate: 5\n  limits.run.queue: off\n  ttl.max: 900\n',
    'limiter: token\n  limits: { run.rate: 5, run.queue: off }\n  ttl: { max: 900 }\n',
    'limiter: token\n  limits:\n    run: { rate: 5, queue: off }\n  ttl:\n    max: 900\n',
  ];
  for (const way of ways) expect(values(`reference:\n  ${way}`)).toEqual(expected);
});

test('remembers where each setting stands', () => {
  const found = parse('# mine\nreference:\n  limits:\n    run.rate: 5\n');
  expect(found.get('limits.run.rate')).toEqual({ raw: 5, source: 'proofload.yaml:4: limits.run.rate' });
});

test('a list is one value', () => {
  const instances = [{ instId: 'a', workersMax: 2 }];
  expect(values('reference:\n  instances:\n    - { instId: a, workersMax: 2 }\n')).toEqual({ instances });
});

test('keys come from the environment, one or several', () => {
  const env = { ONE: 'sk-1', TWO: 'sk-2' };
  expect(values(`reference: { accessKeys: ["\${ONE}", "\${TWO}"], jobKeys: "\${TWO}" }`, env)).toEqual({
    accessKeys: ['sk-1', 'sk-2'],
    jobKeys: ['sk-2'],
  });
});

test('other values may come from there too, and are numbers or switches if they have their form', () => {
  const text = `reference: { latencyMs: "\${LATENCY}", limiter: "\${KIND}", control: "\${SWITCH}" }`;
  expect(values(text, { LATENCY: '25', KIND: 'token', SWITCH: 'true' })).toEqual({
    latencyMs: 25,
    limiter: 'token',
    control: true,
  });
});

test('keys of other commands are known, and ignored', () => {
  expect(values(`baseUrl: \${UNSET}\naccessKey: \${UNSET}\nendpoints: none\nreference:\n`)).toEqual({});
  expect(values('')).toEqual({});
});

test.each([
  ['limiter: token\n', "proofload.yaml:1: unknown key 'limiter'"],
  ['refrence: {}\n', "unknown key 'refrence'; did you mean 'reference'?"],
  ['reference: token\n', 'proofload.yaml:1: reference takes settings'],
  ['reference:\n  limter: token\n', "proofload.yaml:2: unknown setting 'limter'; did you mean 'limiter'?"],
  ['reference:\n  limits:\n    run.rat: 5\n', "proofload.yaml:3: unknown setting 'limits.run.rat'; did you mean"],
  ['reference:\n  limits: off\n', 'proofload.yaml:2: limits takes settings of its own, such as limits.'],
  ['reference:\n  ttl.max: 5\n  ttl: { max: 6 }\n', 'proofload.yaml:3: ttl.max is set a second time'],
  ['reference:\n  rules: {}\n', "unknown setting 'rules'"],
  [`reference:\n  latencyMs: \${UNSET}\n`, 'the environment variable UNSET is not set'],
])('%j is refused: %s', (text, why) => {
  expect(() => parse(text)).toThrow(UsageError);
  expect(() => parse(text)).toThrow(why);
});

test('a key written out is refused and not repeated', () => {
  for (const written of [
    'sk-very-secret',
    '[sk-very-secret]',
    `["\${ONE}", sk-very-secret]`,
    '{ a: sk-very-secret }',
  ]) {
    const text = `reference:\n  accessKeys: ${written}\n`;
    expect(() => parse(text, { ONE: 'sk-1' })).toThrow("proofload.yaml:2: accessKeys: a key doesn't belong in a file");
    expect(() => parse(text, { ONE: 'sk-1' })).not.toThrow('sk-very-secret');
  }
});

test('a missing file is named with its option', () => {
  expect(() => referenceSettings(openConfig('no/such.yaml'), {})).toThrow('--config no/such.yaml: no such file');
});
