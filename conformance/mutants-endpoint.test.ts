/** Faults in what is said of a whole endpoint, and in how long jobs are kept: exactly the named checks notice them. */
import { expect, test } from 'vitest';
import { expected, noticed, seenOf } from './fixtures/mutants.ts';

const PATIENCE_MS = 60_000;

test.for(seenOf('endpoint in detail', 'availability'))('$name', { timeout: PATIENCE_MS }, async (mutant) => {
  expect(await noticed(mutant.apply)).toEqual(expected(mutant));
});
