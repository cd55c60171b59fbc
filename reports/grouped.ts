/**
 * Findings with one likely cause as one entry. Contract checks and conventions that have the same id behind the operation
 * assert the same of several operations; a documented limit is measured for itself, so it stays an entry of its own.
 */
import type { ResultCheck, Results } from '../schemas/results.ts';

export interface FindingGroup {
  readonly first: ResultCheck;
  readonly others: readonly ResultCheck[];
}

/** In the order of their first checks. */
export function groupFindings(checks: readonly ResultCheck[], { limits }: Pick<Results, 'limits'>): FindingGroup[] {
  const ofLimits = new Set(limits.flatMap((limit) => limit.checks));
  const groups = new Map<string, ResultCheck[]>();
  for (const check of checks) {
    const { id, level } = check;
    const key = level === 'documented' && ofLimits.has(id) ? id : `${level} ${id.slice(id.indexOf('.'))}`;
    groups.set(key, [...(groups.get(key) ?? []), check]);
  }
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [{ first, others }] : []));
}
