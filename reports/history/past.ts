/**
 * What the history says of a run: the runs that it can be compared with, what changed since the last of them, and how
 * many others were left out, by the reason. A run that did not come to its end is no measure for anything.
 */
import type { HistoryLine, HistoryReport, RunParameters } from '../../schemas/history.ts';
import type { Results } from '../../schemas/results.ts';
import { changesBetween, sideOf, sideOfPast } from '../changes/changes.ts';
import type { History } from './file.ts';
import { withoutParameters } from './line.ts';
import { differingParameters, parametersOf } from './parameters.ts';

/** Two months of nights; a report shows no more, the file keeps them. */
const MOST_RUNS = 60;

/** Runs apart into those that asked the same, whole, and the reasons why others can't be compared. */
export interface Sorted {
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
