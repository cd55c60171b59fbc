/** A run and the history file: what it says of this run, and the line that this run leaves. */
import { dirname, resolve } from 'node:path';
import type { HistoryReport } from '../../schemas/history.ts';
import type { Results } from '../../schemas/results.ts';
import { makeDirectory } from '../atomic.ts';
import { redactor } from '../redact.ts';
import { appendHistory, readHistory } from './file.ts';
import { historyLine } from './line.ts';
import { historyReport } from './past.ts';

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
 * The results with what the history says of them, their own line appended to the file. A history that can't be read or
 * written takes nothing from what was seen of the target: the results say so, and their verdict stays.
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
