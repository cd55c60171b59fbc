/** The life of a baseline: written from a service that breaks a promise, kept while it does, in the way once it does not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, type ServedReference, serveReference, temporaryDirectory } from './support/cli.ts';
import { idsWith, readReport } from './support/report.ts';

const cwd = temporaryDirectory();
const out = join(cwd, 'out');
const file = join(cwd, 'proofload-baseline.yaml');
const flags = ['--baseline', 'proofload-baseline.yaml'];
const faults = ['--mutant', 'models-without-owner,models-twice'];

/** One promise broken, and one convention. */
let served: ServedReference;

beforeAll(async () => {
  served = await serveReference(faults);
});
afterAll(() => served.stop());

async function run(extra: readonly string[] = []) {
  const args = [
    'conformance',
    '--base-url',
    served.url,
    '--only',
    'models.{identifiers,unique}',
    '--out',
    'out',
    ...extra,
  ];
  const { code, stdout, stderr } = await cli(args, { env: served.env, cwd });
  expect(stderr).toBe('');
  return { code, stdout, results: await readReport(out) };
}

test('without a baseline the break is exit 1', async () => {
  const { code, results } = await run();
  expect(code).toBe(1);
  expect(idsWith(results, 'fail')).toEqual(['models.identifiers']);
  expect(idsWith(results, 'warn')).toEqual(['models.unique']);
  expect(results.baseline).toBeUndefined();
});

test('--update-baseline writes what was seen, and the run is green given that', async () => {
  const { code, stdout, results } = await run(['--update-baseline']);
  expect(code).toBe(0);
  expect(stdout).toContain('proofload-baseline.yaml written: 2 added, 0 removed, 0 seen again.');
  expect(results.baseline?.updated?.added).toEqual(['models.unique', 'models.identifiers'].sort());
  const today = results.run.startedAt.slice(0, 10);
  expect(readFileSync(file, 'utf8')).toContain(`
  - check: models.identifiers
    target: ${served.url}
    expect: fail
    reason: "TODO: say why this is expected"
    firstSeen: ${today}
    lastSeen: ${today}
`);
});

test('with it the next run is green, warns of missing reasons, and writes nothing', async () => {
  const before = readFileSync(file, 'utf8');
  const { code, stdout, results } = await run(flags);
  expect(code).toBe(0);
  expect(idsWith(results, 'known')).toEqual(['models.identifiers', 'models.unique']);
  expect(results).toMatchObject({ verdict: 'pass', counts: { fail: 0, warn: 0 } });
  expect(stdout).toContain('Conforms, given the baseline');
  expect(stdout).toContain('1 known failure and 1 known warning');
  expect(stdout).toContain('2 entries of proofload-baseline.yaml have no reason yet');
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('failures="0" errors="0" skipped="2"');
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('an entry whose time is over excuses nothing, and an update moves no date', async () => {
  const before = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    before.replace(/(reason: ).*\n/, '$1one owner is missing # as agreed\n    expires: 2026-01-31\n'),
  );
  const { code, stdout, results } = await run([...flags, '--update-baseline']);
  expect(code).toBe(1);
  expect(results.baseline?.expired).toMatchObject([{ check: 'models.identifiers' }]);
  expect(idsWith(results, 'fail')).toEqual(['models.identifiers']);
  expect(stdout).toContain('(expired baseline entry, proofload-baseline.yaml:5)');
  expect(readFileSync(file, 'utf8')).toContain('reason: one owner is missing # as agreed\n    expires: 2026-01-31\n');
});

test('once the service is mended the entries are stale, until an update removes them', async () => {
  await served.stop();
  served = await serveReference(['--port', new URL(served.url).port]);
  const { code, stdout, results } = await run(flags);
  expect(code).toBe(1);
  expect(results).toMatchObject({ verdict: 'fail', counts: { fail: 0 } });
  expect(results.baseline?.stale.map((one) => one.check).sort()).toEqual(['models.identifiers', 'models.unique']);
  expect(stdout).toContain('The baseline is outdated');
  expect(stdout).toContain('the check passes now: remove the entry, or run again with --update-baseline');
  expect((await run([...flags, '--update-baseline'])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toMatch(/^# What proofload expects to fail[\s\S]*entries: \[\]\n$/);
});
