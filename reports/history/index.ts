/** A run and the history file: what it says of this run, and the line that this run leaves. */
import { dirname, resolve } from 'node:path';
import type { HistoryLine, HistoryReport, RunParameters } from '../../schemas/history.ts';
import type { Results } from '../../schemas/results.ts';
import { makeDirectory } from '../atomic.ts';
import { changesBetween, sideOf, sideOfPast } from '../changes/changes.ts';
import { redactor } from '../redact.ts';
import { appendHistory, type History, readHistory } from './file.ts';
import { historyLine, withoutParameters } from './line.ts';
import { differingParameters, parametersOf } from './parameters.ts';

/** Two months of nights; a report shows no more, the file keeps them. */
const MOST_RUNS = 60;

/** Runs sorted into whole ones with the same parameters, and the reasons why others can't be compared. */
interface Sorted {
  /** Oldest first. */
  readonly comparable: readonly HistoryLine[];
  /** The most frequent reason first. */
  readonly leftOut: HistoryReport['leftOut'];
}

/** Contract checks, or load, or both are the parts of a run. */
const words: Readonly<Record<string, string>> = { only: 'selection', contract: 'parts', load: 'parts' };
const nameWords = (name: string): string => words[name] ?? name;

function whyNot(line: HistoryLine, parameters: RunParameters): string | undefined {
  const names = differingParameters(line.parameters, parameters).map(({ name }) => name);
  if (names.length > 0) return `with another ${[...new Set(names.map(nameWords))].join(', ')}`;
  if (!line.complete) return 'not whole';
  return line.verdict === 'error' ? 'without a verdict' : undefined;
}

/** @param lines oldest first */
export function sortedFor(lines: readonly HistoryLine[], parameters: RunParameters): Sorted {
  const reasons = new Map<string, number>();
  const comparable = lines.filter((line) => {
    const why = whyNot(line, parameters);
    if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1);
    return why === undefined;
  });
  const leftOut = [...reasons].map(([why, runs]) => ({ why, runs })).sort((a, b) => b.runs - a.runs);
  return { comparable, leftOut };
}

/** For the results of a run that may be among the lines itself; only what began before it counts. */
export function historyReport(results: Results, file: string, { lines, unreadable }: History): HistoryReport {
  const own = new Set([results.run.id, ...(results.run.merged?.runs.map(({ id }) => id) ?? [])]);
  const before = lines.filter(({ run }) => !own.has(run.id) && run.startedAt <= results.run.startedAt);
  const { comparable, leftOut } = sortedFor(before, parametersOf(results));
  const runs = comparable.slice(-MOST_RUNS).map(withoutParameters);
  const last = runs.at(-1);
  const report = { file, unreadable, runs, earlier: comparable.length - runs.length, leftOut };
  if (!last) return report;
  const { id, startedAt, suiteVersion } = last.run;
  const changes = changesBetween(sideOfPast(last, runs.slice(0, -1)), sideOf(results));
  return { ...report, since: { run: { id, startedAt, suiteVersion }, ...changes } };
}

const nothing = (file: string, problem: string): HistoryReport => ({
  file,
  problem,
  unreadable: 0,
  runs: [],
  earlier: 0,
  leftOut: [],
});

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * The results together with the history, their own line appended to the file. A history that can't be read or written
 * changes nothing about the target: the results mention it, and their verdict stays.
 */
export async function remember(
  results: Results,
  file: string,
  secrets: readonly (string | null | undefined)[],
): Promise<Results> {
  const masked = redactor(secrets).deep(results);
  let report: HistoryReport;
  try {
    report = historyReport(masked, file, await readHistory(file));
  } catch (error) {
    report = nothing(file, `the history can't be read: ${reason(error)}`);
  }
  try {
    await makeDirectory(dirname(resolve(file)));
    await appendHistory(file, historyLine(masked));
  } catch (error) {
    report = { ...report, problem: `this run is not in the history: ${reason(error)}` };
  }
  return { ...results, history: report };
}
