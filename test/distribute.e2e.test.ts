/**
 * A distributed run without a cluster: what `proofload distribute` wrote is started as k6-operator starts it, by its command
 * line and the environment of its manifests, and what the runners leave is judged.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { segmentOf } from '../scenarios/k6/lib/segments.ts';
import { silent } from '../schemas/progress.ts';
import type { Results } from '../schemas/results.ts';
import { provisionK6 } from '../scripts/k6/provision.ts';
import { cli, type Ended, KEY, type ServedReference, serveReference, temporaryDirectory } from './support/cli.ts';

const RUNNERS = 3;
const LEAD_MS = 6000;

interface Container {
  readonly args: readonly string[];
  readonly script: { readonly configMap: { readonly file: string } };
  readonly runner: { readonly env: readonly { readonly name: string; readonly value?: string }[] };
}

const home = temporaryDirectory();
const directory = join(home, 'distributed');
const ledgers = join(directory, 'ledgers');
let reference: ServedReference;
let k6 = '';

beforeAll(async () => {
  reference = await serveReference(['--set', 'windows.cancel.rate=2000']);
  k6 = (await provisionK6({ progress: silent, signal: new AbortController().signal, env: process.env })).path;
  const config = join(home, 'proofload.yaml');
  await writeFile(config, `${reference.config}limits:\n  - { id: cancel.rate, value: 100, window: 2s }\n`);
  const requested = ['--config', config, '--runners', String(RUNNERS), '--out', directory, '--only', 'cancel.*'];
  const { code, stdout, stderr } = await cli(['distribute', ...requested], { env: reference.env });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('3 runners for each of 1 probes');
});
afterAll(() => reference.stop());

/** One pod: the directory is what the ConfigMap mounts. */
async function startRunner(index: number, startAtMs: number): Promise<void> {
  const text = await readFile(join(directory, 'testruns', 'proofload-cancel-rate.yaml'), 'utf8');
  const { args, script, runner }: Container = parse(text).spec;
  const own: Readonly<Record<string, string>> = {
    POD_NAME: `proofload-cancel-rate-${index + 1}-x${index}`,
    START_AT: String(startAtMs),
    TARGET_KEY: KEY,
  };
  const env = Object.fromEntries(
    runner.env.map(({ name, value }) => [name, own[name] ?? value?.replace(/^\/test/, directory) ?? '']),
  );
  const { segment, sequence } = segmentOf(index, RUNNERS);
  const placed = args.map((word) =>
    word.replace(/^\/results/, ledgers).replace(/\$\((\w+)\)/g, (_, name: string) => env[name] ?? ''),
  );
  await promisify(execFile)(
    k6,
    [
      ...['run', '--quiet', `--execution-segment=${segment}`, `--execution-segment-sequence=${sequence}`, ...placed],
      ...[join(directory, script.configMap.file), '--tag', `instance_id=${index + 1}`],
    ],
    { env: { PATH: process.env.PATH ?? '', HOME: home, ...env } },
  );
}

async function judged(): Promise<Pick<Ended, 'code'> & { readonly results: Results }> {
  const { code, stdout } = await cli(['report', directory, '--json'], { cwd: temporaryDirectory() });
  return { code, results: JSON.parse(stdout) };
}

test('three pods that start as late as the operator makes them come to one verdict', async () => {
  await mkdir(ledgers, { recursive: true });
  const startAtMs = Date.now() + LEAD_MS;
  const startLate = async (index: number) => {
    await new Promise((resolve) => setTimeout(resolve, 700 * index));
    await startRunner(index, startAtMs);
  };
  await Promise.all([0, 1, 2].map(startLate));
  expect((await readdir(ledgers)).sort()).toEqual(
    [1, 2, 3].map((pod) => `cancel.rate.proofload-cancel-rate-${pod}-x${pod - 1}.ndjson`),
  );

  const { code, results } = await judged();
  const broken = results.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');
  expect(broken.map(({ id, observed, reason }) => ({ id, observed, reason }))).toEqual([]);
  expect(code).toBe(0);
  expect(results.limits.map(({ id, measured }) => [id, measured?.lower, measured?.upper])).toEqual([
    ['cancel.rate', 100, 100],
  ]);
  const [health] = results.run.generator?.probes ?? [];
  expect(health?.runners).toMatchObject({ count: 3, faults: [] });
  expect(health?.runners?.skewMs).toBeGreaterThan(500);
  expect(health?.runners?.errorMs).toBeLessThan(50);
});

test('half of a ledger, and none, are no pass', async () => {
  const [first = '', second = ''] = (await readdir(ledgers)).sort();
  const file = join(ledgers, first);
  await truncate(file, Math.floor((await readFile(file)).length / 2));
  await rm(join(ledgers, second));
  const { results } = await judged();
  const guarantee = results.checks.find(({ id }) => id === 'cancel.rate.guarantee');
  expect(guarantee).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('runner 1 of 3') });
  expect(results.run.generator?.probes[0]?.runners?.faults).toEqual([
    'the ledger of runner 1 of 3 has no end',
    'runner 2 of 3 left no ledger',
  ]);
});

test('no key is in what is written', async () => {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  for (const file of files) expect(await readFile(file, 'utf8')).not.toContain(KEY);
});

test('without ledgers there is nothing to judge', async () => {
  await rm(ledgers, { recursive: true });
  const { code, stderr } = await cli(['report', directory]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('copy there what the runners left')]);
});
