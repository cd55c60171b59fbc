/**
 * Which checks a run will ask, known before anything is sent: `--only` that matches none of them is a mistake, never a
 * green run.
 */
import { declaredChecks } from '../../conformance/index.ts';
import { declareGoals, type Goal } from '../../schemas/goals.ts';
import { documentedTable, type LimitTable, tableOf } from '../../schemas/limits.ts';
import { loadChecksOf } from '../../schemas/load-checks.ts';
import { matchesOnly } from '../../schemas/only.ts';
import { UsageError } from '../../schemas/target.ts';
import type { Settings } from '../cli/settings.ts';
import { suggestion } from '../cli/suggest.ts';
import { withLastFailed } from './last-failed.ts';

/** The two kinds of work a run can consist of. */
export interface Parts {
  readonly conformance: boolean;
  readonly load: boolean;
}

export const partsOf = {
  verify: { conformance: true, load: true },
  conformance: { conformance: true, load: false },
  load: { conformance: false, load: true },
  plan: { conformance: true, load: true },
} as const satisfies Record<string, Parts>;

/** The settings with what `--last-failed` selects. */
export function selected(command: keyof typeof partsOf, settings: Settings): Promise<Settings> {
  const { contract, load } = checksOf(partsOf[command], settings.goals ?? [], tableOf(settings.target ?? {}));
  return withLastFailed(settings, [...contract, ...load]);
}

/** Ids of all checks that these parts may ask. */
export function checksOf(parts: Parts, goals: readonly Goal[], table: LimitTable) {
  return {
    contract: parts.conformance ? declaredChecks().map((check) => check.id) : [],
    load: parts.load ? [...loadChecksOf(table), ...declareGoals(goals)].map((check) => check.id) : [],
  };
}

/**
 * Leaves out a part of which no check is selected. Throws UsageError for a pattern that selects nothing.
 * @param table what the target promises; default: what the spec promises
 */
export function select(
  parts: Parts,
  only: readonly string[],
  goals: readonly Goal[] = [],
  table: LimitTable = documentedTable,
): Parts {
  const { contract, load } = checksOf(parts, goals, table);
  const all = [...contract, ...load];
  for (const pattern of only) {
    if (all.some((id) => matchesOnly([pattern], id))) continue;
    const stem = pattern.replace(/[*.]+$/, '');
    const whole = all.some((id) => id.startsWith(`${stem}.`)) ? `; did you mean '${stem}.*'?` : '';
    throw new UsageError(`--only '${pattern}' matches no check${whole || suggestion(pattern, all)}`);
  }
  return {
    conformance: contract.some((id) => matchesOnly(only, id)),
    load: load.some((id) => matchesOnly(only, id)),
  };
}
