/** What `--last-failed` selects, and when it refuses to. Other commands open the same report, so `open` is tested here. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stored } from '../../reports/stored.ts';
import { type SampleKind, sampleResults } from '../../reports/testing/fixtures.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { temporaryDirectory } from '../../test/support/cli.ts';
import type { Settings } from '../cli/settings.ts';
import { openerOf } from '../commands/open.ts';
import { withLastFailed } from './selection.ts';

const home = process.cwd();
beforeEach(() => process.chdir(temporaryDirectory()));
afterEach(() => process.chdir(home));

function lastRun(kind: SampleKind) {
  const latest = join('proofload-report', 'latest');
  mkdirSync(latest, { recursive: true });
  const results = sampleResults(kind);
  writeFileSync(join(latest, 'results.json'), JSON.stringify(stored(results)));
  return results;
}

const settingsFor = (target: TargetConfig | null, more: Partial<Settings> = {}): Settings => ({
  target,
  credentials: { accessKey: null, jobKey: null, brokeKey: null, otherKey: null },
  profile: 'gate',
  only: [],
  values: { 'last-failed': true },
  ...more,
});

test('red or inconclusive checks are selected, as far as the command has them', async () => {
  const { checks, target } = lastRun('failing');
  const own = { ...target, endpoints: [], model: null } as unknown as TargetConfig;
  const red = checks.filter(({ verdict }) => ['fail', 'error', 'inconclusive'].includes(verdict)).map(({ id }) => id);
  const all = checks.map(({ id }) => id);
  expect(red.length).toBeGreaterThan(1);
  expect((await withLastFailed(settingsFor(own), all)).only).toEqual(red);
  expect((await withLastFailed(settingsFor(own), red.slice(0, 1))).only).toEqual(red.slice(0, 1));
  const without = settingsFor(own, { values: {} });
  expect(await withLastFailed(without, all)).toBe(without);
});

test('it refuses another target, another selection, a green run, and none', async () => {
  const refusal = (settings: Settings) => expect(withLastFailed(settings, ['a'])).rejects;
  await refusal(settingsFor(null)).toThrow('there is no last run here');
  const { target } = lastRun('passing');
  const own = { ...target, endpoints: [], model: null } as unknown as TargetConfig;
  expect(target.kind).toBe('reference');
  await refusal(settingsFor(null)).toThrow('left nothing red or inconclusive');
  await refusal(settingsFor(own, { only: ['run.*'] })).toThrow('leave --only off');
  const other = { ...own, kind: 'remote', baseUrl: 'http://elsewhere', jobBaseUrl: null } as TargetConfig;
  await refusal(settingsFor(other)).toThrow('give the same target');
});

test.each([
  ['linux', {}, ['xdg-open']],
  ['darwin', {}, ['open']],
  ['win32', {}, ['cmd', '/c', 'start', '']],
  ['linux', { BROWSER: 'firefox' }, ['firefox']],
])('on %s with %j a page is opened by %j', (platform, env, command) => {
  expect(openerOf(platform, env)).toEqual(command);
});
