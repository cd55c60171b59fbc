/** Planted faults, the first share: exactly the checks that a mutant names notice it. */
import { expect, test } from 'vitest';
import { expected, noticed, seenShare } from './testing/mutants.ts';

const PATIENCE_MS = 60_000;

test.for(seenShare(1))('$name', { timeout: PATIENCE_MS }, async (mutant) => {
  expect(await noticed(mutant.apply)).toEqual(expected(mutant));
});
