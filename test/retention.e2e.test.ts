/** A whole run that waits for jobs to be forgotten: its report, on a virtual clock, on a socket, and when it is stopped. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { serve } from '../reference/server.ts';
import { documentedTable } from '../schemas/limits.ts';
import type { ResultLimit } from '../schemas/results.ts';
import { runSession } from '../scripts/run/session.ts';
import { cli, KEY, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

const KEPT_MS = { 'run.retention': 8000, 'runsync.retention': 3000 } as const;
const ONLY = ['run.retention.*', 'runsync.retention.*'];
/** Between the two looks round the end: a second at each of them is far more than is needed. */
const SLACK_MS = 2000;

function measuredOf(limits: readonly ResultLimit[], id: string) {
  const row = limits.find((one) => one.id === id);
  return { verdict: row?.verdict, lower: row?.measured?.lower ?? 0, upper: row?.measured?.upper ?? Infinity };
}

test('in-process half an hour is measured at once', async () => {
  const cwd = temporaryDirectory();
  const run = await cli(['conformance', '--reference', '--only', ONLY.join(','), '--out', 'out'], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const { limits } = await readReport(join(cwd, 'out'));
  for (const { id, value } of documentedTable.of('retention')) {
    const { verdict, lower, upper } = measuredOf(limits, id);
    expect(verdict).toBe('pass');
    expect(lower).toBeLessThan(value);
    expect(upper).toBeGreaterThanOrEqual(value);
    expect(upper - lower).toBeLessThan(value * 0.01);
  }
});

test('a nightly on a socket measures how long jobs stay, with a picture of each', async () => {
  const served = await serve({ limits: KEPT_MS, accessKeys: [KEY] });
  const out = join(temporaryDirectory(), 'out');
  const stream = () => new PassThrough().resume() as unknown as NodeJS.WriteStream;
  const host = { stdout: stream(), stderr: stream(), env: {}, fatal: new Promise<never>(() => {}), protect: () => {} };
  const limits = documentedTable.of('retention').map((row) => {
    const value = row.budget === 'run' ? KEPT_MS['run.retention'] : KEPT_MS['runsync.retention'];
    return { ...row, value };
  });
  const endpoints = [{ instId: 'inst-1', workersMax: 3, dedicated: true }];
  const target = { kind: 'remote', baseUrl: null, jobBaseUrl: served.url, endpoints, model: null, limits } as const;
  const credentials = { accessKey: KEY, jobKey: KEY, brokeKey: null, otherKey: null };
  const settings = { target, credentials, profile: 'nightly', only: ONLY, values: { out, quiet: true } } as const;
  const code = await runSession('conformance', settings, host);
  await served.close();
  const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
  expect([code, results.complete]).toEqual([0, true]);
  for (const [id, keptMs] of Object.entries(KEPT_MS)) {
    const { verdict, lower, upper } = measuredOf(results.limits, id);
    expect(verdict).toBe('pass');
    expect(lower).toBeLessThan(keptMs);
    expect(lower).toBeGreaterThan(keptMs - SLACK_MS);
    expect(upper).toBeGreaterThanOrEqual(keptMs);
    expect(upper).toBeLessThan(keptMs + SLACK_MS);
  }
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('Jobs after their end: there up to');
});

test('Ctrl-C in a long wait ends it at once, and the report says what was not answered', async () => {
  const served = await serveReference();
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'proofload.yaml'), served.config);
  let stoppedMs = 0;
  const act = (child: ChildProcess): void =>
    void setTimeout(() => {
      stoppedMs = performance.now();
      child.kill('SIGINT');
    }, 5000);
  const when = { text: /how long jobs stay available \.\.\./, act };
  const only = ['models.list', ...ONLY].join(',');
  const args = ['conformance', '--config', 'proofload.yaml', '--profile', 'nightly', '--only', only, '--out', 'out'];
  const run = await cli(args, { cwd, env: served.env, when });
  await served.stop();
  expect(run).toMatchObject({ code: 130, stderr: '' });
  expect(performance.now() - stoppedMs).toBeLessThan(10_000);
  const { checks, complete } = await readReport(join(cwd, 'out'));
  expect(complete).toBe(false);
  const verdicts = Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toMatchObject({ 'models.list': 'pass', 'run.retention.guarantee': 'skipped' });
});
