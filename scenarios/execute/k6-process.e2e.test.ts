/** The k6 process as a process: what becomes of one that hangs, cannot start, or fails without saying so. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type K6Run, runK6 } from './k6-process.ts';
import { packageRoot } from './script.ts';
import { type Bench, makeBench, marksOf } from './testing/probe.ts';

let folder: string;
let bench: Bench | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofload-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => bench?.close());

/** A stand-in for k6 that runs these lines of shell. */
async function standIn(lines: string): Promise<string> {
  const file = join(folder, 'stand-in');
  await writeFile(file, `#!/bin/sh\n${lines}\n`);
  await chmod(file, 0o755);
  return file;
}

const run = (k6Bin: string, rest: Partial<K6Run> = {}): K6Run => ({
  k6Bin,
  script: 'script.js',
  ledgerFile: join(folder, 'ledger'),
  logFile: join(folder, 'log'),
  configFile: join(folder, 'config.json'),
  env: {},
  deadlineMs: 30_000,
  signal: new AbortController().signal,
  ...rest,
});

/** Runs a program in a Node of its own until it exits. */
function nodeRuns(program: string): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], (error, _, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

const log = () => readFile(join(folder, 'log'), 'utf8');

test('what it prints and its exit code are in the log', async () => {
  const outcome = await runK6(run(await standIn('echo to stdout; echo to stderr >&2; exit 107')));
  expect(outcome).toEqual({ exitCode: 107, stopped: null });
  expect(await log()).toBe('to stdout\nto stderr\nproofload: k6 ended with exit code 107\n');
});

test('one that outlives its deadline is stopped, with everything it started', async () => {
  const lines = `trap '' TERM; (trap '' TERM; while :; do echo alive; sleep 0.05; done) & wait`;
  const outcome = await runK6(run(await standIn(lines), { deadlineMs: 300 }));
  expect(outcome).toEqual({ exitCode: null, stopped: 'deadline' });
  const last = await log();
  expect(last).toContain('exit code none, stopped at its deadline');
  await delay(300);
  expect(await log()).toBe(last);
});

test('an abort ends it with a signal that it can act on', async () => {
  const stop = new AbortController();
  const lines = `trap 'echo cleaned; exit 105' TERM; echo ready; while :; do sleep 0.05; done`;
  const running = runK6(run(await standIn(lines), { signal: stop.signal }));
  await vi.waitFor(async () => expect(await log()).toContain('ready'));
  stop.abort();
  expect(await running).toEqual({ exitCode: 105, stopped: 'abort' });
  expect(await log()).toContain('cleaned');
});

test('a dozen at once are as quiet as one, and none outlives this process', async () => {
  const count = 12;
  const pids = join(folder, 'pids');
  // For ten seconds at most, should one outlive it.
  const k6Bin = await standIn(`trap '' TERM; echo $$ >> ${pids}; for i in $(seq 200); do echo alive; sleep 0.05; done`);
  const module = pathToFileURL(join(packageRoot(), 'dist', 'scenarios', 'execute', 'k6-process.js'));
  const { signal: _, ...one } = run(k6Bin);
  const program = `
    import { existsSync, readFileSync } from 'node:fs';
    import { runK6 } from ${JSON.stringify(module)};
    const start = () => runK6({ ...${JSON.stringify(one)}, signal: new AbortController().signal });
    for (let index = 0; index < ${count}; index += 1) start();
    const running = () => (existsSync(${JSON.stringify(pids)}) ? readFileSync(${JSON.stringify(pids)}, 'utf8') : '');
    setInterval(() => { if (running().split('\\n').length > ${count}) process.exit(7); }, 20);
  `;
  const { code, stderr } = await nodeRuns(program);
  expect({ code, stderr }).toEqual({ code: 7, stderr: '' });
  const last = await log();
  expect(last).toContain('alive');
  await delay(300);
  expect(await log()).toBe(last);
});

test('after an abort none is started', async () => {
  expect(await runK6(run('/does/not/exist', { signal: AbortSignal.abort() }))).toEqual({
    exitCode: null,
    stopped: 'abort',
  });
});

test('one that cannot be started is an error that names it', async () => {
  await expect(runK6(run('/does/not/exist'))).rejects.toThrow(/k6 could not be started \(\/does\/not\/exist\)/);
});

test('an exception in an iteration leaves the ledger without its end mark', async () => {
  bench = await makeBench();
  const load = { kind: 'unlimited', operation: 'chat', vus: 2, periodMs: 10, durationMs: 100, windowMs: 1000 } as const;
  const withoutInterfaceA = { url: 'http://127.0.0.1:9', baseUrl: null };
  const ledger = await bench.send({ ...load, instId: 'inst-1' }, withoutInterfaceA);
  expect(marksOf(ledger)).toEqual(['start']);
  expect(await bench.written()).toContain('an iteration failed');
});
