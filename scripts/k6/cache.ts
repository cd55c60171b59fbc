/**
 * Where an obtained k6 is kept between runs, and how it gets there: written under a name of its own, checked for its
 * version, then renamed. Two runs at once do the work twice at worst; neither ever sees half a file.
 */
import { randomUUID } from 'node:crypto';
import { access, chmod, constants, mkdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isUsable, K6_VERSION, k6Version, type ProcessContext } from './version.ts';

export interface Platform {
  /** As in the names of the release files: linux, macos, windows. */
  readonly os: string;
  /** amd64 or arm64. */
  readonly arch: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const operatingSystems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** This machine in the words of k6's releases; unknown ones keep Node's name and have no release. */
export function thisPlatform(platform: string = process.platform, arch: string = process.arch): Platform {
  return { os: operatingSystems[platform] ?? platform, arch: architectures[arch] ?? arch };
}

/** The user's cache directory for proofload, by the custom of the operating system; XDG_CACHE_HOME wins everywhere. */
export function cacheDirectory(env: Environment, platform: Platform = thisPlatform()): string {
  const base = env.XDG_CACHE_HOME || defaultCache(env, platform);
  return join(base, 'proofload');
}

function defaultCache(env: Environment, platform: Platform): string {
  const home = env.HOME || homedir();
  if (platform.os === 'windows') return env.LOCALAPPDATA || join(home, 'AppData', 'Local');
  return platform.os === 'macos' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}

export function executableName(platform: Platform): string {
  return platform.os === 'windows' ? 'k6.exe' : 'k6';
}

/** Full path of the executable in that cache. */
export function cachedPath(directory: string, platform: Platform = thisPlatform()): string {
  const suffix = platform.os === 'windows' ? '.exe' : '';
  return join(directory, `k6-${K6_VERSION}-${platform.os}-${platform.arch}${suffix}`);
}

/**
 * The cache directory, or a temporary one of this user where that can't be written: a home that is read-only or missing is
 * usual in containers.
 */
export async function writableCache(env: Environment, platform: Platform = thisPlatform()): Promise<string> {
  const usual = cacheDirectory(env, platform);
  try {
    await mkdir(usual, { recursive: true });
    await access(usual, constants.W_OK);
    return usual;
  } catch {
    const { username } = userInfo();
    return join(tmpdir(), `proofload-cache-${username}`);
  }
}

/**
 * Lets `make` write an executable next to `path`, proves that it is a suitable k6, and moves it there. Throws what
 * `make` throws, or an error that says what is wrong with the file; leaves nothing behind then.
 */
export async function install(
  path: string,
  make: (temporary: string) => Promise<void>,
  context: ProcessContext,
): Promise<string> {
  const temporary = `${path}.${randomUUID()}.tmp${path.endsWith('.exe') ? '.exe' : ''}`;
  await mkdir(join(path, '..'), { recursive: true });
  try {
    await make(temporary);
    await chmod(temporary, 0o755);
    const version = await k6Version(temporary, context);
    if (!isUsable(version)) throw new Error(`it is k6 ${version}`);
    await rename(temporary, path);
    return version;
  } finally {
    await rm(temporary, { force: true });
  }
}
