/** Processes that end their runs at the same moment, on one history file. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHistory } from './file.ts';
import { nightLine } from './testing/fixtures.ts';

const built = pathToFileURL(resolve('dist/reports/history/file.js')).href;
const PROCESSES = 4;
const LINES = 40;

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'proofload-history-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Appends its lines as fast as it can. */
const writer = `
  const [built, path, linePath, from] = process.argv.slice(1);
  const { appendHistory } = await import(built);
  const { readFileSync } = await import('node:fs');
  const line = JSON.parse(readFileSync(linePath, 'utf8'));
  for (let index = 0; index < ${LINES}; index += 1) {
    const id = 'writer-' + from + '-' + index;
    await appendHistory(path, { ...line, run: { ...line.run, id } });
  }
`;

test('no line of any process is lost', async () => {
  const [path, linePath] = [join(dir, 'history.ndjson'), join(dir, 'line.json')];
  await writeFile(linePath, JSON.stringify(nightLine(0)));
  const run = (from: number) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', writer, built, path, linePath, String(from)]);
  await Promise.all(Array.from({ length: PROCESSES }, (_, from) => run(from)));
  const { lines, unreadable } = await readHistory(path);
  const mine = lines.filter((one) => one.run.id.startsWith('writer-'));
  expect(unreadable).toBe(0);
  expect(mine).toHaveLength(PROCESSES * LINES);
});
