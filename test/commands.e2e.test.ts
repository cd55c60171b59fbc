/** The commands that need no load: help, plan, serve, conformance in-process, report. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LoadPlan } from '../scenarios/index.ts';
import { cli, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

test('--help and --version answer on stdout', async () => {
  const help = await cli(['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const command of ['verify', 'conformance', 'load', 'plan', 'serve', 'report']) {
    expect(help.stdout).toContain(`proofload ${command}`);
  }
  expect((await cli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('plan prints what would be sent, for people and for programs, and leaves nothing behind', async () => {
  const cwd = temporaryDirectory();
  const text = await cli(['plan', '--reference'], { cwd });
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(text.stdout).toContain('run.rate');
  const json = await cli(['plan', '--reference', '--json'], { cwd });
  const plan: LoadPlan = JSON.parse(json.stdout);
  expect(plan.probes.length).toBeGreaterThan(5);
  expect(plan.floorMs).toBeLessThanOrEqual(plan.durationMs);
  expect(existsSync(join(cwd, 'proofload-report'))).toBe(false);
});

test('plan sends nothing: an address without a listener is as good as any', async () => {
  const target = ['--job-base-url', 'http://proofload.invalid', '--inst-id', 'one'];
  const { code, stdout } = await cli(['plan', ...target]);
  expect(code).toBe(0);
  expect(stdout).toContain('--dedicated');
});

test('serve announces itself in its first line and stops cleanly', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const when = { text: /\n/, act: (child: { kill(signal: NodeJS.Signals): boolean }) => void child.kill(signal) };
    const { code, stdout, stderr } = await cli(['serve'], { when });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^listening http:\/\/127\.0\.0\.1:\d+\n$/);
  }
});

test('serve accepts its key, and no other', async () => {
  const served = await serveReference();
  const get = async (key: string) => {
    const answer = await fetch(`${served.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(await get(served.env.PROOFLOAD_ACCESS_KEY ?? '')).toBe(200);
  expect(await get('proofload-local')).toBe(401);
  await served.stop();
});

test('conformance without a target runs the reference in-process, and report renders it again', async () => {
  const cwd = temporaryDirectory();
  const { code, stdout, stderr } = await cli(['conformance', '--reference'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('report.html');
  const latest = join(cwd, 'proofload-report', 'latest');
  const results = await readReport(latest);
  expect(results).toMatchObject({ complete: true, exitCode: 0, target: { kind: 'reference' } });
  expect(results.counts.emitted).toBe(results.counts.declared);
  expect(results.counts.fail).toBe(0);
  const page = readFileSync(join(latest, 'report.html'), 'utf8');
  rmSync(join(latest, 'report.html'));
  expect(await cli(['report', latest], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(latest, 'report.html'), 'utf8')).toBe(page);
});

test('--quiet prints the final block only, --json the results only', async () => {
  const only = ['--only', 'models.*', '--out', 'out'];
  const cwd = temporaryDirectory();
  const quiet = await cli(['conformance', '--reference', '--quiet', ...only], { cwd });
  expect(quiet).toMatchObject({ code: 0, stderr: '' });
  expect(quiet.stdout).not.toContain('...');
  const json = await cli(['conformance', '--reference', '--json', ...only], { cwd });
  expect(json.stdout).toBe(readFileSync(join(cwd, 'out', 'results.json'), 'utf8'));
});
