/** A target that dies in the middle of a run: the run ends there, and says that nothing more can be said, and since when. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cli, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

const cwd = temporaryDirectory();

/** How a run ends whose target is stopped so long after these words. */
async function dies(command: string, only: string, text: RegExp, afterMs: number) {
  const served = await serveReference();
  const args = [command, '--base-url', served.url, '--job-base-url', served.url, '--inst-id', 'inst-1'];
  const when = { text, act: () => void sleep(afterMs).then(() => served.stop()) };
  const rest = ['--workers-max', '3', '--dedicated', '--only', only, '--out', command, '--history', 'history.ndjson'];
  const run = await cli([...args, ...rest], { cwd, env: served.env, when });
  return { run, results: await readReport(join(cwd, command)) };
}

test('under load: the load ends, exit 2, and no night like others', async () => {
  const started = performance.now();
  const { run, results } = await dies('load', 'run.rate.*', /k6 v2/, 4000);
  expect(run.code).toBe(2);
  expect(run.stdout).toContain('stopping: the target has been gone since');
  expect(run.stdout).toMatch(
    /No verdict.*the target has been gone since .* \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)/s,
  );
  expect(run.stdout).not.toContain('retry of inconclusive');
  expect(results).toMatchObject({ complete: false, verdict: 'error', counts: { fail: 0 } });
  expect(performance.now() - started).toBeLessThan(60_000);
  const trend = await cli(['trend', '--history', 'history.ndjson'], { cwd, env: {} });
  expect(trend.stdout + trend.stderr).toContain('1 run of the file left out');
});

test('under contract checks: a request that met no target breaks no promise', async () => {
  const { run, results } = await dies('conformance', 'run.*,status.*,cancel.*,chat.*', /^proofload: /, 1500);
  expect(run.stdout).toContain('the target has been gone since');
  expect(results).toMatchObject({ complete: false, verdict: 'error', exitCode: 2, counts: { fail: 0 } });
});
