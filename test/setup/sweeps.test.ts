import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../scripts/package.ts';
import { aloneByCase, byCase, byFile, long, ofThisCommit, slow } from './sweeps.ts';

test('every file of a sweep is there', () => {
  const lost = [...byCase, ...aloneByCase, ...byFile, ...long, ...slow].filter(
    (one) => !existsSync(join(packageRoot(), one)),
  );
  expect(lost).toEqual([]);
});

test.each([1, 3, 10, 47])('one share of %i cases is never nothing', (count) => {
  const all = Array.from({ length: count }, (_, index) => index);
  expect(ofThisCommit(all, 10).length).toBeGreaterThan(0);
  expect(ofThisCommit(all)).toHaveLength(1);
});
