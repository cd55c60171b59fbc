/**
 * Sweeps: tests that go through everything of a kind (each mutant, each limiter, each trouble) and take minutes. What they
 * prove is proved on one case of each kind elsewhere, so a run of all tests takes a tenth of them, another tenth for each
 * commit, and a nightly takes all.
 *
 * By the environment variable SWEEPS: `tenth` (npm test), `none` (npm run quick); without it all, so that a single file
 * can be named.
 */
import { execFileSync } from 'node:child_process';

const SHARES = 10;

/** Each is run as a whole or not. They are dealt out in turn, so the longest of each project stand first. */
export const wholeFiles: readonly string[] = [
  // alone
  'test/limit-matrix.e2e.test.ts',
  'test/zoo/service.e2e.test.ts',
  'test/own-limits.e2e.test.ts',
  'scenarios/execute/rate.e2e.test.ts',
  'test/scaled-load.e2e.test.ts',
  // e2e
  'test/trouble.e2e.test.ts',
  'test/plain.e2e.test.ts',
  'test/history.e2e.test.ts',
  'test/gate-script.e2e.test.ts',
  'test/trouble-held.e2e.test.ts',
  'test/trouble-cli.e2e.test.ts',
  'test/trouble-limits.e2e.test.ts',
  'scenarios/held/targets.e2e.test.ts',
  'test/nobodies.e2e.test.ts',
  'test/mutants.e2e.test.ts',
  'test/differences.e2e.test.ts',
  'test/queue-table.e2e.test.ts',
  'test/gone.e2e.test.ts',
  'conformance/bounded.e2e.test.ts',
  'reference/clients/python.e2e.test.ts',
  'test/commands.e2e.test.ts',
  'test/baseline.e2e.test.ts',
  'conformance/run/meanwhile.e2e.test.ts',
  'scenarios/held/fronts.e2e.test.ts',
  'test/https.e2e.test.ts',
  'test/interrupt.e2e.test.ts',
  'scenarios/payload/rest.e2e.test.ts',
  'scenarios/held/late.e2e.test.ts',
  // unit
  'conformance/fixtures/unmet.test.ts',
  'conformance/variations.test.ts',
  'conformance/mutants-load.test.ts',
  'reference/aborts.test.ts',
  'scenarios/run.test.ts',
  'conformance/flows/retention/watch.test.ts',
  'test/trouble-queue.test.ts',
  'conformance/workloads.test.ts',
  'test/payload-mutants.test.ts',
  'reference/mutants/visible.test.ts',
  'test/trouble-payload.test.ts',
];

/** A tenth of their cases is run each time (`sweep`). */
export const cases: readonly string[] = [
  'conformance/mutants-1.test.ts',
  'conformance/mutants-2.test.ts',
  'conformance/mutants-3.test.ts',
  'conformance/mutants-4.test.ts',
  'conformance/operators.test.ts',
  'test/bad-input.e2e.test.ts',
  'test/zoo/zoo.e2e.test.ts',
];

/** Files that are not run now. */
export function leftOut(): readonly string[] {
  if (process.env.SWEEPS === 'none') return [...wholeFiles, ...cases];
  const own = sweep(wholeFiles);
  return wholeFiles.filter((one) => !own.includes(one));
}

/** Those that a run takes of what would take too long. */
export const sweep = <T>(all: readonly T[]): readonly T[] =>
  process.env.SWEEPS === 'tenth' ? ofThisCommit(all, SHARES) : all;

/** One of so many shares; by default each is a share. */
export function ofThisCommit<T>(all: readonly T[], shares = all.length): readonly T[] {
  const own = commit() % Math.max(1, Math.min(shares, all.length));
  return all.filter((_, index) => index % shares === own);
}

function commit(): number {
  try {
    return Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 6), 16);
  } catch {
    return 0;
  }
}
