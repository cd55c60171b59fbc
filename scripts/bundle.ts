/**
 * The second half of `npm run build`: k6 runs one file and knows no node_modules, so every script in scenarios/k6 is
 * bundled with what it imports. Also makes the command executable and removes output whose source is gone.
 */
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from './package.ts';

const root = packageRoot();
const dist = join(root, 'dist');
const scenarios = join(root, 'scenarios', 'k6');

const entries = readdirSync(scenarios).filter((name) => name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(name));
if (entries.length > 0) {
  await build({
    entryPoints: entries.map((name) => join(scenarios, name)),
    outdir: join(dist, 'k6'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['k6', 'k6/*'],
    logLevel: 'warning',
  });
}

/** A check that was renamed or deleted would otherwise go on running from its old output. */
function isStale(file: string): boolean {
  const path = relative(dist, file);
  const source = path.startsWith('k6') ? join('scenarios', path) : path;
  return path.endsWith('.js') && !existsSync(join(root, source.replace(/\.js$/, '.ts')));
}

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && isStale(file)) rmSync(file);
}

chmodSync(join(dist, 'scripts', 'main.js'), 0o755);
