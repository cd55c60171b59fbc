/**
 * The official release of k6: the archive for this platform, checked against its published checksums. Times out soon
 * when the network can't be reached, because another way may follow.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { deadline } from '../../scenarios/execute/deadline.ts';
import { executableName, type Platform } from './cache.ts';
import { K6_VERSION } from './version.ts';

export const RELEASES = 'https://github.com/grafana/k6/releases/download';

const CONNECT_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 180_000;
const supported = ['linux-amd64', 'linux-arm64', 'macos-amd64', 'macos-arm64', 'windows-amd64'];

const run = promisify(execFile);

export interface ReleaseSource {
  readonly platform: Platform;
  /** Address above the version's folder; a test puts its own server here. */
  readonly base?: string;
  readonly signal: AbortSignal;
}

/** Writes the executable to `destination`. Throws when there is no release, no network, or a wrong checksum. */
export async function downloadRelease(destination: string, source: ReleaseSource): Promise<void> {
  const { platform, base = RELEASES } = source;
  const slug = `${platform.os}-${platform.arch}`;
  if (!supported.includes(slug)) throw new Error(`there is no release for ${slug}`);
  const folder = `k6-${K6_VERSION}-${slug}`;
  const archive = `${folder}.${platform.os === 'linux' ? 'tar.gz' : 'zip'}`;
  const { signal, over } = deadline(source.signal, DOWNLOAD_TIMEOUT_MS);
  const checksums = await get(`${base}/${K6_VERSION}/k6-${K6_VERSION}-checksums.txt`, signal);
  const expected = checksumOf(archive, checksums.toString('utf8'));
  const bytes = await get(`${base}/${K6_VERSION}/${archive}`, signal);
  over();
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== expected) throw new Error(`${archive} doesn't match its published checksum`);
  await extract(bytes, `${folder}/${executableName(platform)}`, destination);
}

/** The SHA-256 of a file in a list of `HEX  NAME` lines. Throws when it isn't listed. */
export function checksumOf(file: string, list: string): string {
  for (const line of list.split('\n')) {
    const [hash, name] = line.trim().split(/\s+\*?/);
    if (name === file && hash !== undefined && /^[0-9a-f]{64}$/i.test(hash)) return hash.toLowerCase();
  }
  throw new Error(`the published checksums don't list ${file}`);
}

async function get(url: string, signal: AbortSignal): Promise<Buffer> {
  const dispatcher = new EnvHttpProxyAgent({ connect: { timeout: CONNECT_TIMEOUT_MS } });
  try {
    const response = await fetch(url, { dispatcher, signal });
    if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } finally {
    await dispatcher.destroy();
  }
}

async function extract(archive: Buffer, member: string, destination: string): Promise<void> {
  if (archive.subarray(0, 2).toString('latin1') === 'PK') {
    const file = unzipSync(archive, { filter: ({ name }) => name === member })[member];
    if (file === undefined) throw new Error(`the archive doesn't hold ${member}`);
    await writeFile(destination, file);
    return;
  }
  const directory = await mkdtemp(join(dirname(destination), 'extract-'));
  try {
    await writeFile(join(directory, 'k6.tar.gz'), archive);
    await run('tar', ['-xzf', 'k6.tar.gz', member], { cwd: directory });
    await rename(join(directory, member), destination);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
