/** Every way to a k6, with stand-ins for k6, Go and the release server. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { cacheDirectory, cachedPath } from './cache.ts';
import { provisionK6 } from './provision.ts';
import { executable, fakeGo, fakeReleases, k6Script, playground } from './testing/fakes.ts';

// Where a server has just been closed a connection is refused at once.
const closed = await fakeReleases('');
await closed.close();
const NOWHERE = closed.url;

let place = playground();
beforeEach(() => {
  place = playground();
});
afterEach(() => rmSync(place.root, { recursive: true, force: true }));

function provision(env: Record<string, string> = {}, releases = NOWHERE, signal = new AbortController().signal) {
  const notes: string[] = [];
  const progress = { begin() {}, advance() {}, end() {}, note: (line: string) => notes.push(line) };
  const path = { ...place.env, PATH: `${place.bin}:/bin:/usr/bin` };
  return { notes, result: provisionK6({ progress, signal, env: { ...path, ...env }, releases }) };
}

test('K6_BIN wins over everything', async () => {
  const mine = executable(join(place.root, 'mine'), k6Script('v2.9.1'));
  executable(join(place.bin, 'k6'), k6Script('v2.2.0'));
  expect(await provision({ K6_BIN: mine }).result).toEqual({ path: mine, version: 'v2.9.1', how: 'from K6_BIN' });
});

test.each([
  ['is not there', undefined],
  ['is too old', k6Script('v1.3.0')],
  ['is something else', '#!/bin/sh\necho hello\n'],
  ['fails', '#!/bin/sh\nexit 3\n'],
])('a K6_BIN that %s is an error, not a reason to search elsewhere', async (_, script) => {
  const path = join(place.root, 'mine');
  if (script !== undefined) executable(path, script);
  executable(join(place.bin, 'k6'), k6Script('v2.2.0'));
  const { result, notes } = provision({ K6_BIN: path });
  await expect(result).rejects.toThrow(UsageError);
  await expect(result).rejects.toThrow(/^K6_BIN is /);
  expect(notes).toEqual([]);
});

test('a k6 2 on the PATH is taken without touching the network', async () => {
  executable(join(place.bin, 'k6'), k6Script('v2.4.0'));
  const { result, notes } = provision();
  expect(await result).toEqual({ path: 'k6', version: 'v2.4.0', how: 'from the PATH' });
  expect(notes).toEqual([]);
});

test('a k6 of another major version on the PATH is passed over', async () => {
  executable(join(place.bin, 'k6'), k6Script('v0.49.0'));
  const releases = await fakeReleases(k6Script('v2.2.0'));
  expect((await provision({}, releases.url).result).how).toBe('downloaded');
  await releases.close();
});

test('the release is downloaded once, checked, and then taken from the cache', async () => {
  const releases = await fakeReleases(k6Script('v2.2.0'));
  const first = provision({}, releases.url);
  const cached = cachedPath(cacheDirectory(place.env));
  expect(await first.result).toEqual({ path: cached, version: 'v2.2.0', how: 'downloaded' });
  expect(first.notes).toHaveLength(1);
  expect(releases.requests).toHaveLength(2);
  expect(await provision({}, releases.url).result).toMatchObject({ path: cached, how: 'from the cache' });
  expect(releases.requests).toHaveLength(2);
  await releases.close();
});

test('an archive that differs from its published checksum is not used', async () => {
  const releases = await fakeReleases(k6Script('v2.2.0'), { corrupt: true });
  const { result, notes } = provision({ PATH: place.bin }, releases.url);
  await expect(result).rejects.toThrow('checksum');
  expect(notes.join('\n')).toContain("doesn't match its published checksum");
  expect(existsSync(cachedPath(cacheDirectory(place.env)))).toBe(false);
  await releases.close();
});

test('without a release Go builds it, from our pinned modules', async () => {
  const calls = fakeGo(place.bin, '1.26.1', k6Script('v2.2.0'));
  const { result, notes } = provision();
  expect(await result).toEqual({
    path: cachedPath(cacheDirectory(place.env)),
    version: 'v2.2.0',
    how: 'built with Go',
  });
  expect(notes).toHaveLength(3);
  expect(readFileSync(calls, 'utf8')).toContain('build -trimpath');
});

test('a build that yields something else never reaches the cache', async () => {
  fakeGo(place.bin, '1.26.1', k6Script('v1.0.0'));
  await expect(provision().result).rejects.toThrow('it is k6 v1.0.0');
  expect(readdirSync(join(place.root, 'cache', 'proofload'))).toEqual([]);
});

test('when nothing works the ways out are listed, in two lines', async () => {
  fakeGo(place.bin, '1.21.0', k6Script('v2.2.0'));
  const { result } = provision();
  await expect(result).rejects.toThrow(UsageError);
  const message = await result.catch((error: Error) => error.message);
  expect(message).toContain('ECONNREFUSED');
  expect(message).toContain('Go 1.21 is too old, 1.25 is needed');
  expect(message).toContain('K6_BIN');
  expect(String(message).split('\n')).toHaveLength(2);
});

test('a damaged file in the cache is replaced', async () => {
  const releases = await fakeReleases(k6Script('v2.2.0'));
  const first = await provision({}, releases.url).result;
  executable(first.path, 'not a program\n');
  expect((await provision({}, releases.url).result).how).toBe('downloaded');
  await releases.close();
});

test('runs that start together all get a whole k6', async () => {
  const releases = await fakeReleases(k6Script('v2.2.0'));
  const all = await Promise.all(Array.from({ length: 5 }, () => provision({}, releases.url).result));
  expect(new Set(all.map((k6) => k6.path)).size).toBe(1);
  expect(readdirSync(join(place.root, 'cache', 'proofload'))).toHaveLength(1);
  await releases.close();
});

test('an abort is passed on, not mistaken for a failed attempt', async () => {
  const controller = new AbortController();
  controller.abort(new Error('interrupted'));
  await expect(provision({}, NOWHERE, controller.signal).result).rejects.toThrow('interrupted');
});
