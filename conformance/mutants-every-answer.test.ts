/** Faults in one answer among many: exactly the checks that look at every answer notice them. */
import { expect, test } from 'vitest';
import { expected, noticed, seenOf } from './fixtures/mutants.ts';

const PATIENCE_MS = 60_000;

test.for(seenOf('one answer of many'))('$name', { timeout: PATIENCE_MS }, async (mutant) => {
  expect(await noticed(mutant.apply)).toEqual(expected(mutant));
});
