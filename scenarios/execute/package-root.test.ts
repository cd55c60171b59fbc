import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from './script.ts';

test('the package root is where the package.json is', () => {
  expect(existsSync(join(packageRoot(), 'package.json'))).toBe(true);
});

test('a place above which there is no package is an error', () => {
  expect(() => packageRoot('/')).toThrow(/no package\.json above/);
});
