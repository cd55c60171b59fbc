/**
 * Which checks a run includes, known before anything is sent: `--only` that matches none of them is a mistake, never a
 * green run.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { declaredChecks } from '../../conformance/index.ts';
import { readResults } from '../../reports/index.ts';
import { declareGoals, type Goal } from '../../schemas/goals.ts';
import { documentedTable, isAdded, type Limit, type LimitTable, tableOf } from '../../schemas/limits.ts';
import { checksOf as checksOfRow, loadChecksOf } from '../../schemas/load-checks.ts';
import { matchesOnly } from '../../schemas/only.ts';
import { isAboutJob, isDocumentedOperation } from '../../schemas/own.ts';
import type { Results } from '../../schemas/results.ts';
import { type TargetConfig, UsageError } from '../../schemas/target.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import type { Settings } from '../cli/settings.ts';
import { suggestion } from '../cli/suggest.ts';
import { PARENT } from './directory.ts';

// `--last-failed`: what the newest run left red or inconclusive, as the selection of this one.

const left: readonly Verdict[] = ['fail', 'error', 'inconclusive'];

/** @param ids of all checks that this command may run. Throws UsageError where there is nothing to repeat. */
export async function withLastFailed(settings: Settings, ids: readonly string[]): Promise<Settings> {
  if (!settings.values['last-failed']) return settings;
  if (settings.only.length > 0) throw new UsageError('--last-failed selects checks by itself; leave --only off');
  const latest = join(PARENT, 'latest');
  if (!existsSync(join(latest, 'results.json'))) {
    throw new UsageError(`--last-failed: there is no last run here; it reads ${latest}/results.json`);
  }
  const results = await readResults(latest);
  const { run, checks } = results;
  if (!isOf(results, settings.target)) {
    const was = results.target.kind === 'reference' ? 'the reference' : addressesOf(results.target).join(' and ');
    throw new UsageError(`--last-failed: the last run, ${run.id}, was of ${was}; give the same target`);
  }
  const only = checks.flatMap(({ id, verdict }) => (left.includes(verdict) && ids.includes(id) ? [id] : []));
  if (only.length === 0) {
    throw new UsageError(
      `--last-failed: the last run, ${run.id}, left nothing red or inconclusive that this can repeat`,
    );
  }
  return { ...settings, only };
}

const addressesOf = ({ baseUrl, jobBaseUrl }: Pick<TargetConfig, 'baseUrl' | 'jobBaseUrl'>): readonly string[] => [
  ...new Set([baseUrl, jobBaseUrl].filter((url) => url !== null)),
];

/** The reference has another address each time. */
function isOf({ target }: Pick<Results, 'target'>, wanted: TargetConfig | null): boolean {
  if (wanted === null) return target.kind === 'reference';
  return target.kind === 'remote' && addressesOf(target).join() === addressesOf(wanted).join();
}

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

/** Ids of all checks that these parts may run. */
export function checksOf(parts: Parts, goals: readonly Goal[], table: LimitTable) {
  return {
    contract: parts.conformance ? declaredChecks().map((check) => check.id) : [],
    load: parts.load ? [...loadChecksOf(table), ...declareGoals(goals)].map((check) => check.id) : [],
  };
}

/** Whether the run includes a documented check, and not only those of the configuration. */
export function includesDocumented(parts: Parts, { only, goals = [], target }: Settings): boolean {
  const table = tableOf(target ?? {});
  const asked = checksOf(parts, goals, table).load.filter((id) => matchesOnly(only, id));
  const needsJob = ({ operations }: Limit) => operations.some((id) => isAboutJob(table.operation(id)));
  const own = table.rows.filter((row) => isAdded(row) && !needsJob(row)).flatMap((row) => checksOfRow(row));
  const goalsOfOwn = declareGoals(goals.filter(({ operation }) => !isDocumentedOperation(operation)));
  const added = [...own, ...goalsOfOwn].map(({ id }) => id);
  return parts.conformance || !asked.every((id) => added.includes(id));
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
