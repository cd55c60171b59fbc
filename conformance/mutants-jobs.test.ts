/** Faults in the life of jobs: exactly the checks that a mutant names notice it. */
import { expect, test } from 'vitest';
import { expected, noticed, seenOf } from './fixtures/mutants.ts';

const PATIENCE_MS = 60_000;

test.for(seenOf('submissions', 'statuses', 'life of a job', 'job streams', 'under load'))(
  '$name',
  { timeout: PATIENCE_MS },
  async (mutant) => {
    expect(await noticed(mutant.apply)).toEqual(expected(mutant));
  },
);
