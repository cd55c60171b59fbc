/** What k6 makes of its execution segments: each connection and each slot is one runner's, whatever their number. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silent } from '../../schemas/progress.ts';
import { provisionK6 } from '../../scripts/k6/provision.ts';
import { k6Arguments } from './k6-process.ts';

const SCRIPT = `import { scenario } from 'k6/execution';
const own = { executor: 'per-vu-iterations', iterations: 1 };
export const options = { scenarios: {
  burst: { ...own, exec: 'burst', vus: 50 },
  polls: { ...own, exec: 'polls', vus: 1 },
  pace: { executor: 'shared-iterations', exec: 'pace', vus: 20, iterations: 333 },
} };
const tell = (what) => () => console.log(what + ' ' + scenario.iterationInTest);
export const burst = tell('burst');
export const polls = tell('polls');
export const pace = tell('pace');
`;

let folder = '';
let k6 = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofload-segments-'));
  k6 = (await provisionK6({ progress: silent, signal: new AbortController().signal, env: process.env })).path;
  await writeFile(join(folder, 'script.js'), SCRIPT);
  await writeFile(join(folder, 'config.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([1, 2, 3, 7, 200])('%i runners have all of it once', async (count) => {
  const files = { script: join(folder, 'script.js'), configFile: join(folder, 'config.json') };
  const lines: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const ledgerFile = join(folder, `${count}.${index}`);
    await promisify(execFile)(k6, k6Arguments({ ...files, ledgerFile, part: { index, count } }));
    lines.push(...(await readFile(ledgerFile, 'utf8')).split('\n'));
  }
  const of = (what: string) =>
    lines.flatMap((line) => (line.startsWith(`${what} `) ? [Number(line.split(' ')[1])] : [])).sort((a, b) => a - b);
  expect(of('burst')).toEqual(Array.from({ length: 50 }, (_, place) => place));
  expect(of('polls')).toEqual([0]);
  expect(of('pace')).toEqual(Array.from({ length: 333 }, (_, place) => place));
});
