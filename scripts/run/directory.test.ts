import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { newRunId, openRunDirectory } from './directory.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proofload-directory-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

test('by default every run has a directory of its own', async () => {
  const { path } = await openRunDirectory(undefined, 'run-1', cwd);
  expect(path).toBe(join(cwd, 'proofload-report', 'run-1'));
  expect(readdirSync(path)).toEqual([]);
});

test('--out is the directory itself, with its parents made', async () => {
  expect((await openRunDirectory('a/b', 'run-1', cwd)).path).toBe(join(cwd, 'a', 'b'));
});

test('an older report in it is gone before the run begins', async () => {
  mkdirSync(join(cwd, 'out', 'ledger'), { recursive: true });
  for (const name of ['results.json', 'ledger/run.rate.ndjson.gz']) writeFileSync(join(cwd, 'out', name), 'old');
  const { path } = await openRunDirectory('out', 'run-1', cwd);
  expect(readdirSync(path)).toEqual([]);
});

test('files of others are never touched', async () => {
  writeFileSync(join(cwd, 'thesis.txt'), 'precious');
  writeFileSync(join(cwd, 'results.json'), 'old');
  await expect(openRunDirectory('.', 'run-1', cwd)).rejects.toThrow("--out . holds something else ('thesis.txt')");
  expect(readdirSync(cwd).sort()).toEqual(['results.json', 'thesis.txt']);
});

test('a place that cannot be written is bad input', async () => {
  writeFileSync(join(cwd, 'file'), '');
  for (const out of ['file', 'file/below']) {
    const opening = openRunDirectory(out, 'run-1', cwd);
    await expect(opening).rejects.toThrow(UsageError);
    await expect(opening).rejects.toThrow(`--out ${out} can't be written`);
  }
});

test('a run that never began leaves no directory behind', async () => {
  const made = await openRunDirectory('new', 'run-1', cwd);
  await made.discard();
  expect(existsSync(made.path)).toBe(false);
});

test('a directory that was there before, or is used by now, stays', async () => {
  mkdirSync(join(cwd, 'there'));
  const there = await openRunDirectory('there', 'run-1', cwd);
  await there.discard();
  const used = await openRunDirectory('used', 'run-1', cwd);
  writeFileSync(join(used.path, 'results.json'), '{}');
  await used.discard();
  expect([existsSync(there.path), existsSync(used.path)]).toEqual([true, true]);
});

test('run ids sort by time and differ within a second', () => {
  const at = (text: string) => newRunId(new Date(text), () => 'beef');
  expect(at('2026-11-21T03:04:05.678Z')).toBe('20261121-030405-beef');
  expect(at('2026-11-21T03:04:05Z') < at('2026-12-01T00:00:00Z')).toBe(true);
  expect(newRunId()).toMatch(/^\d{8}-\d{6}-[0-9a-f]{4}$/);
});
