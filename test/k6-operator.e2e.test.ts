/** What is known of a TestRun stands as k6-operator publishes it. Skipped where cargo can't fetch its types. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { testRunSpec } from './k6-operator/schema.ts';
import { temporaryDirectory } from './support/cli.ts';

const run = promisify(execFile);
const OWN = join(import.meta.dirname, 'k6-operator');

/** The Rust module of TestRun, fetched with the version that stands in Cargo.toml. */
async function fetched(): Promise<string> {
  const directory = temporaryDirectory();
  cpSync(join(OWN, 'Cargo.toml'), join(directory, 'Cargo.toml'));
  mkdirSync(join(directory, 'src'));
  writeFileSync(join(directory, 'src', 'lib.rs'), '');
  await run('cargo', ['fetch', '--quiet'], { cwd: directory });
  const crate = /kcr_k6_io = "=([^"]+)"/.exec(readFileSync(join(OWN, 'Cargo.toml'), 'utf8'))?.[1];
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry', 'src');
  const [index = ''] = readdirSync(sources).filter((one) =>
    readdirSync(join(sources, one)).includes(`kcr_k6_io-${crate}`),
  );
  return readFileSync(join(sources, index, `kcr_k6_io-${crate}`, 'src', 'v1alpha1', 'testruns.rs'), 'utf8');
}

test('the schema of a TestRun is the one that its published types have', { timeout: 300_000 }, async (context) => {
  const source = await fetched().catch((error: Error) => error);
  if (source instanceof Error) return context.skip(`cargo can't fetch it here: ${source.message.split('\n').at(-1)}`);
  const made = testRunSpec(source);
  await expect(`${JSON.stringify(made)}\n`).toMatchFileSnapshot('k6-operator/testrun.json');
});
