/** The numbers of a run: how many checks of each verdict, and how many were set out to be made and reported. */
import type { ResultCheck } from '../schemas/results.ts';
import type { ResultCounts } from '../schemas/results-parts.ts';
import type { Verdict } from '../schemas/verdicts.ts';

/** Counts the checks by verdict. `declared` and `emitted` are equal in every complete run. */
export function countChecks(checks: readonly Pick<ResultCheck, 'verdict'>[], declared: number): ResultCounts {
  const of = (verdict: Verdict): number => checks.filter((check) => check.verdict === verdict).length;
  return {
    pass: of('pass'),
    fail: of('fail'),
    warn: of('warn'),
    observed: of('observed'),
    inconclusive: of('inconclusive'),
    notObservable: of('not-observable'),
    skipped: of('skipped'),
    error: of('error'),
    known: of('known'),
    declared,
    emitted: checks.length,
  };
}

/** The count that belongs to a verdict. */
export function countOf(counts: ResultCounts, verdict: Verdict): number {
  return verdict === 'not-observable' ? counts.notObservable : counts[verdict];
}
