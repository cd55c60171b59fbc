/** The pages of docs/contributing.md, followed to the letter, one after the other, on a copy of the sources. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Limiter, rateParameters, simulateRate } from '../scenarios/testing/rate-simulation.ts';
import type { Results } from '../schemas/results.ts';
import { packageRoot } from '../scripts/package.ts';
import { cli, serveReference, temporaryDirectory } from './support/cli.ts';

const root = packageRoot();
const SOURCES = ['schemas', 'conformance', 'scenarios', 'reference', 'reports', 'scripts', 'package.json', 'docs'];

function copyOfSources(): string {
  const copy = temporaryDirectory();
  for (const name of SOURCES) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/\.test\.ts$|\/testing(\/|$)/.test(path),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** What a page says: each block of code names its file, and the line that it goes before or replaces unless the file is new. */
function follow(page: string, copy: string): number {
  const text = readFileSync(join(root, 'docs', 'contributing.md'), 'utf8');
  const own = text.split(/^## /m).find((one) => one.startsWith(`${page}\n`)) ?? '';
  const blocks = [...own.matchAll(/^```ts\n\/\/ ([^\s,]+)(?:, (before|in place of) "([^\n]*)")?\n([\s\S]*?)^```$/gm)];
  for (const [, name = '', where, line, code = ''] of blocks) {
    const file = join(copy, name);
    mkdirSync(dirname(file), { recursive: true });
    if (line === undefined) {
      writeFileSync(file, code);
      continue;
    }
    const lines = readFileSync(file, 'utf8').split('\n');
    const at = lines.findLastIndex((one) => one.startsWith(line));
    expect(at, `${name} has no line ${line}`).toBeGreaterThanOrEqual(0);
    const rest = lines.slice(where === 'before' ? at : at + 1);
    writeFileSync(file, [...lines.slice(0, at), code.trimEnd(), ...rest].join('\n'));
  }
  return blocks.length;
}

/** Compiles the copy, so that it runs without a test runner. */
function built(copy: string): void {
  writeFileSync(join(copy, 'tsconfig.json'), readFileSync(join(root, 'tsconfig.json')));
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'tsconfig.build.json'), JSON.stringify(config));
  const reported = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  );
  expect(reported.stdout).toBe('');
}

const shown = (copy: string, script: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: copy, encoding: 'utf8' }).trim(),
  );

/** What checks of these ids come to on the reference, and the probes of a plan that begin so. */
const outcomes = (pattern: string): string => `
  import { allChecks } from './dist/conformance/checks/index.js';
  import { runPlain } from './dist/conformance/run/plain.js';
  import { openReference } from './dist/conformance/target/in-process.js';
  import { planLoad } from './dist/scenarios/index.js';
  const target = openReference();
  const checks = allChecks.filter(({ id }) => ${pattern}.test(id));
  const facts = await runPlain(checks, { target, profile: 'gate', signal: new AbortController().signal });
  const plan = planLoad({ target: { ...target.config, kind: 'remote' }, profile: 'gate', only: [], calibration: null });
  const broken = facts.filter(({ outcome }) => outcome.kind !== 'ran' || outcome.expectations.some((one) => !one.holds));
  console.log(JSON.stringify({
    checks: facts.length > 0,
    broken: broken.map(({ id, outcome }) => [id, outcome]),
    probes: plan.probes.map(({ id }) => id).filter((id) => ${pattern}.test(id)),
  }));
`;

const PATIENCE_MS = 240_000;

/** So many blocks of code are on each page. */
const PAGES = {
  'An operation': 12,
  'A limit': 1,
  'A kind of limit': 20,
  'A contract check': 1,
  'A mutant': 1,
  'A limiter': 3,
} as const;

let copy = '';

beforeAll(() => {
  copy = copyOfSources();
  const followed = Object.keys(PAGES).map((page) => [page, follow(page, copy)]);
  expect(Object.fromEntries(followed)).toEqual(PAGES);
  built(copy);
}, PATIENCE_MS);

test('an operation, and a limit of it', { timeout: PATIENCE_MS }, () => {
  const seen = shown(copy, outcomes('/^retry\\./'));
  expect(seen).toEqual({ checks: true, broken: [], probes: ['retry.concurrency', 'retry.rate'] });
});

test('a kind of limit', { timeout: PATIENCE_MS }, async () => {
  execFileSync(process.execPath, ['dist/scripts/bundle.js'], { cwd: copy });
  const main = join(copy, 'dist', 'scripts', 'main.js');
  for (const [setting, value, code] of [
    ['4000', { lower: 4000, upper: 4000 }, 0],
    ['3999', null, 1],
    ['off', { lower: 4000, upper: null }, 1],
  ] as const) {
    const { url, env, stop } = await serveReference(['--set', `limits.models.url=${setting}`], main);
    const requested = ['--base-url', url, '--only', 'models.url.*', '--json'];
    const ended = await cli(['load', ...requested], { main, env });
    await stop();
    const { limits } = JSON.parse(ended.stdout) as Results;
    expect(limits).toMatchObject([{ id: 'models.url', measured: value }]);
    expect(ended.code, ended.stderr).toBe(code);
  }
});

test('a check and a mutant', { timeout: PATIENCE_MS }, () => {
  const seen = shown(copy, outcomes('/^health\\.twice$/'));
  expect(seen).toEqual({ checks: true, broken: [], probes: [] });
  const names = shown(
    copy,
    "import { mutants } from './dist/reference/mutants.js'; console.log(JSON.stringify(mutants.map(({ name }) => name)))",
  );
  expect(names).toContain('health-not-found-with-a-query');
});

/** As the page says: a log, and no more than a quarter of it in a tenth of its window. */
function spread(limit: number, windowMs: number): Limiter {
  let admitted: number[] = [];
  return (atMs) => {
    admitted = admitted.filter((ms) => ms > atMs - windowMs);
    const lately = admitted.filter((ms) => ms > atMs - windowMs / 10).length;
    if (admitted.length >= limit || 4 * lately >= limit) return false;
    admitted.push(atMs);
    return true;
  };
}

test('a limiter', { timeout: PATIENCE_MS }, () => {
  const parameters = rateParameters(100, 10_000);
  writeFileSync(join(copy, 'ledger'), simulateRate(parameters, spread(100, 10_000), { beginsAtMs: 123 }));
  const survivors = shown(
    copy,
    `
    import { readFileSync } from 'node:fs';
    import { analyseRate } from './dist/scenarios/kinds/rate/measure/index.js';
    import { decodeLedger } from './dist/schemas/ledger.js';
    const ledger = decodeLedger(readFileSync('ledger', 'utf8'));
    console.log(JSON.stringify(analyseRate(${JSON.stringify(parameters)}, ledger, 0).survivors));
  `,
  );
  expect(survivors).toMatchObject([{ name: 'sliding log that spreads', value: { lower: 100, upper: 100 } }]);
});
