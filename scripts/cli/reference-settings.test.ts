/** What was asked for arrives in the options of the reference, and what can't be is one line that helps. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultOptions } from '../../reference/options.ts';
import { settings } from '../../reference/settings/index.ts';
import { limits } from '../../schemas/limits.ts';
import { UsageError } from '../../schemas/target.ts';
import { type OptionName, optionsOf } from './options.ts';
import { readReferenceOptions } from './reference-settings.ts';
import type { RawOptions } from './values.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'proofload-reference-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function config(text: string): { config: string } {
  const path = join(directory, 'proofload.yaml');
  writeFileSync(path, text);
  return { config: path };
}

type Env = Record<string, string>;

function read(values: Partial<Record<OptionName, unknown>>, env: Env = {}) {
  const flags: RawOptions = new Map(
    optionsOf('serve').flatMap(({ name }) => {
      const raw = values[name as OptionName];
      return raw === undefined ? [] : [[name as OptionName, { raw, source: `--${name}` }] as const];
    }),
  );
  return readReferenceOptions(flags, env);
}

function complaint(values: Partial<Record<OptionName, unknown>>, env: Env = {}): string {
  try {
    read(values, env);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    const message = error instanceof Error ? error.message : '';
    expect(message).not.toContain('\n');
    return message;
  }
  throw new Error('nothing was wrong');
}

test('without options it is the documented service', () => {
  expect(read({})).toEqual(defaultOptions({}));
});

test('each shorthand changes its one thing', () => {
  expect(read({ 'workers-max': '7' }).instances).toEqual([
    { instId: 'inst-1', workersMax: 7 },
    { instId: 'inst-queue', workersMax: 1 },
    { instId: 'inst-none', workersMax: 0 },
  ]);
  expect(read({ limiter: 'counter' })).toEqual({ ...defaultOptions({}), limiter: 'counter' });
  expect(read({ latency: '25' })).toEqual({ ...defaultOptions({}), latencyMs: 25 });
  expect(read({ control: true })).toEqual({ ...defaultOptions({}), control: true });
  expect(read({}, { PROOFLOAD_ACCESS_KEY: 'mine' }).accessKeys).toEqual(['mine']);
});

test('--no-limits lifts every limit but keeps the retention', () => {
  const lifted = read({ limits: false }).limits;
  const expected = limits.filter((limit) => limit.kind !== 'retention').map((limit) => limit.id);
  expect(Object.keys(lifted).sort()).toEqual(expected.sort());
  expect(new Set(Object.values(lifted))).toEqual(new Set(['off']));
});

test('the table shows every flag of serve that sets something, and no other', () => {
  const shown = settings.flatMap(({ shorthand }) => /^--(?:no-)?([a-z-]+)/.exec(shorthand ?? '')?.[1] ?? []);
  const others = ['port', 'host', 'config', 'set', 'settings', 'mutant'];
  const flags = optionsOf('serve').map(({ name }) => name);
  expect([...new Set(shown)].sort()).toEqual(flags.filter((name) => !others.includes(name)).sort());
});

test('--set sets anything: words, numbers, switches, null and lists', () => {
  const set = [
    'limiter=token',
    'limits.run.rate=off',
    'limits.cancel.rate = 5',
    'windows.run.rate=2000',
    'jitter=0.5',
    'retentionQuery=false',
    'queuePerWorker=null',
    'ttl.max=900000000',
    'instances=[{instId: a, workersMax: 2}]',
  ];
  expect(read({ set })).toMatchObject({
    limiter: 'token',
    limits: { 'run.rate': 'off', 'cancel.rate': 5 },
    windows: { 'run.rate': 2000 },
    jitter: 0.5,
    retentionQuery: false,
    queuePerWorker: null,
    ttl: { ...defaultOptions({}).ttl, max: 900_000_000 },
    instances: [{ instId: 'a', workersMax: 2 }],
  });
});

test('a flag wins over the environment, and the environment over the file', () => {
  const file = config(
    'reference:\n  limiter: fixed\n  latencyMs: 1\n  jitter: 0.1\n  instances: [{instId: a, workersMax: 2}]\n',
  );
  const env = { PROOFLOAD_LIMITER: 'token', PROOFLOAD_LATENCY: '2', PROOFLOAD_SET: 'jitter=0.2\nreplaceMs=5' };
  expect(read({ ...file, latency: '3' }, env)).toMatchObject({
    limiter: 'token',
    latencyMs: 3,
    jitter: 0.2,
    replaceMs: 5,
    instances: [{ instId: 'a', workersMax: 2 }],
  });
  expect(read({ ...file, set: 'limiter=off' }, env).limiter).toBe('off');
  expect(read({ ...file, 'workers-max': '9' }, env).instances).toEqual([{ instId: 'a', workersMax: 9 }]);
  const workers = { PROOFLOAD_WORKERS_MAX: '4' };
  expect(read(file, workers).instances).toEqual([{ instId: 'a', workersMax: 4 }]);
  expect(read({ set: 'instances=[{instId: b, workersMax: 1}]' }, workers).instances[0]?.workersMax).toBe(1);
});

test('one limit may be kept while all others are lifted', () => {
  const kept = read({ limits: false, set: 'limits.run.rate=7' }).limits;
  expect([kept['run.rate'], kept['cancel.rate']]).toEqual([7, 'off']);
});

test('mutants are planted over the settings by name, and a wrong name is corrected', () => {
  expect(read({ mutant: ['run-rate-lowered'] }).limits['run.rate']).toBe(900);
  expect(complaint({ mutant: ['queue-of'] })).toContain("did you mean 'queue-or'?");
  expect(complaint({ mutant: ['window'] })).toMatch(/such as run-window-12s/);
  const unlike = complaint({ mutant: ['something-else-entirely'] });
  expect(unlike).toMatch(/not known \(docs\/mutants\.md lists all \d+\)$/);
});

test.each([
  ['limter=token', "--set: there is no setting 'limter'; did you mean 'limiter'? (serve --settings)"],
  ['limits.run.rat=5', "did you mean 'limits.run.rate'?"],
  ['rules=1', "there is no setting 'rules'"],
  ['limits=5', "there is no setting 'limits'"],
  ['constructor=1', "there is no setting 'constructor'"],
  ['limiter=tokn', "--set limiter takes sliding, fixed, counter, token or off; not 'tokn'; did you mean 'token'?"],
  ['limiter=', '--set limiter takes sliding, fixed, counter, token or off; not null'],
  ['limiter', '--set takes limiter=VALUE; it takes sliding, fixed'],
  ['=5', "there is no setting ''"],
  ['jitter=2', '--set jitter takes a number, 0 to 1; not 2'],
  ['latencyMs=soon', "--set latencyMs takes a number, 0 or more ms; not 'soon'"],
  ['latencyMs=-1', 'not -1'],
  ['latencyMs=.inf', 'latencyMs takes a number'],
  ['control=1', '--set control takes true or false; not 1'],
  ['limits.run.rate=1.5', '--set limits.run.rate takes a whole number, 0 to 1000000 requests; or off; not 1.5'],
  ['limits.run.rate=false', 'or off; not false'],
  ['windows.run.rate=0', '1 or more ms; not 0'],
  ['balanceStatus=403', '--set balanceStatus takes 402 or 429; not 403'],
  ['runsyncWait.max=5', '--set runsyncWait.max leaves runsyncWait.default outside, which is 90000'],
  ['runsyncWait.default=0', 'from runsyncWait.min to runsyncWait.max, ms; not 0'],
  ['instances=[{instId: a}]', '--set instances takes a list of {instId, workersMax}; not [{"instId":"a"}]'],
  ['instances=[{instId: a, workersMax: 1}, {instId: a, workersMax: 2}]', "--set instances names 'a' twice"],
  ['instances=[', "--set instances: the value can't be read"],
  ['models=[{id: base}]', '--set models takes a list of {id,'],
])('--set %s is refused: %s', (set, why) => {
  expect(complaint({ set })).toContain(why);
});

test('a setting given twice is a mistake, not an order', () => {
  expect(complaint({ set: ['jitter=0', 'jitter=1'] })).toBe('jitter is set twice: --set jitter and --set jitter');
  expect(complaint({ set: 'limiter=off', limiter: 'token' })).toBe('limiter is set twice: --limiter and --set limiter');
});

test('a key is never taken from a command line, and what may be one never repeated', () => {
  for (const set of [
    'accessKeys=sk-very-secret',
    'acessKeys=[sk-very-secret]',
    'sk-very-secret',
    'jobKeys=sk-very-secret',
  ]) {
    expect(complaint({ set })).not.toContain('sk-very-secret');
  }
  expect(complaint({ set: 'brokeKeys=[sk-1]' })).toContain(`write \${NAME} in the file of --config`);
});

test('a value of the file is judged alike, by its place', () => {
  expect(complaint(config('reference:\n  limiter: tokn\n'))).toMatch(
    /proofload\.yaml:2: limiter takes sliding, .*; not 'tokn'; did you mean 'token'\?$/,
  );
});
