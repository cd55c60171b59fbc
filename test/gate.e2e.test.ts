/** The rules of the repository as tests: formatted and linted, typed, nothing unused, files of a readable size. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../scripts/package.ts';

const run = promisify(execFile);
const root = packageRoot();

/** Output of a tool of ours; empty when it is content. */
async function complaints(tool: string, args: readonly string[]): Promise<string> {
  const path = join(root, 'node_modules', '.bin', tool);
  const options = { cwd: root, shell: process.platform === 'win32', maxBuffer: 10_000_000 };
  return run(path, [...args], options).then(
    () => '',
    (error: { stdout?: string; stderr?: string; message: string }) =>
      `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message,
  );
}

const minute = { timeout: 60_000 };

test('biome check is clean', minute, async () => {
  expect(await complaints('biome', ['check', '--colors=off', '.'])).toBe('');
});

test('tsc --noEmit is clean', minute, async () => {
  expect(await complaints('tsc', ['--noEmit'])).toBe('');
});

test('knip finds nothing unused', minute, async () => {
  expect(await complaints('knip', ['--no-progress'])).toBe('');
});

async function sources(): Promise<readonly string[]> {
  const { stdout } = await run('git', ['ls-files', '*.ts'], { cwd: root });
  return stdout.split('\n').filter((name) => name !== '' && !name.endsWith('.config.ts'));
}

const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');

test('no file is too long to be read', async () => {
  const names = await sources();
  const lines = (list: readonly string[]) => list.map((name) => textOf(name).split('\n').length).sort((a, b) => a - b);
  const all = lines(names);
  expect(all.at(-1)).toBeLessThanOrEqual(400);
});

test('every source file opens with what it is for', async () => {
  const names = (await sources()).filter((name) => !name.endsWith('.test.ts'));
  expect(names.filter((name) => !/^(#!.*\n)?\/\*\*/.test(textOf(name)))).toEqual([]);
});
