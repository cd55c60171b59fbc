/**
 * `proofload report DIR...`: the pages of one run again from its results.json, or several runs merged into one report in a
 * directory of its own. Sends nothing.
 */
import { resolve } from 'node:path';
import { remember } from '../../reports/history/index.ts';
import {
  finalBlock,
  jsonText,
  type ReportPaths,
  readResults,
  rerender,
  stored,
  writeReport,
} from '../../reports/index.ts';
import { mergedSamples, readSamples, writeSamples } from '../../reports/latency/samples.ts';
import { mergeRuns } from '../../reports/merge/merge.ts';
import { clauses } from '../../schemas/clauses/index.ts';
import type { Results } from '../../schemas/results.ts';
import { UsageError } from '../../schemas/target.ts';
import { environmentName, secrets } from '../cli/options.ts';
import { readValues } from '../cli/settings.ts';
import type { OptionValues, RawOptions } from '../cli/values.ts';
import { reportCollected } from '../distributed/collected.ts';
import { readDistributed } from '../distributed/plan.ts';
import type { Host } from '../host.ts';
import { openRunDirectory } from '../run/directory.ts';
import { githubJob } from '../run/github.ts';
import { historyFile } from '../run/history.ts';
import { styleFor } from '../style.ts';

/**
 * Of one directory: resolves with 0 once everything is written, with any verdict. Of several: with the exit code of the
 * merged run. Throws UsageError for a wrong directory, and for runs that are no parts of one.
 */
export async function rerenderReports(directories: readonly string[], flags: RawOptions, host: Host): Promise<number> {
  const values = readValues('report', flags, host.env);
  const [directory, ...more] = directories;
  if (directory === undefined) {
    throw new UsageError('report needs the directory of a run, e.g. proofload-report/latest, or those of several');
  }
  const keys = secrets.map((name) => host.env[environmentName(name)]);
  if (more.length > 0) return mergeAll(directories, values, keys, host);
  const distributed = await readDistributed(directory);
  if (distributed) return reportCollected(directory, distributed, flags, host);
  // In the environment they are meant for the runs themselves.
  const lost = (['out', 'history'] as const).find((name) => flags.has(name));
  if (lost !== undefined) {
    throw new UsageError(`--${lost} is for several runs in one; the pages of a single run are written where it is`);
  }
  const { paths, results } = await rerender(directory, { secrets: keys, clauses });
  say(host, values, results, paths);
  return 0;
}

async function mergeAll(
  directories: readonly string[],
  values: OptionValues,
  keys: readonly (string | undefined)[],
  host: Host,
): Promise<number> {
  const { out } = values;
  if (out !== undefined && directories.some((one) => resolve(one) === resolve(out))) {
    throw new UsageError(`--out ${out} is one of the runs to merge; give a directory of its own`);
  }
  const parts = [];
  for (const one of directories) parts.push({ results: await readResults(one), samples: await readSamples(one) });
  const merged = mergeRuns(parts, clauses);
  const file = values.history === undefined ? undefined : await historyFile(values.history);
  const { path } = await openRunDirectory(out, merged.run.id);
  const reported = file === undefined ? merged : await remember(merged, file, keys);
  const { paths, results } = await writeReport(reported, path, { secrets: keys, clauses, latest: out === undefined });
  await writeSamples(mergedSamples(parts.flatMap(({ samples }) => samples ?? [])), path);
  const job = githubJob(host, linesOf(host, values));
  say(host, values, results, paths);
  await job.tell(results, paths.summary);
  return results.exitCode;
}

const linesOf = ({ stdout, stderr }: Host, { json }: OptionValues) => (json ? stderr : stdout);

function say(host: Host, values: OptionValues, results: Results, paths: ReportPaths): void {
  const lines = linesOf(host, values);
  lines.write(`${finalBlock(results, paths, styleFor(lines)).join('\n')}\n`);
  if (values.json) host.stdout.write(jsonText(stored(results)));
}
