/** Stand-ins for k6, Go and the release server, so that every way to a k6 can be tested in a moment and offline. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { type Platform, thisPlatform } from '../cache.ts';
import { K6_VERSION } from '../version.ts';

export function k6Script(version: string): string {
  return `#!/bin/sh\necho "$(/usr/bin/basename "$0") ${version} (go1.25.0, linux/amd64)"\n`;
}

/** A directory for one test: `bin` to be put on a PATH, `cache` for XDG_CACHE_HOME. */
export function playground(): { root: string; bin: string; env: Record<string, string> } {
  const root = mkdtempSync(join(tmpdir(), 'proofload-k6-test-'));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  return { root, bin, env: { PATH: bin, XDG_CACHE_HOME: join(root, 'cache'), HOME: root } };
}

export function executable(path: string, text: string): string {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** A `go` that reports a version and "builds" the given k6; its calls are appended to `calls`. */
export function fakeGo(bin: string, version: string, builds: string): string {
  const product = executable(join(bin, 'product'), builds);
  const calls = join(bin, 'calls');
  const script = `#!/bin/sh
if [ "$1" = version ]; then echo "go version go${version} linux/amd64"; exit 0; fi
/bin/grep -q "go.k6.io/k6/v2 ${K6_VERSION}" go.mod || { echo "no go.mod here" >&2; exit 1; }
echo "$*" >> "${calls}"
while [ "$#" -gt 0 ]; do
  if [ "$1" = -o ]; then /bin/cp "${product}" "$2"; exit 0; fi
  shift
done
echo "no output asked for" >&2; exit 1
`;
  executable(join(bin, 'go'), script);
  return calls;
}

export interface FakeReleases {
  readonly url: string;
  /** Requested paths, in order. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Serves the archive of one platform and its checksums the way the release page does. */
export async function fakeReleases(k6: string, options: { platform?: Platform; corrupt?: boolean } = {}) {
  const platform = options.platform ?? thisPlatform();
  const folder = `k6-${K6_VERSION}-${platform.os}-${platform.arch}`;
  const name = `${folder}.${platform.os === 'linux' ? 'tar.gz' : 'zip'}`;
  const archive = platform.os === 'linux' ? tarball(folder, k6) : zip(folder, k6, platform);
  const hash = createHash('sha256').update(archive).digest('hex');
  const listed = options.corrupt ? hash.replace(/^./, hash.startsWith('0') ? '1' : '0') : hash;
  const files: Record<string, Buffer> = {
    [`/${K6_VERSION}/k6-${K6_VERSION}-checksums.txt`]: Buffer.from(
      `${'0'.repeat(64)}  other.zip\n${listed}  ${name}\n`,
    ),
    [`/${K6_VERSION}/${name}`]: archive,
  };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const file = files[request.url ?? ''];
    response.writeHead(file ? 200 : 404).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, requests, close } satisfies FakeReleases;
}

function tarball(folder: string, k6: string): Buffer {
  const root = mkdtempSync(join(tmpdir(), 'proofload-k6-release-'));
  mkdirSync(join(root, folder));
  executable(join(root, folder, 'k6'), k6);
  execFileSync('tar', ['-czf', 'archive.tar.gz', folder], { cwd: root });
  return readFileSync(join(root, 'archive.tar.gz'));
}

function zip(folder: string, k6: string, platform: Platform): Buffer {
  const name = platform.os === 'windows' ? 'k6.exe' : 'k6';
  return Buffer.from(zipSync({ [`${folder}/${name}`]: strToU8(k6), [`${folder}/README.md`]: strToU8('read me') }));
}
