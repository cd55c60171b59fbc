/**
 * Which promises of the spec a run looked at. Counted from the checks that reported, never from what the suite could
 * do: a check that was skipped covers nothing.
 */
import type { Clause } from '../schemas/clauses/clause.ts';
import type { ResultCheck, Results } from '../schemas/results.ts';
import { saysSomething } from './run-verdict.ts';

/**
 * Coverage by clause. `byClause` lists every clause with the ids of the checks that reported on it, in the order of
 * the clauses; `checked` counts those about which at least one check said something.
 */
export function coverageOf(clauses: readonly Clause[], checks: readonly ResultCheck[]): Results['coverage'] {
  const byClause: Record<string, string[]> = Object.fromEntries(clauses.map((clause) => [clause.id, []]));
  const checked = new Set<string>();
  for (const check of checks) {
    for (const clause of check.clauses) {
      const ids = byClause[clause] ?? [];
      byClause[clause] = [...ids, check.id];
      if (saysSomething(check.verdict)) checked.add(clause);
    }
  }
  return {
    clauses: clauses.length,
    observable: clauses.filter((clause) => clause.observable === true).length,
    checked: clauses.filter((clause) => checked.has(clause.id)).length,
    byClause,
  };
}
