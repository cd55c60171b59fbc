/**
 * The baseline of a run: opened before anything is sent, so that an error in it costs no load, and updated after the
 * last check where requested. The YAML reader is loaded only when there is a baseline.
 */
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { declaredChecks } from '../../conformance/index.ts';
import { type AssembleInput, ambiguous, type Baseline, changesFor, collapse } from '../../reports/index.ts';
import { DEFAULT_BASELINE } from '../../schemas/baseline.ts';
import { declareGoals, type Goal } from '../../schemas/goals.ts';
import { type LimitTable, tableOf } from '../../schemas/limits.ts';
import { loadChecksOf } from '../../schemas/load-checks.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { type TargetConfig, UsageError } from '../../schemas/target.ts';
import type { Settings } from '../cli/settings.ts';
import { suggestion } from '../cli/suggest.ts';
import type { Run } from './prepare.ts';

const embedded: TargetConfig = { kind: 'reference', baseUrl: null, jobBaseUrl: null, endpoints: [], model: null };

/**
 * The baseline that `--baseline` names, or that `--update-baseline` is to make; null where neither is given. Throws
 * UsageError, with file and line, when it can't be read, can't be meant, or can't be written and is to be.
 */
export async function openBaseline({ values, target, goals = [] }: Settings): Promise<Baseline | null> {
  const update = values['update-baseline'] ?? false;
  const file = values.baseline ?? (update ? DEFAULT_BASELINE : undefined);
  if (file === undefined) return null;
  const { readBaseline } = await import('../../reports/baseline/file.ts');
  const baseline = await readBaseline(file, update);
  requireKnownIds(baseline, goals, tableOf(target ?? embedded));
  const both = ambiguous(baseline.entries, target ?? embedded);
  if (both) {
    const [first, second] = both;
    throw new UsageError(
      `${second.at}: ${second.check} on this target is listed before (${first.at}); keep one of them`,
    );
  }
  if (update) await requireWritable(file);
  return baseline;
}

function requireKnownIds({ entries }: Baseline, goals: readonly Goal[], table: LimitTable): void {
  const known = [...declaredChecks(), ...loadChecksOf(table), ...declareGoals(goals)].map((check) => check.id);
  const ids = new Set(known);
  const lost = entries.find((entry) => !ids.has(entry.check));
  if (lost) {
    throw new UsageError(`${lost.at}: there is no check '${lost.check}'${suggestion(lost.check, known)}`);
  }
}

async function requireWritable(file: string): Promise<void> {
  try {
    await access(dirname(resolve(file)), constants.W_OK);
  } catch {
    throw new UsageError(`--baseline ${file} can't be written: there is no directory for it, or none that takes it`);
  }
}

/**
 * The baseline that the run is judged by: as it was read, or as `--update-baseline` left it. A file that could not be
 * written is a fault of the run, which is then judged by what stands in it.
 */
export async function settleBaseline(
  { baseline, settings, startedAt }: Pick<Run, 'baseline' | 'settings' | 'startedAt'>,
  target: TargetConfig,
  checks: readonly ResultCheck[],
): Promise<Pick<AssembleInput, 'baseline' | 'fault'>> {
  if (baseline === null) return {};
  if (!settings.values['update-baseline']) return { baseline };
  const { writeBaseline } = await import('../../reports/baseline/file.ts');
  const changes = changesFor(baseline.entries, collapse(checks), {
    target,
    today: startedAt.toISOString().slice(0, 10),
  });
  const idAt = (index: number): string[] => baseline.entries.slice(index, index + 1).map((entry) => entry.check);
  try {
    const written = await writeBaseline(baseline, changes);
    const updated = {
      added: changes.added.map((entry) => entry.check),
      removed: changes.removed.flatMap(idAt),
      seen: changes.seen.flatMap(({ index }) => idAt(index)),
    };
    return { baseline: { ...written, updated } };
  } catch (error) {
    return { baseline, fault: error instanceof Error ? error.message : String(error) };
  }
}
