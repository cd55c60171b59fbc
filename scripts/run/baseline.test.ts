/** The baseline of a run: whatever is wrong with it is found before anything is sent, and only an update writes. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_BASELINE } from '../../schemas/baseline.ts';
import { type TargetConfig, UsageError } from '../../schemas/target.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import type { Settings } from '../cli/settings.ts';
import { openBaseline, settleBaseline } from './baseline.ts';

const target: TargetConfig = {
  kind: 'remote',
  baseUrl: null,
  jobBaseUrl: 'https://jobs.example',
  endpoints: [],
  model: null,
};
const credentials = { accessKey: null, jobKey: null, brokeKey: null, otherKey: null };
const startedAt = new Date('2026-11-21T23:00:00Z');

let dir = '';
let file = '';
let home = '';
beforeEach(() => {
  home = process.cwd();
  dir = mkdtempSync(join(tmpdir(), 'proofload-baseline-'));
  file = join(dir, 'b.yaml');
});
afterEach(() => {
  process.chdir(home);
  rmSync(dir, { recursive: true });
});

const settings = (values: Settings['values'], of: TargetConfig | null = target): Settings => ({
  target: of,
  credentials,
  profile: 'gate',
  only: [],
  values,
});
const entryFor = (check: string, on = 'https://jobs.example') =>
  `  - { check: ${check}, target: '${on}', expect: fail, reason: old }\n`;
const write = (...entries: string[]) =>
  writeFileSync(file, entries.length > 0 ? `version: 1\nentries:\n${entries.join('')}` : 'version: 1\nentries: []\n');
const seen = (verdict: Verdict) => [
  { id: 'run.route', title: 'r', clauses: [], level: 'documented' as const, verdict, expected: 'e', observed: 'o' },
];

async function settle(values: Settings['values'], verdict: Verdict) {
  const given = settings(values);
  return settleBaseline({ baseline: await openBaseline(given), settings: given, startedAt }, target, seen(verdict));
}

test('without either option there is none', async () => {
  expect(await openBaseline(settings({}))).toBeNull();
  expect(await settle({}, 'fail')).toEqual({});
});

test('an id that no check has is named with the nearest that one has', async () => {
  write(entryFor('run.route'), entryFor('run.rote', 'https://elsewhere.example'));
  const opening = openBaseline(settings({ baseline: file }));
  await expect(opening).rejects.toThrow(UsageError);
  await expect(opening).rejects.toThrow(`${file}:4: there is no check 'run.rote'; did you mean 'run.route'?`);
});

test('load checks are known too', async () => {
  write(entryFor('run.rate.enforced'));
  expect((await openBaseline(settings({ baseline: file })))?.entries).toHaveLength(1);
});

test('two entries that speak of this target are refused, of two targets not', async () => {
  write(entryFor('run.route'), entryFor('run.route', '*'));
  await expect(openBaseline(settings({ baseline: file }))).rejects.toThrow(`${file}:4: run.route on this target`);
  expect((await openBaseline(settings({ baseline: file }, null)))?.entries).toHaveLength(2);
});

test('a plain run never writes, with any verdict', async () => {
  write();
  const { baseline, fault } = await settle({ baseline: file }, 'fail');
  expect(baseline?.entries).toEqual([]);
  expect({ fault, updated: baseline?.updated }).toEqual({ fault: undefined, updated: undefined });
  expect(readFileSync(file, 'utf8')).toBe('version: 1\nentries: []\n');
});

test('an update writes what was seen, and the run is judged by it', async () => {
  const { baseline } = await settle({ baseline: file, 'update-baseline': true }, 'fail');
  expect(baseline).toMatchObject({
    entries: [{ check: 'run.route', target: 'https://jobs.example', firstSeen: '2026-11-21', at: `${file}:5` }],
    updated: { added: ['run.route'], removed: [], seen: [] },
  });
  const after = await settle({ baseline: file, 'update-baseline': true }, 'pass');
  expect(after.baseline).toMatchObject({ entries: [], updated: { added: [], removed: ['run.route'], seen: [] } });
});

test('without a name an update takes the usual one', async () => {
  process.chdir(dir);
  await settle({ 'update-baseline': true }, 'fail');
  expect(existsSync(join(dir, DEFAULT_BASELINE))).toBe(true);
  expect(await openBaseline(settings({}))).toBeNull();
});

test('where the file could not be put, nothing is sent', async () => {
  const lost = join(dir, 'gone', 'b.yaml');
  await expect(openBaseline(settings({ baseline: lost, 'update-baseline': true }))).rejects.toThrow(UsageError);
});

test('a file that changed during it is a fault of the run, which is judged by what was read', async () => {
  write(entryFor('run.route'));
  const given = settings({ baseline: file, 'update-baseline': true });
  const baseline = await openBaseline(given);
  write();
  const settled = await settleBaseline({ baseline, settings: given, startedAt }, target, seen('pass'));
  expect(settled).toMatchObject({ baseline: { entries: [{ check: 'run.route' }] } });
  expect(settled.fault).toContain('was changed by another program');
  expect(readFileSync(file, 'utf8')).toBe('version: 1\nentries: []\n');
});
