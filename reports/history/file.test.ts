/** The history under writers that come at the same moment, files that others spoiled, and its bound. */
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryLine } from '../../schemas/history.ts';
import { appendHistory, MOST_BYTES, readHistory } from './file.ts';
import { nightLine } from './testing/fixtures.ts';

let dir = '';
let path = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'proofload-history-'));
  path = join(dir, 'history.ndjson');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const bytesOf = (line: HistoryLine): number => Buffer.byteLength(JSON.stringify(line)) + 1;
const ids = async (): Promise<string[]> => (await readHistory(path)).lines.map(({ run }) => run.id);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

test('there is no history before the first run', async () => {
  expect(await readHistory(path)).toEqual({ lines: [], unreadable: 0 });
});

test('what was appended is read again, oldest first', async () => {
  for (const index of [2, 0, 1]) await appendHistory(path, nightLine(index));
  expect(await ids()).toEqual(['night-0', 'night-1', 'night-2']);
  expect((await readHistory(path)).lines[1]).toEqual(nightLine(1));
});

test('a line takes little', () => {
  expect(bytesOf(nightLine(0, 'failing'))).toBeLessThan(8000);
  expect(MOST_BYTES / bytesOf(nightLine(0, 'failing'))).toBeGreaterThan(600);
});

test('lines of others, of another version and cut ones are counted and left alone', async () => {
  await appendHistory(path, nightLine(0));
  const { run: _, ...part } = nightLine(1);
  await appendFile(
    path,
    `{"some":"thing"}\n\nno JSON\n${JSON.stringify(part)}\n${JSON.stringify({ ...nightLine(2), schemaVersion: 9 })}\n`,
  );
  await appendHistory(path, nightLine(3));
  expect(await readHistory(path)).toMatchObject({
    lines: [{ run: { id: 'night-0' } }, { run: { id: 'night-3' } }],
    unreadable: 4,
  });
});

test('a line that a full disk cut short does not take the next one with it', async () => {
  await appendHistory(path, nightLine(0));
  await appendFile(path, JSON.stringify(nightLine(1)).slice(0, 100));
  await appendHistory(path, nightLine(2));
  expect(await ids()).toEqual(['night-0', 'night-2']);
});

test('of a run that is there twice the last line counts', async () => {
  await appendHistory(path, nightLine(0));
  await appendHistory(path, { ...nightLine(0), exitCode: 1 });
  const { lines } = await readHistory(path);
  expect(lines.map(({ exitCode }) => exitCode)).toEqual([1]);
});

test('a hundred writers at once lose nothing', async () => {
  await Promise.all(range(0, 100).map((index) => appendHistory(path, nightLine(index))));
  expect(await readHistory(path)).toMatchObject({ lines: { length: 100 }, unreadable: 0 });
});

test('of a longer file the newest lines are read', async () => {
  for (const index of range(100, 120)) await appendHistory(path, nightLine(index));
  const each = bytesOf(nightLine(100));
  const read = async (bytes: number) => (await readHistory(path, bytes)).lines.map(({ run }) => run.id);
  expect(await read(3 * each)).toEqual(['night-117', 'night-118', 'night-119']);
  expect(await read(3 * each + 1)).toHaveLength(3);
  expect(await read(3 * each - 1)).toHaveLength(2);
  expect(await read(20 * each)).toHaveLength(20);
  expect((await readHistory(path, 3 * each - 1)).unreadable).toBe(0);
});

test('a directory in its place is reported', async () => {
  await expect(appendHistory(dir, nightLine(0))).rejects.toThrow(/EISDIR/);
  await expect(readHistory(dir)).rejects.toThrow(/EISDIR/);
});
