/** What is published: a tarball installed elsewhere has the command, the checks and the k6 scripts, and works. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../scripts/package.ts';
import { cleanEnvironment, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

const root = temporaryDirectory();
const project = join(root, 'project');
const bin = join(project, 'node_modules', '.bin', 'proofload');

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, {
    cwd,
    env: cleanEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

beforeAll(() => {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"elsewhere","private":true}');
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', root], packageRoot());
  const tarball = readdirSync(root).find((name) => name.endsWith('.tgz'));
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(root, String(tarball))], project);
}, 120_000);

test('the command is there and executable', () => {
  expect(run(bin, ['--help'], project)).toContain('proofload verify');
});

test('conformance runs from the installed package', async () => {
  const output = run(bin, ['conformance', '--reference', '--out', 'out'], project);
  expect(output).toContain('report.html');
  expect(await readReport(join(project, 'out'))).toMatchObject({ complete: true, exitCode: 0 });
});

test('what k6 and its build need is packed, tests and sources are not', () => {
  const installed = join(project, 'node_modules', 'proofload');
  for (const file of ['go.mod', 'go.sum', 'tools.go'])
    expect(existsSync(join(installed, 'scripts', 'k6', file))).toBe(true);
  expect(readdirSync(join(installed, 'dist', 'k6')).length).toBeGreaterThan(0);
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  const own = files.filter((name) => !name.startsWith('node_modules'));
  expect(own.filter((name) => /\.test\.|\.ts$/.test(name))).toEqual([]);
});
