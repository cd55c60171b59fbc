/**
 * k6 built from source with Go: needs a Go toolchain and a module proxy, but no access to the release server. The
 * go.mod and go.sum beside this file pin every module and its checksum.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../schemas/error-code.ts';
import { packageRoot } from '../package.ts';

const MINIMUM = { major: 1, minor: 25 };
const BUILD_TIMEOUT_MS = 15 * 60_000;
const run = promisify(execFile);

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws unless a Go toolchain is there that can build k6. */
export async function requireGo(env: Environment, signal: AbortSignal): Promise<void> {
  let stdout: string;
  try {
    ({ stdout } = await run('go', ['version'], { env, signal, timeout: 20_000 }));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new Error('Go is not installed');
    throw error;
  }
  const [, major = '0', minor = '0'] = /\bgo(\d+)\.(\d+)/.exec(stdout) ?? [];
  if (Number(major) === MINIMUM.major && Number(minor) < MINIMUM.minor) {
    throw new Error(`Go ${major}.${minor} is too old, ${MINIMUM.major}.${MINIMUM.minor} is needed`);
  }
}

/** Builds into `destination`; about a minute on two cores with an empty cache. Throws the compiler's last line. */
export async function buildFromSource(destination: string, env: Environment, signal: AbortSignal): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'proofload-k6-'));
  try {
    for (const file of ['go.mod', 'go.sum', 'tools.go']) {
      await copyFile(join(packageRoot(), 'scripts', 'k6', file), join(directory, file));
    }
    const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', destination, 'go.k6.io/k6/v2'];
    await run('go', args, { cwd: directory, env: { CGO_ENABLED: '0', ...env }, signal, timeout: BUILD_TIMEOUT_MS });
  } catch (error) {
    throw new Error(lastLine(error));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function lastLine(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const line = stderr.split('\n').at(-1);
  if (line !== undefined && line !== '') return line;
  return error instanceof Error ? error.message : String(error);
}
