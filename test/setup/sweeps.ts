/**
 * Sweeps: tests that go through everything of a kind (each mutant, each limiter, each trouble) and take minutes. What they
 * prove is proved on one case of each kind elsewhere, so a run of all tests takes a tenth of their cases and a twentieth
 * of their files, others for each commit, and a nightly takes all, with those that take minutes each.
 *
 * By the environment variable SWEEPS: `tenth` (npm test), `none` (npm run quick, without what else takes seconds); without
 * it all, so that a single file can be named.
 */
import { execFileSync } from 'node:child_process';

/** Of cases, of those alone on the machine, and of whole files, most of which take a minute. */
const SHARES = { cases: 10, alone: 20, files: 20 };

/** A tenth of their cases runs each time, since each stands for itself. */
export const byCase: readonly string[] = [
  'conformance/mutants-1.test.ts',
  'conformance/mutants-2.test.ts',
  'conformance/mutants-3.test.ts',
  'conformance/mutants-4.test.ts',
  'conformance/mutants-load.test.ts',
  'conformance/testing/unmet.test.ts',
  'conformance/fixtures/retention/watch.test.ts',
  'conformance/variations.test.ts',
  'conformance/workloads.test.ts',
  'conformance/vacuous.test.ts',
  'reference/queue-rule.test.ts',
  'test/queue-faults.test.ts',
  'test/trouble-at-once.test.ts',
  'reference/mutants/visible.test.ts',
  'test/payload-mutants.test.ts',
  'test/trouble-payload.test.ts',
  'test/trouble-queue.test.ts',
  'scenarios/kinds/concurrency/held/fronts.e2e.test.ts',
  'scenarios/kinds/concurrency/held/targets.e2e.test.ts',
  'scenarios/kinds/payload/send/node-phase.e2e.test.ts',
  'test/bad-input.e2e.test.ts',
  'test/null-targets.e2e.test.ts',
  'test/trouble-held.e2e.test.ts',
  'test/trouble-limits.e2e.test.ts',
  'test/trouble.e2e.test.ts',
  'test/plain.e2e.test.ts',
  'scenarios/execute/long-poll.e2e.test.ts',
  'test/secrets.e2e.test.ts',
  'test/retention.e2e.test.ts',
  'reference/gone.e2e.test.ts',
  'reference/hostile/fields.test.ts',
  'reference/limits.test.ts',
  'reference/operations/submit.test.ts',
  'conformance/fixtures/crowd.test.ts',
  'conformance/jobs-truth.test.ts',
  'reports/junit-schema.test.ts',
  'test/history.e2e.test.ts',
  'test/gate-script.e2e.test.ts',
  'test/trouble-cli.e2e.test.ts',
  'scenarios/kinds/rate/measure/runners.test.ts',
  'test/trouble-ledgers.test.ts',
];

/** Each of their cases has the machine to itself for a quarter of a minute, so only a twentieth of them is run. */
export const aloneByCase: readonly string[] = [
  'test/limit-matrix.e2e.test.ts',
  'test/own-limits.e2e.test.ts',
  'test/zoo/zoo.e2e.test.ts',
  'scenarios/execute/rate.e2e.test.ts',
  'test/scaled-load.e2e.test.ts',
  'test/https.e2e.test.ts',
];

/** Each is run as a whole or not: their cases share what takes long. Dealt out in turn. */
export const byFile: readonly string[] = [
  'scenarios/execute/runners.e2e.test.ts',
  'test/distribute.e2e.test.ts',
  'test/mutants.e2e.test.ts',
  'conformance/bounded.e2e.test.ts',
  'reference/aborts.test.ts',
  'scenarios/kinds/concurrency/held/late.e2e.test.ts',
  'scenarios/execute/queue.e2e.test.ts',
  'test/differences.e2e.test.ts',
  'test/queue-table.e2e.test.ts',
  'test/baseline.e2e.test.ts',
  'test/gone.e2e.test.ts',
  'test/package.e2e.test.ts',
  'reference/clients/python.e2e.test.ts',
  'test/commands.e2e.test.ts',
  'conformance/run/long-waits.e2e.test.ts',
  'scenarios/run.test.ts',
  'test/interrupt.e2e.test.ts',
  'conformance/operators.test.ts',
  'conformance/slow-workers.test.ts',
  'reference/operations/model.test.ts',
  'reference/hostile/fuzz.test.ts',
  'conformance/unread.test.ts',
  'conformance/shared-endpoint.test.ts',
  'conformance/trust.test.ts',
  'test/container.e2e.test.ts',
  'test/kustomize.e2e.test.ts',
  'test/k6-operator.e2e.test.ts',
  'conformance/trust.e2e.test.ts',
  'conformance/within-limits.e2e.test.ts',
  'scenarios/execute/segments.e2e.test.ts',
];

/** Minutes each, and the machine to themselves: only a nightly runs them, or who names them. */
export const long: readonly string[] = ['test/zoo/service.e2e.test.ts', 'test/many-runners.e2e.test.ts'];

/** Each takes seconds: they are part of every run but the quick one. */
export const slow: readonly string[] = [
  'conformance/checks/every-answer.test.ts',
  'conformance/costs/costs.test.ts',
  'conformance/different.test.ts',
  'conformance/null.test.ts',
  'conformance/tight-budgets.test.ts',
  'reference/clients/openai.test.ts',
  'reference/inference/schema/bounded.test.ts',
  'reference/inference/schema/instance.test.ts',
  'reference/jobs/speed.test.ts',
  'reference/settings/extremes.test.ts',
  'reports/kinds/rate/any-limiter.test.ts',
  'reports/whole.test.ts',
  'scenarios/kinds/rate/measure/eliminate.test.ts',
  'scenarios/plan/describe.test.ts',
  'scenarios/plan/index.test.ts',
  'scenarios/plan/own-limits.test.ts',
  'scripts/commands/plan.test.ts',
  'scripts/run/liveness.test.ts',
  'test/differences.test.ts',
  'test/support/recorded-load.test.ts',
];

const which = process.env.SWEEPS;

/**
 * How long a property is tried with ever new examples, ms; undefined: as often as it says. Long enough for the first one
 * on a busy machine: an example that is still under way by then would fail the test.
 */
export const propertyMs = which === undefined ? undefined : 1500;

/** Files that are not run now. */
export function leftOut(): readonly string[] {
  if (which === undefined) return [];
  if (which === 'none') return [...byCase, ...aloneByCase, ...byFile, ...long, ...slow];
  const own = ofThisCommit(byFile, SHARES.files, commit(6));
  return [...long, ...byFile.filter((one) => !own.includes(one))];
}

/** Whether a case of a file is in another share. Dealt out in turn, and not in each file to the same commit first. */
export function isLeftOut(path: string, indexOf: () => number): boolean {
  if (which !== 'tenth') return false;
  const isIn = (one: string): boolean => path.endsWith(`/${one}`);
  const [files, share] = aloneByCase.some(isIn) ? [aloneByCase, SHARES.alone] : [byCase, SHARES.cases];
  const file = files.findIndex(isIn);
  return file >= 0 && (file + indexOf()) % share !== commit() % share;
}

/** One of so many shares; by default each is a share. */
export function ofThisCommit<T>(all: readonly T[], shares = all.length, number = commit()): readonly T[] {
  const own = number % Math.max(1, Math.min(shares, all.length));
  return all.filter((_, index) => index % shares === own);
}

/** Of cases that would take long together one, another for each commit; all of them where all sweeps are run. */
export const oneByOne = <T>(all: readonly T[]): readonly T[] => (which === undefined ? all : ofThisCommit(all));

let known: string | undefined;

/** Six digits of its name. Those that choose files choose no cases: one of them would ever meet the same cases of its own. */
function commit(from = 0): number {
  known ??= nameOfCommit();
  return Number.parseInt(known.slice(from, from + 6), 16);
}

function nameOfCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  } catch {
    return '0'.repeat(12);
  }
}
