import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checksumOf, downloadRelease } from './release.ts';
import { fakeReleases } from './testing/fakes.ts';

const signal = new AbortController().signal;
let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'proofload-release-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test.each([
  { os: 'linux', arch: 'arm64' },
  { os: 'macos', arch: 'arm64' },
  { os: 'windows', arch: 'amd64' },
])('unpacks the archive for $os-$arch', async (platform) => {
  const releases = await fakeReleases('the program', { platform });
  const destination = join(directory, `${platform.os}-k6`);
  await downloadRelease(destination, { platform, base: releases.url, signal });
  expect(readFileSync(destination, 'utf8')).toBe('the program');
  await releases.close();
});

test('says so where no release is made', async () => {
  const platform = { os: 'sunos', arch: 'amd64' };
  await expect(downloadRelease(join(directory, 'x'), { platform, signal })).rejects.toThrow(
    'no release for sunos-amd64',
  );
});

test('names the server and the status when the file is not there', async () => {
  const releases = await fakeReleases('the program', { platform: { os: 'macos', arch: 'amd64' } });
  const platform = { os: 'linux', arch: 'amd64' };
  await expect(downloadRelease(join(directory, 'x'), { platform, base: releases.url, signal })).rejects.toThrow(
    "checksums don't list k6-v2.2.0-linux-amd64.tar.gz",
  );
  await expect(
    downloadRelease(join(directory, 'x'), { platform, base: `${releases.url}/nothing`, signal }),
  ).rejects.toThrow(/^127\.0\.0\.1:\d+ answered 404$/);
  await releases.close();
});

const hash = 'ab'.repeat(32);

test.each([`${hash}  k6.zip\n`, `${hash} *k6.zip`, `${'0'.repeat(64)}  other.zip\n${hash.toUpperCase()}  k6.zip\n`])(
  'finds a checksum in %j',
  (list) => {
    expect(checksumOf('k6.zip', list)).toBe(hash);
  },
);

test.each(['', 'k6.zip\n', `${hash}  not-k6.zip`, `${hash.slice(1)}  k6.zip`])('finds none in %j', (list) => {
  expect(() => checksumOf('k6.zip', list)).toThrow("don't list k6.zip");
});
