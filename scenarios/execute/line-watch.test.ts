import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { watchLines } from './line-watch.ts';

test('lines are counted as the file grows, from before it exists', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proofload-test-'));
  const file = join(folder, 'ledger');
  const reported: number[] = [];
  const each: string[] = [];
  const watch = watchLines(
    file,
    (lines) => reported.push(lines),
    (line) => each.push(line),
    5,
  );
  try {
    await writeFile(file, 'one\ntwo\nthr');
    await vi.waitFor(() => expect(reported.at(-1)).toBe(2));
    await appendFile(file, 'ee\nfour\n');
    await vi.waitFor(() => expect(reported.at(-1)).toBe(4));
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    expect(each).toEqual(['one', 'two', 'three', 'four']);
  } finally {
    watch.stop();
    await rm(folder, { recursive: true });
  }
});
