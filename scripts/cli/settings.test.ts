import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import type { OptionName } from './options.ts';
import { readSettings, readValues, requireKeys } from './settings.ts';
import type { Sourced } from './values.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'proofload-settings-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function flags(values: Partial<Record<OptionName, unknown>>): Map<OptionName, Sourced> {
  const entries = Object.entries(values) as [OptionName, unknown][];
  return new Map(entries.map(([name, raw]) => [name, { raw, source: `--${name}` }]));
}

function yaml(text: string): string {
  const path = join(directory, 'proofload.yaml');
  writeFileSync(path, text);
  return path;
}

const remote = { 'job-base-url': 'http://b', 'inst-id': 'one' } as const;

test('the reference by its name, or at a terminal by itself', () => {
  const reference = { target: null, profile: 'gate', only: [] };
  expect(readSettings('verify', flags({ reference: true }), {})).toMatchObject(reference);
  expect(readSettings('verify', flags({}), {}, true)).toMatchObject(reference);
  expect(() => readSettings('verify', flags({}), {})).toThrow('no target');
  expect(() => readSettings('verify', flags({ 'base-url': 'http://a', reference: true }), {})).toThrow('leave it off');
});

test('a flag wins over the environment, and the environment over YAML', () => {
  const config = yaml('profile: smoke\nmodel: from/yaml\nbaseUrl: http://yaml\n');
  const env = { PROOFLOAD_MODEL: 'from/env', PROOFLOAD_PROFILE: 'nightly' };
  const settings = readSettings('verify', flags({ config, profile: 'gate' }), env);
  expect(settings.profile).toBe('gate');
  expect(settings.target).toEqual({
    kind: 'remote',
    baseUrl: 'http://yaml',
    jobBaseUrl: null,
    endpoints: [],
    model: 'from/env',
  });
});

test.each([
  [{ PROOFLOAD_BASE_URL: '' }, 'PROOFLOAD_BASE_URL is set but empty'],
  [{ PROOFLOAD_ACCESS_KEY: ' ' }, 'PROOFLOAD_ACCESS_KEY is set but empty'],
  [{ PROOFLOAD_BASE_ULR: 'http://a' }, "did you mean 'PROOFLOAD_BASE_URL'?"],
  [{ PROOFLOAD_STAGING: 'http://a' }, 'unknown variable PROOFLOAD_STAGING'],
])('%o is a mistake', (env: Record<string, string>, why) => {
  expect(() => readSettings('verify', flags({ 'base-url': 'http://a' }), env)).toThrow(why);
  expect(() => readValues('serve', flags({}), env)).toThrow(why);
});

test('what other options take their values from is no mistake', () => {
  const env = { PROOFLOAD_PORT: '8080', PROOFLOAD_DEBUG: '1', PATH: '', PROOFLOAD: '' };
  expect(readSettings('verify', flags({ reference: true }), env).target).toBeNull();
});

test('the configuration file may be named by the environment', () => {
  const config = yaml('baseUrl: http://yaml\n');
  expect(readSettings('verify', flags({}), { PROOFLOAD_CONFIG: config }).target?.baseUrl).toBe('http://yaml');
});

test('several instances share the other flags', () => {
  const { target } = readSettings('verify', flags({ ...remote, 'inst-id': ['one', 'two'], 'workers-max': '3' }), {});
  expect(target?.endpoints).toEqual([
    { instId: 'one', workersMax: 3, dedicated: false },
    { instId: 'two', workersMax: 3, dedicated: false },
  ]);
});

test('endpoints in YAML keep their own values unless a flag or variable overrides them', () => {
  const config = yaml(
    'jobBaseUrl: http://b\nworkersMax: 9\nendpoints:\n  - {instId: one, workersMax: 1}\n  - {instId: two, dedicated: true}\n',
  );
  expect(readSettings('verify', flags({ config }), {}).target?.endpoints).toEqual([
    { instId: 'one', workersMax: 1, dedicated: false },
    { instId: 'two', workersMax: 9, dedicated: true },
  ]);
  expect(readSettings('verify', flags({ config }), { PROOFLOAD_WORKERS_MAX: '0' }).target?.endpoints).toEqual([
    { instId: 'one', workersMax: 0, dedicated: false },
    { instId: 'two', workersMax: 0, dedicated: true },
  ]);
  expect(readSettings('verify', flags({ config, 'inst-id': 'three' }), {}).target?.endpoints).toEqual([
    { instId: 'three', workersMax: 9, dedicated: false },
  ]);
});

test('instId together with endpoints is ambiguous', () => {
  const config = yaml('jobBaseUrl: http://b\ninstId: a\nendpoints: [{instId: b}]\n');
  expect(() => readSettings('verify', flags({ config }), {})).toThrow('either instId or endpoints');
});

test.each([
  [{ 'job-base-url': 'http://b' }, '--inst-id'],
  [{ 'inst-id': 'one' }, '--job-base-url'],
  [{ 'workers-max': '3' }, '--workers-max describes a target'],
  [{ model: 'a/b' }, '--model describes a target'],
  [{ 'other-address': '127.0.0.2' }, '--other-address describes a target'],
  [{ 'base-url': 'http://a', 'other-address': 'eth0' }, '--other-address takes an IP address'],
  [{ ...remote, 'inst-id': 'one,one' }, 'given twice'],
  [{ profile: 'fast' }, '--profile takes'],
])('%j is refused with a text about %s', (given, why) => {
  expect(() => readSettings('verify', flags(given), {})).toThrow(UsageError);
  expect(() => readSettings('verify', flags(given), {})).toThrow(why);
});

test('a second address to send from, from wherever options come', () => {
  const given = { 'base-url': 'http://a' };
  const of = (more: Record<string, string>, env = {}) => readSettings('plan', flags({ ...given, ...more }), env).target;
  expect(of({ 'other-address': '127.0.0.2' })).toMatchObject({ otherAddress: '127.0.0.2' });
  expect(of({}, { PROOFLOAD_OTHER_ADDRESS: 'fd00::2' })).toMatchObject({ otherAddress: 'fd00::2' });
  expect(of({})).not.toHaveProperty('otherAddress');
});

test('one key serves both interfaces, two serve one each', () => {
  const of = (env: Record<string, string>) => readSettings('verify', flags({ reference: true }), env).credentials;
  const two = { PROOFLOAD_ACCESS_KEY: 'a', PROOFLOAD_JOB_KEY: 'j' };
  expect(of({ PROOFLOAD_ACCESS_KEY: 'a' })).toEqual({ accessKey: 'a', jobKey: 'a', brokeKey: null, otherKey: null });
  expect(of({ PROOFLOAD_JOB_KEY: 'j' })).toEqual({ accessKey: 'j', jobKey: 'j', brokeKey: null, otherKey: null });
  expect(of({ ...two, PROOFLOAD_BROKE_KEY: 'b', PROOFLOAD_OTHER_KEY: 'o' })).toEqual({
    accessKey: 'a',
    jobKey: 'j',
    brokeKey: 'b',
    otherKey: 'o',
  });
  expect(of({})).toEqual({ accessKey: null, jobKey: null, brokeKey: null, otherKey: null });
});

test.each([
  ['PROOFLOAD_OTHER_KEY', 'a'],
  ['PROOFLOAD_OTHER_KEY', 'j'],
  ['PROOFLOAD_BROKE_KEY', 'a'],
])('%s with the value of another key would blame the target for what is no fault', (name, value) => {
  const env = { PROOFLOAD_ACCESS_KEY: 'a', PROOFLOAD_JOB_KEY: 'j', [name]: value };
  expect(() => readSettings('verify', flags({}), env)).toThrow(
    new RegExp(`^${name} is the same key as .*another account`),
  );
});

test('a key no header can carry is refused without being shown', () => {
  const read = () => readSettings('verify', flags({}), { PROOFLOAD_ACCESS_KEY: 'sk-secret\nX-Evil: 1' });
  expect(read).toThrow('PROOFLOAD_ACCESS_KEY holds');
  expect(read).not.toThrow('sk-secret');
});

test('a remote interface needs its key', () => {
  const settings = readSettings('verify', flags({ 'base-url': 'http://a', ...remote }), {});
  if (settings.target === null) throw new Error('expected a target');
  const { target } = settings;
  expect(() => requireKeys(target, settings.credentials)).toThrow('set PROOFLOAD_ACCESS_KEY');
  expect(() => requireKeys({ ...target, baseUrl: null }, settings.credentials)).toThrow('set PROOFLOAD_JOB_KEY');
  expect(() => requireKeys(target, { accessKey: 'a', jobKey: 'a', brokeKey: null, otherKey: null })).not.toThrow();
});

test('commands that judge nothing read flags and environment only', () => {
  const values = readValues('serve', flags({ port: '8080', mutant: 'a,b' }), { PROOFLOAD_LATENCY: '20' });
  expect(values).toEqual({ port: 8080, mutant: ['a', 'b'], latency: 20 });
});

test('settings of the reference in the file are for serve: a run of another target leaves them alone', () => {
  const config = yaml('reference: { limiter: token }\n');
  expect(readSettings('verify', flags({ config, ...remote }), {}).target?.kind).toBe('remote');
  expect(() => readSettings('verify', flags({ config }), {})).toThrow(UsageError);
  expect(() => readSettings('plan', flags({ config }), {})).toThrow(
    /yaml:1: reference is what `proofload serve` serves, and plan starts the reference as it is; serve it/,
  );
});

test('workloads go with the target that they describe', () => {
  const text = "workloads: { quick: { say: '{{echo}}' }, slow: null }\n";
  const { target } = readSettings('verify', flags({ config: yaml(text), ...remote, 'inst-id': 'one' }), {});
  expect(target?.workloads).toEqual({ quick: { say: '{{echo}}' }, slow: null });
  expect(readSettings('verify', flags({ ...remote, 'inst-id': 'one' }), {}).target).not.toHaveProperty('workloads');
  expect(() => readSettings('verify', flags({ config: yaml(text) }), {})).toThrow('add jobBaseUrl');
});
