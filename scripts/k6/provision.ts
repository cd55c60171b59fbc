/**
 * Gets a k6 that can run the scenarios, by the first way that works: K6_BIN, `k6` on the PATH, our cache, the official
 * release, a build from source. Only K6_BIN is binding: if it can't be used, that is an error.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../schemas/error-code.ts';
import type { Progress } from '../../schemas/progress.ts';
import { UsageError } from '../../schemas/target.ts';
import { packageRoot } from '../package.ts';
import { cacheDirectory, cachedPath, install, thisPlatform, writableCache } from './cache.ts';
import { downloadRelease } from './release.ts';
import { isUsable, K6_VERSION, k6Version, type ProcessContext, reasonOf } from './version.ts';

// k6 built from source with Go: needs a Go toolchain and a module proxy, but no access to the release server. The
// go.mod and go.sum in this folder pin every module and its checksum.

const MINIMUM = { major: 1, minor: 25 };
const BUILD_TIMEOUT_MS = 15 * 60_000;
const run = promisify(execFile);

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws unless a Go toolchain is there that can build k6. */
async function requireGo(env: Environment, signal: AbortSignal): Promise<void> {
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
async function buildFromSource(destination: string, env: Environment, signal: AbortSignal): Promise<void> {
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

export interface K6 {
  readonly path: string;
  /** As k6 says it, e.g. `v2.2.0`. */
  readonly version: string;
  /** How it was come by, for the log. */
  readonly how: string;
}

export interface ProvisionInput {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The server of the releases; a test uses its own. */
  readonly releases?: string;
}

/**
 * Throws UsageError that lists the ways out when none works, and the signal's reason when it is aborted. What it
 * downloads or builds is kept in the user's cache directory.
 */
export async function provisionK6(input: ProvisionInput): Promise<K6> {
  const { env, signal, progress } = input;
  if (env.K6_BIN) return explicit(env.K6_BIN, input);

  const directory = await writableCache(env);
  if (directory !== cacheDirectory(env)) {
    progress.note(`k6: ${cacheDirectory(env)} can't be written, so it is kept in ${directory}`);
  }
  const cached = cachedPath(directory);
  const present = (await usable('k6', 'from the PATH', input)) ?? (await usable(cached, 'from the cache', input));
  if (present) return present;

  const failures: string[] = [];
  for (const way of ways(input)) {
    signal.throwIfAborted();
    progress.note(`k6: ${way.doing}`);
    try {
      await way.ready();
      const version = await install(cached, way.make, input);
      return { path: cached, version, how: way.how };
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${way.name}: ${reasonOf(error)}`);
      progress.note(`k6: that failed: ${reasonOf(error)}`);
    }
  }
  throw new UsageError(
    `k6 2 is needed and could not be obtained (${failures.join('; ')}).\n` +
      'Install k6 2 so that it is on the PATH, set K6_BIN to it, or install Go 1.25 so that it can be built.',
  );
}

interface Way {
  readonly name: string;
  readonly doing: string;
  readonly how: string;
  readonly ready: () => Promise<void>;
  readonly make: (path: string) => Promise<void>;
}

function ways({ env, signal, releases }: ProvisionInput): readonly Way[] {
  const platform = thisPlatform();
  return [
    {
      name: 'download',
      doing: `fetching the release ${K6_VERSION} for ${platform.os}-${platform.arch}`,
      how: 'downloaded',
      ready: async () => {},
      make: (path) =>
        downloadRelease(path, { platform, signal, ...(releases === undefined ? {} : { base: releases }) }),
    },
    {
      name: 'build',
      doing: `building ${K6_VERSION} with Go, which takes about a minute`,
      how: 'built with Go',
      ready: () => requireGo(env, signal),
      make: (path) => buildFromSource(path, env, signal),
    },
  ];
}

async function explicit(path: string, context: ProcessContext): Promise<K6> {
  let version: string;
  try {
    version = await k6Version(path, context);
  } catch (error) {
    context.signal.throwIfAborted();
    throw new UsageError(`K6_BIN is not a k6 that can be run: ${path}: ${reasonOf(error)}`);
  }
  if (!isUsable(version)) throw new UsageError(`K6_BIN is k6 ${version}, but k6 2 is needed: ${path}`);
  return { path, version, how: 'from K6_BIN' };
}

async function usable(path: string, how: string, context: ProcessContext): Promise<K6 | null> {
  try {
    const version = await k6Version(path, context);
    return isUsable(version) ? { path, version, how } : null;
  } catch {
    context.signal.throwIfAborted();
    return null;
  }
}
