/** What `proofload distribute` writes, read by kustomize, which is built from source. Skipped where it can't be. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { cli, KEY, temporaryDirectory } from './support/cli.ts';

const run = promisify(execFile);
const MODULE = join(import.meta.dirname, 'kustomize');
const VERSION = 'v5.7.1';

async function kustomize(): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'proofload');
  const path = join(cache, `kustomize-${VERSION}`);
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  const made = `${path}.${process.pid}`;
  const env = { ...process.env, CGO_ENABLED: '0' };
  await run('go', ['build', '-o', made, 'sigs.k8s.io/kustomize/kustomize/v5'], { cwd: MODULE, env });
  await rename(made, path);
  return path;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
}

async function built(tool: string, directory: string): Promise<Manifest[]> {
  const { stdout } = await run(tool, ['build', directory], { maxBuffer: 10_000_000 });
  return parseAllDocuments(stdout).map((one) => one.toJS() as Manifest);
}

test('the directory is a kustomization, and the manifests in it are resources', {
  timeout: 600_000,
}, async (context) => {
  const tool = await kustomize().catch((error: Error) => error);
  if (tool instanceof Error) return context.skip(`kustomize can't be built here: ${tool.message.split('\n').at(-1)}`);
  const directory = join(temporaryDirectory(), 'distributed');
  const target = ['--base-url', 'https://a.example', '--job-base-url', 'https://b.example', '--inst-id', 'inst-1'];
  const { code, stderr } = await cli(['distribute', ...target, '--runners', '20', '--out', directory], {
    env: { PROOFLOAD_ACCESS_KEY: KEY },
  });
  expect([code, stderr]).toEqual([0, '']);
  const manifests = await built(tool, directory);
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([
    'ConfigMap',
    'NetworkPolicy',
    'PersistentVolumeClaim',
    'Pod',
  ]);
  const [scripts] = manifests.filter(({ kind }) => kind === 'ConfigMap');
  // The name that the TestRuns have, without a hash behind it.
  expect(scripts?.metadata.name).toBe('proofload-scripts');
  const files = Object.keys(scripts?.data ?? {});
  expect(files).toEqual(
    expect.arrayContaining(['rate.js', 'unlimited.js', 'status.rate.json', 'health.unlimited.json']),
  );
  expect(JSON.stringify(scripts).length).toBeLessThan(1_048_576);
  expect(JSON.stringify(manifests)).not.toContain(KEY);

  const runs = files.filter((name) => name.endsWith('.json')).map((name) => name.replace(/\.json$/, ''));
  const resources = runs.map((id) => `proofload-${id.replace('.', '-')}.yaml`);
  const testRuns = join(directory, 'testruns');
  await writeFile(join(testRuns, 'kustomization.yaml'), `resources: [${resources.join(', ')}]\n`);
  const kinds = (await built(tool, testRuns)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(kinds.sort()).toEqual(resources.map((name) => `TestRun ${name.replace('.yaml', '')}`).sort());
});
