/** The script that the action runs: exit code and verdict as outputs, the report kept, a request to stop passed on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../scripts/package.ts';
import { cleanEnvironment, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

interface GateRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly dir: string;
}

async function gate(
  env: Readonly<Record<string, string>>,
  stopAt?: RegExp,
  dir = temporaryDirectory(),
): Promise<GateRun> {
  const files = { GITHUB_OUTPUT: join(dir, 'output'), GITHUB_STEP_SUMMARY: join(dir, 'summary') };
  const places = { PROOFLOAD_OUT: join(dir, 'kept', 'report'), PROOFLOAD_HISTORY: join(dir, 'kept', 'history.ndjson') };
  const child = spawn('bash', [join(packageRoot(), 'scripts', 'ci', 'gate.sh')], {
    cwd: dir,
    env: cleanEnvironment({ GITHUB_ACTIONS: 'true', ACTION_PATH: packageRoot(), ...files, ...places, ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  let waiting = stopAt;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (!waiting?.test(stdout)) return;
    waiting = undefined;
    child.kill('SIGINT');
  });
  const [code]: unknown[] = await once(child, 'close');
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const outputs = Object.fromEntries(
    read(files.GITHUB_OUTPUT)
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  return {
    code: typeof code === 'number' ? code : null,
    stdout,
    outputs,
    summary: read(files.GITHUB_STEP_SUMMARY),
    dir,
  };
}

const quick = { PROOFLOAD_ONLY: 'models.*', PROOFLOAD_PROFILE: 'smoke' };

test('a service that conforms', async () => {
  const served = await serveReference();
  const run = await gate({ ...quick, ...served.env, PROOFLOAD_BASE_URL: served.url });
  await served.stop();
  const report = expect.stringContaining(join(run.dir, 'kept', 'report.')) as string;
  expect(run.code).toBe(0);
  expect(run.outputs).toEqual({ 'exit-code': '0', verdict: 'pass', report });
  expect(run.summary).toMatch(/^## ✓ Conforms/);
  expect(run.stdout).toMatch(/^::stop-commands::[\w-]+\n/);
  expect(run.stdout).not.toMatch(/^::(error|warning)/m);
  expect(existsSync(join(run.dir, 'kept', 'history.ndjson'))).toBe(true);
});

test('one that breaks its promises: the script passes, for the report to be kept, and prints the exit code', async () => {
  const served = await serveReference(['--mutant', 'models-without-key']);
  const run = await gate({ ...quick, ...served.env, PROOFLOAD_BASE_URL: served.url });
  await served.stop();
  expect(run.code).toBe(0);
  expect(run.outputs).toMatchObject({ 'exit-code': '1', verdict: 'fail' });
  expect(run.stdout).toMatch(/^::error title=models\.auth\.missing::/m);
  expect(run.summary).toMatch(/^## ✕ Does not conform/);
});

test('of a target that is not there nothing can be said but that, which is a report too', async () => {
  const run = await gate({ ...quick, PROOFLOAD_BASE_URL: 'http://127.0.0.1:9', PROOFLOAD_ACCESS_KEY: 'k' });
  expect(run.code).toBe(0);
  expect(run.outputs).toMatchObject({ 'exit-code': '2', verdict: 'error', report: expect.any(String) });
  expect(run.stdout).toContain(
    '::error title=the run is incomplete::interface A does not answer at http://127.0.0.1:9',
  );
});

test('what an earlier call in the same job has found is never the result of a later one', async () => {
  const served = await serveReference();
  const first = await gate({ ...quick, ...served.env, PROOFLOAD_BASE_URL: served.url });
  await served.stop();
  expect(first.outputs).toMatchObject({ 'exit-code': '0', verdict: 'pass' });
  rmSync(join(first.dir, 'output'));
  const second = await gate({ ...quick, PROOFLOAD_BASE_URL: 'nowhere' }, undefined, first.dir);
  expect(second.outputs).toEqual({ 'exit-code': '2' });
});

test('a request to stop ends in a report', async () => {
  const served = await serveReference();
  const target = {
    PROOFLOAD_JOB_BASE_URL: served.url,
    PROOFLOAD_INST_ID: 'inst-1',
    PROOFLOAD_WORKERS_MAX: '3',
    PROOFLOAD_DEDICATED: 'true',
  };
  const run = await gate(
    { ...target, PROOFLOAD_JOB_KEY: served.env.PROOFLOAD_ACCESS_KEY ?? '' },
    /Rate limit of run: .*\.\.\./,
  );
  await served.stop();
  expect(run.code).toBe(0);
  expect(run.outputs).toMatchObject({ 'exit-code': '130' });
  expect(run.stdout).toContain('::error title=the run is incomplete::stopped with Ctrl-C');
  expect((await readReport(run.outputs.report ?? '')).complete).toBe(false);
});
