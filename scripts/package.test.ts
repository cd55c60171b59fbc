import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot, suiteVersion } from './package.ts';

test('finds the directory with our package.json and what is packed with it', () => {
  for (const file of ['package.json', 'scripts/k6/go.mod']) expect(existsSync(join(packageRoot(), file))).toBe(true);
});

test('the version is that of the package', () => {
  expect(suiteVersion()).toMatch(/^\d+\.\d+\.\d+/);
});
