/**
 * The numbers of a run: how many checks of each verdict, which promises of the spec they tested, how much was sent of
 * the announced amount. Counted from the checks that reported, never from what the suite could do.
 */
import type { Clause } from '../schemas/clauses/clause.ts';
import type { Amount, ResultCheck, Results, Traffic } from '../schemas/results.ts';
import type { ResultCounts } from '../schemas/results-parts.ts';
import { number } from '../schemas/thousands.ts';
import type { Verdict } from '../schemas/verdicts.ts';
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

// How much a run has sent of the announced amount, which the operator of the endpoint knew beforehand.

const NAMES = { wiring: 'wiring check', contract: 'contract checks', load: 'load' } as const;

/** `contract checks 2,301 of at most 5,010 requests, load …`; null where nothing was announced. */
export function trafficWords(traffic: Traffic | undefined): string | null {
  const parts = (['wiring', 'contract', 'load'] as const).flatMap((name) => {
    const one = traffic?.[name];
    return one ? [`${NAMES[name]} ${number(one.sent.requests)} of at most ${number(one.announced.requests)}`] : [];
  });
  return parts.length === 0 ? null : `Requests sent, of those announced: ${parts.join(', ')}.`;
}

/** What several parts of a run, or several runs, send together. */
export const inAll = (...parts: readonly (Amount | undefined)[]): Amount => ({
  requests: parts.reduce((all, part) => all + (part?.requests ?? 0), 0),
  bytes: parts.reduce((all, part) => all + (part?.bytes ?? 0), 0),
});

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
