import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDirectory, pointLatest, writeWhole } from './atomic.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'proofload-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('a file is replaced and no temporary one is left', async () => {
  await writeWhole(join(dir, 'a.txt'), 'one');
  await writeWhole(join(dir, 'a.txt'), 'two');
  expect(await readFile(join(dir, 'a.txt'), 'utf8')).toBe('two');
  expect(await readdir(dir)).toEqual(['a.txt']);
});

test('a file that cannot be written leaves nothing behind', async () => {
  await mkdir(join(dir, 'taken'));
  await expect(writeWhole(join(dir, 'taken'), 'text')).rejects.toThrow();
  expect(await readdir(dir)).toEqual(['taken']);
});

test('latest follows the newest run by a relative link', async () => {
  for (const run of ['run-1', 'run-2']) {
    await makeDirectory(join(dir, run));
    expect(await pointLatest(join(dir, run))).toBe(join(dir, 'latest'));
    expect(await readlink(join(dir, 'latest'))).toBe(run);
  }
  expect((await readdir(dir)).sort()).toEqual(['latest', 'run-1', 'run-2']);
});

test('a file called latest, from where links are not possible, is replaced', async () => {
  await makeDirectory(join(dir, 'run-1'));
  await writeFile(join(dir, 'latest'), 'run-0\n');
  await pointLatest(join(dir, 'run-1'));
  expect((await lstat(join(dir, 'latest'))).isSymbolicLink()).toBe(true);
});

test("a user's own directory called latest is left alone", async () => {
  await makeDirectory(join(dir, 'latest', 'precious'));
  await makeDirectory(join(dir, 'run-1'));
  expect(await pointLatest(join(dir, 'run-1'))).toBeNull();
  expect(await readdir(join(dir, 'latest'))).toEqual(['precious']);
  expect((await readdir(dir)).sort()).toEqual(['latest', 'run-1']);
});

test('a run directory that is itself called latest points nowhere', async () => {
  expect(await pointLatest(join(dir, 'latest'))).toBeNull();
});

test('a directory is made with its parents, and distinguished from one that was there', async () => {
  const deep = join(dir, 'a', 'b', 'c');
  expect(await makeDirectory(deep)).toBe(true);
  expect(await makeDirectory(deep)).toBe(false);
  expect((await lstat(deep)).isDirectory()).toBe(true);
});

test('a file in the way is an error, and so is a parent that takes no directory: neither waits for ever', async () => {
  await writeFile(join(dir, 'file'), '');
  await expect(makeDirectory(join(dir, 'file'))).rejects.toThrow('EEXIST');
  await expect(makeDirectory(join(dir, 'file', 'below'))).rejects.toThrow('ENOTDIR');
  await expect(makeDirectory('/proc/proofload/below')).rejects.toThrow(/ENOENT|EACCES|EROFS|ENOTSUP/);
});
