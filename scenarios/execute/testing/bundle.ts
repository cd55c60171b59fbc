/** Bundles the k6 scripts for a test from the sources as they are, so that no stale build is tested. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface TestScripts {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function bundleScripts(): Promise<TestScripts> {
  const source = fileURLToPath(new URL('../../k6', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'proofload-scripts-'));
  await build({
    entryPoints: readdirSync(source)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(source, name)),
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['k6', 'k6/*'],
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
