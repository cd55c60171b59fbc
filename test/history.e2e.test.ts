/** What outlives a run: its line in the history, what changed since, and several runs in one, as a user meets them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { historyLineSchema } from '../schemas/history.ts';
import { cli, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

const only = ['--only', 'models.*'];
const lines = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n');

/** A conformance run against a served reference, with a planted fault or without. */
async function verify(cwd: string, out: string, serve: readonly string[], more: readonly string[] = [], port?: string) {
  const served = await serveReference([...serve, ...(port === undefined ? [] : ['--port', port])]);
  try {
    const flags = ['conformance', '--quiet', '--base-url', served.url, ...only, '--out', out, ...more];
    return { ...(await cli(flags, { cwd, env: served.env })), port: new URL(served.url).port };
  } finally {
    await served.stop();
  }
}

test('from night to night: a break is new, then still there, then fixed', async () => {
  const cwd = temporaryDirectory();
  const first = await verify(cwd, 'one', []);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).not.toContain('Since');
  const mutant = ['--mutant', 'models-without-key'];
  const second = await verify(cwd, 'two', mutant, [], first.port);
  expect(second.code).toBe(1);
  expect(second.stdout).toMatch(/^Since .*: \d+ newly broken/m);
  expect(second.stdout).toContain('; newly broken)');
  const third = await verify(cwd, 'three', mutant, [], first.port);
  expect(third.stdout).toMatch(/^Since .*: \d+ still broken/m);
  const fourth = await verify(cwd, 'four', [], [], first.port);
  expect(fourth.stdout).toMatch(/^Since .*: \d+ fixed/m);
  expect(readFileSync(join(cwd, 'four', 'summary.md'), 'utf8')).toMatch(/^Since .*fixed/m);
  expect((await readReport(join(cwd, 'four'))).history?.runs).toHaveLength(3);

  expect(lines(join(cwd, 'proofload-report', 'history.ndjson'))).toHaveLength(4);
  const trend = await cli(['trend'], { cwd });
  expect(trend).toMatchObject({ code: 0, stderr: '' });
  expect(trend.stdout).toMatch(/^4 runs of http/);

  const worse = await cli(['diff', 'one', 'two'], { cwd });
  expect(worse).toMatchObject({ code: 1, stderr: '' });
  expect(worse.stdout).toMatch(/^Newly broken: \d+$/m);
  expect(await cli(['diff', 'two', 'three'], { cwd })).toMatchObject({ code: 0 });
  const better = await cli(['diff', 'two', 'four', '--json'], { cwd });
  expect(JSON.parse(better.stdout)).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining({ kind: 'fixed' })]),
    limits: [],
  });
});

test('runs with other parameters are never compared silently', async () => {
  const cwd = temporaryDirectory();
  await cli(['conformance', '--reference', '--quiet', ...only, '--out', 'one'], { cwd });
  const other = await cli(['conformance', '--reference', '--quiet', '--only', 'chat.*', '--out', 'two'], { cwd });
  expect(other.stdout).not.toContain('Since');
  expect(other.stdout).toContain('No comparable earlier run (1 skipped: with another selection).');
  const { history } = await readReport(join(cwd, 'two'));
  expect(history).toMatchObject({ runs: [], leftOut: [{ why: 'with another selection', runs: 1 }] });
  const diff = await cli(['diff', 'one', 'two'], { cwd });
  expect(diff).toMatchObject({ code: 2, stdout: '' });
  expect(diff.stderr).toBe(
    'proofload: the two runs can\'t be compared, their parameters differ: only ["models.*"], now ["chat.*"]\n',
  );
  expect((await cli(['trend'], { cwd })).stdout).toContain('1 run of the file left out: with another selection.');
  const { run } = await readReport(join(cwd, 'one'));
  expect((await cli(['trend', '--like', run.id], { cwd })).stdout).toContain(`The newest of them, ${run.id}`);
});

test('--history names the file, and its lines keep their schema', async () => {
  const cwd = temporaryDirectory();
  const flags = ['conformance', '--reference', '--quiet', ...only, '--out', 'one'];
  expect(await cli([...flags, '--history', 'nightly.ndjson'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(cwd, 'proofload-report'))).toBe(false);
  const [line = '{}'] = lines(join(cwd, 'nightly.ndjson'));
  expect(Object.keys(JSON.parse(line)).sort()).toEqual([...historyLineSchema.required].sort());
  expect(await cli(['trend', 'nightly.ndjson', '--json'], { cwd })).toMatchObject({ code: 0 });
});

test('a history that cannot be written is reported before anything is sent', async () => {
  const cwd = temporaryDirectory();
  const flags = ['conformance', '--reference', '--quiet', ...only, '--out', 'one'];
  const named = await cli([...flags, '--history', 'no/such/directory/file'], { cwd });
  expect(named).toMatchObject({ code: 2, stdout: '' });
  expect(named.stderr).toContain("--history no/such/directory/file can't be written");
  expect(existsSync(join(cwd, 'one'))).toBe(false);
  const directory = await cli([...flags, '--history', '.'], { cwd });
  expect(directory).toMatchObject({ code: 2, stdout: '' });
  expect(directory.stderr).toContain('--history . is a directory; name a file');
});

test('shards become one report, with the exit code of the whole', async () => {
  const cwd = temporaryDirectory();
  const shard = (glob: string, out: string) =>
    cli(['conformance', '--reference', '--quiet', '--only', glob, '--out', out], { cwd });
  await shard('models.*', 'one');
  await shard('chat.*', 'two');
  const merged = await cli(['report', 'one', 'two', '--out', 'both', '--history', 'h'], { cwd });
  expect(merged).toMatchObject({ code: 0, stderr: '' });
  const [one, two, both] = await Promise.all(['one', 'two', 'both'].map((name) => readReport(join(cwd, name))));
  expect(both?.counts.pass).toBe((one?.counts.pass ?? 0) + (two?.counts.pass ?? 0));
  expect(both?.run.merged?.runs.map(({ id }) => id)).toEqual([one?.run.id, two?.run.id]);
  for (const file of ['report.html', 'junit.xml', 'summary.md']) expect(existsSync(join(cwd, 'both', file))).toBe(true);
  expect(lines(join(cwd, 'h'))).toHaveLength(1);
  expect(await cli(['report', 'both'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const twice = await cli(['report', 'one', 'both'], { cwd });
  expect(twice).toMatchObject({ code: 2, stdout: '' });
  expect(twice.stderr).toContain(`the run ${one?.run.id} is given twice`);
});
