/**
 * Findings with one likely cause as one entry. Contract checks and conventions that have the same id behind the operation
 * assert the same of several operations. Each documented limit is measured separately and keeps its own entry.
 */
import type { ResultCheck, Results } from '../schemas/results.ts';

export interface FindingGroup {
  readonly first: ResultCheck;
  readonly others: readonly ResultCheck[];
}

/** How many checks some groups have together. */
export const checksIn = (groups: readonly FindingGroup[]): number =>
  groups.reduce((sum, { others }) => sum + 1 + others.length, 0);

const familyOf = (id: string): string => id.split('.').slice(0, 2).join('.');

/**
 * One of each family (`chat.auth`, `run.rate`) comes before the second of any, so that what is listed first shows how much
 * of the service is affected; otherwise in the order of their first checks.
 */
export function groupFindings(checks: readonly ResultCheck[], { limits }: Pick<Results, 'limits'>): FindingGroup[] {
  const ofLimits = new Set(limits.flatMap((limit) => limit.checks));
  const groups = new Map<string, ResultCheck[]>();
  for (const check of checks) {
    const { id, level } = check;
    const key = level === 'documented' && ofLimits.has(id) ? id : `${level} ${id.slice(id.indexOf('.'))}`;
    groups.set(key, [...(groups.get(key) ?? []), check]);
  }
  const found = [...groups.values()].flatMap(([first, ...others]) => (first ? [{ first, others }] : []));
  const isFirst = new Map(found.toReversed().map((group) => [familyOf(group.first.id), group]));
  const leads = ({ first }: FindingGroup) => isFirst.get(familyOf(first.id))?.first === first;
  return [...found.filter(leads), ...found.filter((group) => !leads(group))];
}
