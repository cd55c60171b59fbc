/** `--last-failed`: what the newest run left red or inconclusive, as the selection of this one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readResults } from '../../reports/index.ts';
import type { Results } from '../../schemas/results.ts';
import { type TargetConfig, UsageError } from '../../schemas/target.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import type { Settings } from '../cli/settings.ts';
import { PARENT } from './directory.ts';

const left: readonly Verdict[] = ['fail', 'error', 'inconclusive'];

/** @param asks ids of all checks that this command may ask. Throws UsageError where there is nothing to repeat. */
export async function withLastFailed(settings: Settings, asks: readonly string[]): Promise<Settings> {
  if (!settings.values['last-failed']) return settings;
  if (settings.only.length > 0) throw new UsageError('--last-failed selects checks by itself; leave --only off');
  const latest = join(PARENT, 'latest');
  if (!existsSync(join(latest, 'results.json'))) {
    throw new UsageError(`--last-failed: there is no last run here; it looks for ${latest}/results.json`);
  }
  const results = await readResults(latest);
  const { run, checks } = results;
  if (!isOf(results, settings.target)) {
    const was = results.target.kind === 'reference' ? 'the reference' : addressesOf(results.target).join(' and ');
    throw new UsageError(`--last-failed: the last run, ${run.id}, was of ${was}; give the same target`);
  }
  const only = checks.flatMap(({ id, verdict }) => (left.includes(verdict) && asks.includes(id) ? [id] : []));
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
