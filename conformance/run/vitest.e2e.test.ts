/**
 * The checks as they run for a user: compiled, inside a package in node_modules, started from somewhere else, under a
 * vitest of their own.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const installed = join(root, 'node_modules', `.conformance-e2e-${process.pid}`);
const elsewhere = mkdtempSync(join(tmpdir(), 'proofload-cwd-'));

const PROGRAM = `
import { runConformance } from './dist/conformance/index.js';
const [only, abortMs] = process.argv.slice(2);
const stop = new AbortController();
let advanced = 0;
const progress = { begin() {}, end() {}, note() {}, advance: (_id, done) => {
  advanced = done;
  if (abortMs && done >= Number(abortMs)) stop.abort(new Error('stopped'));
} };
const result = await runConformance({
  target: { kind: 'reference', baseUrl: null, jobBaseUrl: null, endpoints: [], model: null },
  credentials: { accessKey: 'key-of-this-run', jobKey: null, brokeKey: null, otherKey: null },
  profile: 'gate', runId: 'e2e', only: only ? [only] : [], progress, signal: stop.signal,
});
const isBroken = ({ outcome }) => outcome.kind !== 'ran' || outcome.expectations.some((one) => !one.holds);
const broken = result.facts.filter(isBroken);
process.stdout.write(JSON.stringify({
  declared: result.declared.map((one) => one.id), emitted: result.facts.map((one) => one.id), advanced,
  broken: broken.map((one) => [one.id, one.outcome]), leaked: JSON.stringify(result).includes('key-of-this-run'),
  exitCode: process.exitCode ?? null, key: process.env.PROOFLOAD_ACCESS_KEY ?? null,
}));
`;

interface Outcome {
  readonly declared: readonly string[];
  readonly emitted: readonly string[];
  readonly advanced: number;
  readonly broken: readonly unknown[];
  readonly leaked: boolean;
  readonly exitCode: number | null;
  readonly key: string | null;
}

beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const compile = promisify(execFile)(tsc, ['-p', 'tsconfig.build.json', '--outDir', join(installed, 'dist')], {
    cwd: root,
  });
  // Types are checked elsewhere; what matters here is what was written.
  await compile.catch(() => {});
  writeFileSync(join(installed, 'package.json'), '{"type":"module"}');
  writeFileSync(join(installed, 'program.js'), PROGRAM);
});

afterAll(() => {
  rmSync(installed, { recursive: true, force: true });
  rmSync(elsewhere, { recursive: true, force: true });
});

function run(...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { VITEST: _vitest, ...env } = process.env;
    const child = spawn(process.execPath, [join(installed, 'program.js'), ...args], { cwd: elsewhere, env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => {
      stdout += String(data);
    });
    child.stderr.on('data', (data) => {
      stderr += String(data);
    });
    child.on('close', () => {
      // Whatever vitest had printed would stand beside the one line of JSON.
      if (stderr === '' && stdout.startsWith('{')) resolve(JSON.parse(stdout) as Outcome);
      else reject(new Error(`unexpected output: ${stdout.slice(0, 2000)}${stderr.slice(0, 2000)}`));
    });
  });
}

test('all checks report, all hold, nothing is printed and no key leaves', async () => {
  const outcome = await run();
  expect(outcome.broken).toEqual([]);
  expect(outcome.emitted).toEqual(outcome.declared);
  expect(outcome.declared.length).toBeGreaterThan(200);
  expect(outcome).toMatchObject({ leaked: false, exitCode: null, key: null, advanced: outcome.declared.length });
});

test('only selected checks are declared and run', async () => {
  const outcome = await run('cancel.*');
  expect(outcome.declared.length).toBeGreaterThan(5);
  expect(outcome.declared.every((id) => id.startsWith('cancel.'))).toBe(true);
  expect(outcome.emitted).toEqual(outcome.declared);
});

test('an interrupted run hands over what it has', async () => {
  const outcome = await run('', '20');
  expect(outcome.emitted.length).toBeGreaterThanOrEqual(20);
  expect(outcome.emitted.length).toBeLessThan(outcome.declared.length);
  expect(outcome.exitCode).toBeNull();
});
