/**
 * Which of several verdicts on the same thing counts. Used where a check id was reported twice and for the verdict of a
 * limit's row: the worst is kept, and an untested check is worse than one that holds.
 */
import type { Verdict } from '../schemas/verdicts.ts';

/** Worst first; also the order in which a report lists its findings. */
export const bySeverity: readonly Verdict[] = [
  'fail',
  'error',
  'warn',
  'inconclusive',
  'known',
  'not-observable',
  'skipped',
  'observed',
  'pass',
];

/** There is nothing to investigate. */
export const withoutFinding: ReadonlySet<Verdict> = new Set(['pass', 'observed', 'not-observable', 'skipped']);

/** The most severe of these verdicts, or undefined of none. */
export function mostSevere(list: readonly Verdict[]): Verdict | undefined {
  return bySeverity.find((verdict) => list.includes(verdict));
}

/** A stable copy with the most severe first. */
export function worstFirst<T extends { readonly verdict: Verdict }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => bySeverity.indexOf(a.verdict) - bySeverity.indexOf(b.verdict));
}
