/**
 * How long the fuzz tests go on, and from which seed: small and always the same in CI, more where the environment says
 * so.
 */

/** `FUZZ_SEED`, else always the same. */
export const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);

/** `FUZZ_SECONDS`, shared by the two fuzz tests; null for the few requests of CI. */
const seconds = process.env.FUZZ_SECONDS === undefined ? null : Number(process.env.FUZZ_SECONDS);

/** What fast-check wants to know, given the number of runs that is enough for CI. */
export function budget(runs: number): { seed: number; numRuns: number; interruptAfterTimeLimit: number } {
  if (seconds === null) return { seed, numRuns: runs, interruptAfterTimeLimit: 120_000 };
  return { seed, numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: (seconds * 1000) / 2 };
}

/** For the test runner, milliseconds. */
export const patienceMs = ((seconds ?? 0) / 2 + 120) * 1000;
