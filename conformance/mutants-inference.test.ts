/** Faults in the details of interface A: exactly the checks that a mutant names notice it. */
import { expect, test } from 'vitest';
import { expected, noticed, seenOf } from './fixtures/mutants.ts';

const PATIENCE_MS = 60_000;

test.for(seenOf('interface A in detail'))('$name', { timeout: PATIENCE_MS }, async (mutant) => {
  expect(await noticed(mutant.apply)).toEqual(expected(mutant));
});
