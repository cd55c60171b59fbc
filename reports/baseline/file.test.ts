import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { readBaseline, writeBaseline } from './file.ts';
import { checkWith, staging, TODAY } from './testing/samples.ts';
import { changesFor } from './update.ts';

let dir = '';
let file = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'proofload-baseline-'));
  file = join(dir, 'baseline.yaml');
});
afterEach(() => rmSync(dir, { recursive: true }));

const none = { added: [], seen: [], removed: [] };
const failing = changesFor([], [checkWith('run.route', 'fail')], { target: staging, today: TODAY });

test('a missing file is a mistake, unless it is to be written', async () => {
  await expect(readBaseline(file, false)).rejects.toThrow(UsageError);
  await expect(readBaseline(file, false)).rejects.toThrow('no such file; --update-baseline writes one');
  expect(await readBaseline(file, true)).toEqual({ file, text: null, entries: [] });
});

test('a directory is no baseline', async () => {
  await expect(readBaseline(dir, true)).rejects.toThrow('cannot be read (EISDIR)');
});

test('what was written is what is read next', async () => {
  const written = await writeBaseline(await readBaseline(file, true), failing);
  expect(written.entries).toMatchObject([{ check: 'run.route', at: `${file}:5` }]);
  expect(await readBaseline(file, false)).toEqual(written);
});

test('also a run without failures writes a file where one was requested', async () => {
  await writeBaseline(await readBaseline(file, true), none);
  expect((await readBaseline(file, false)).entries).toEqual([]);
});

test('a file that changed since it was read is not overwritten', async () => {
  const before = await readBaseline(file, true);
  writeFileSync(file, 'version: 1\nentries: [] # mine\n');
  await expect(writeBaseline(before, failing)).rejects.toThrow('was changed by another program during the run');
  expect(readFileSync(file, 'utf8')).toContain('# mine');
});

test('a link to a baseline stays one', async () => {
  const link = join(dir, 'link.yaml');
  writeFileSync(file, 'version: 1\nentries: []\n');
  symlinkSync(file, link);
  await writeBaseline(await readBaseline(link, true), failing);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect((await readBaseline(file, false)).entries).toHaveLength(1);
});

test('a file that cannot be written is said', async () => {
  const before = { file: join(dir, 'gone', 'baseline.yaml'), text: null, entries: [] };
  await expect(writeBaseline(before, failing)).rejects.toThrow("the baseline can't be written to");
});
