import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environmentPath, madeOnce, pythonVersion } from './python.ts';

function cache(): string {
  const directory = mkdtempSync(join(tmpdir(), 'proofload-python-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

function make(temporary: string): Promise<void> {
  mkdirSync(temporary);
  writeFileSync(join(temporary, 'whole'), '');
  return Promise.resolve();
}

test('a command that is not there is no Python; one that is there and fails is an error', () => {
  expect(pythonVersion('proofload-no-such-command')).toBe(null);
  expect(pythonVersion(process.execPath)).toBe(process.version);
  const directory = cache();
  expect(() => pythonVersion(directory)).toThrow();
});

test('other requirements, another Python or another cache is another place', () => {
  const env = { XDG_CACHE_HOME: '/cache' };
  const path = environmentPath('a==1', 'Python 3.12.1', env);
  expect(path).toMatch(/^\/cache\/proofload\/python-[0-9a-f]{16}$/);
  expect(environmentPath('a==1', 'Python 3.12.1', env)).toBe(path);
  expect(environmentPath('a==2', 'Python 3.12.1', env)).not.toBe(path);
  expect(environmentPath('a==1', 'Python 3.13.0', env)).not.toBe(path);
  expect(environmentPath('a==1', 'Python 3.12.1', {})).not.toBe(path);
});

test('what is there is used again', async () => {
  const directory = join(cache(), 'deep', 'environment');
  let made = 0;
  for (let round = 0; round < 2; round += 1) {
    await madeOnce(directory, (temporary) => {
      made += 1;
      return make(temporary);
    });
  }
  expect([made, existsSync(join(directory, 'whole'))]).toEqual([1, true]);
});

test('an install that fails leaves nothing behind, and the next one starts from zero', async () => {
  const parent = cache();
  const directory = join(parent, 'environment');
  const failing = madeOnce(directory, (temporary) => {
    mkdirSync(temporary);
    return Promise.reject(new Error('registry out of reach'));
  });
  await expect(failing).rejects.toThrow('registry out of reach');
  expect(readdirSync(parent)).toEqual([]);
  await madeOnce(directory, make);
  expect(readdirSync(parent)).toEqual(['environment']);
});

test('two at once end with one whole environment', async () => {
  const parent = cache();
  const directory = join(parent, 'environment');
  await Promise.all([madeOnce(directory, make), madeOnce(directory, make)]);
  expect(readdirSync(parent)).toEqual(['environment']);
  expect(readdirSync(directory)).toEqual(['whole']);
});
