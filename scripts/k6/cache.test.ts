import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../package.ts';
import { cacheDirectory, cachedPath, executableName, thisPlatform, writableCache } from './cache.ts';
import { isUsable, K6_VERSION, reasonOf } from './version.ts';

test.each([
  ['linux', 'x64', { os: 'linux', arch: 'amd64' }],
  ['darwin', 'arm64', { os: 'macos', arch: 'arm64' }],
  ['win32', 'x64', { os: 'windows', arch: 'amd64' }],
  ['freebsd', 'riscv64', { os: 'freebsd', arch: 'riscv64' }],
])('%s %s is called %j', (platform, arch, expected) => {
  expect(thisPlatform(platform, arch)).toEqual(expected);
});

test.each([
  ['linux', {}, ['home', '.cache', 'proofload']],
  ['darwin', {}, ['home', 'Library', 'Caches', 'proofload']],
  ['win32', { LOCALAPPDATA: 'local' }, ['local', 'proofload']],
  ['darwin', { XDG_CACHE_HOME: 'xdg' }, ['xdg', 'proofload']],
])('on %s with %j the cache is %j', (platform, env, parts) => {
  expect(cacheDirectory({ HOME: 'home', ...env }, thisPlatform(platform, 'x64'))).toBe(join(...parts));
});

test('the cached file names version, system and architecture', () => {
  expect(cachedPath('/c', thisPlatform('linux', 'x64'))).toMatch(/k6-v2\.2\.0-linux-amd64$/);
  expect(cachedPath('/c', thisPlatform('win32', 'x64'))).toMatch(/k6-v2\.2\.0-windows-amd64\.exe$/);
  expect(executableName(thisPlatform('win32', 'x64'))).toBe('k6.exe');
});

test('the required version is the one go.mod pins', () => {
  const gomod = readFileSync(join(packageRoot(), 'scripts', 'k6', 'go.mod'), 'utf8');
  expect(/^require go\.k6\.io\/k6\/v2 (\S+)$/m.exec(gomod)?.[1]).toBe(K6_VERSION);
});

test.each([
  ['v2.2.0', true],
  ['v2.10.3-rc1', true],
  ['v1.9.9', false],
  ['v0.49.0', false],
  ['v20.0.0', false],
])('k6 %s is usable: %s', (version, expected) => {
  expect(isUsable(version)).toBe(expected);
});

test('a reason is one line and names the system error', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
  expect(reasonOf(new TypeError('fetch failed', { cause: refused }))).toBe('connect ECONNREFUSED 127.0.0.1:9');
  expect(reasonOf(Object.assign(new Error('first\nsecond'), { code: 'ENOENT' }))).toBe('first (ENOENT)');
  expect(reasonOf('plain')).toBe('plain');
});

test('where the cache can not be written a temporary directory takes its place', async () => {
  const home = mkdtempSync(join(tmpdir(), 'proofload-home-'));
  try {
    const usual = join(home, 'proofload');
    expect(await writableCache({ XDG_CACHE_HOME: home })).toBe(usual);
    // A file where a directory has to be can't be written by root either.
    writeFileSync(join(home, 'file'), '');
    const elsewhere = await writableCache({ XDG_CACHE_HOME: join(home, 'file') });
    expect(elsewhere.startsWith(join(tmpdir(), 'proofload-cache-'))).toBe(true);
  } finally {
    rmSync(home, { recursive: true });
  }
});
