import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { findChromium } from './chromium.ts';

test('CHROMIUM_BIN wins', () => {
  expect(findChromium({ CHROMIUM_BIN: '/opt/mine', PATH: '/usr/bin' })).toBe('/opt/mine');
});

test('the first executable with a usual name on the PATH is taken', () => {
  const [empty, full] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'proofload-chromium-')));
  const path = join(String(full), 'chromium-browser');
  writeFileSync(path, '');
  const env = { PATH: [empty, full].join(delimiter) };
  expect(findChromium(env)).not.toBe(path);
  chmodSync(path, 0o755);
  expect(findChromium(env)).toBe(path);
});
