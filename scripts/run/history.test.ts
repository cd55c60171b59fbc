import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_HISTORY, historyFile } from './history.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'proofload-named-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('without a name it is the one that all runs here share', async () => {
  expect(await historyFile(undefined)).toBe(DEFAULT_HISTORY);
  expect(DEFAULT_HISTORY).toBe(join('proofload-report', 'history.ndjson'));
});

test('one that is there, and one that can be made', async () => {
  const path = join(dir, 'history.ndjson');
  expect(await historyFile(path)).toBe(path);
  await writeFile(path, '');
  expect(await historyFile(path)).toBe(path);
});

test('one in no directory is reported before anything is sent', async () => {
  const path = join(dir, 'no', 'such', 'history');
  await expect(historyFile(path)).rejects.toThrow(`--history ${path} can't be written: there is no directory for it`);
});
