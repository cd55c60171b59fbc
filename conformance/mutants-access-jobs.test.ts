/** Faults in what interface B takes and whom it turns away: exactly the checks that a mutant names notice it. */
import { expect, test } from 'vitest';
import { expected, noticed, seenOf } from './fixtures/mutants.ts';

const PATIENCE_MS = 60_000;

test.for(seenOf('strangers to jobs', 'jobs that never were', 'job inputs'))(
  '$name',
  { timeout: PATIENCE_MS },
  async (mutant) => {
    expect(await noticed(mutant.apply)).toEqual(expected(mutant));
  },
);
