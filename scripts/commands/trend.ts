/** `proofload trend`: measured limits, latency and what is broken, from run to run, out of the history file; sends nothing. */
import { readHistory } from '../../reports/history/file.ts';
import { sortedFor } from '../../reports/history/index.ts';
import { withoutParameters } from '../../reports/history/line.ts';
import { printedTrend } from '../../reports/history/print.ts';
import { trendOf } from '../../reports/history/trend.ts';
import type { HistoryLine } from '../../schemas/history.ts';
import { UsageError } from '../../schemas/target.ts';
import { plural } from '../../schemas/thousands.ts';
import { suggestion } from '../cli/suggest.ts';
import type { OptionValues } from '../cli/values.ts';
import type { Host } from '../host.ts';
import { DEFAULT_HISTORY } from '../run/history.ts';
import { styleFor } from '../style.ts';

/** Not of one that reached no target, which says nothing about the usual checks. */
const hasSeenAnything = ({ counts }: HistoryLine): boolean =>
  counts.pass + counts.fail + counts.warn + counts.observed + counts.known + counts.inconclusive > 0;

/**
 * Of the runs that can be compared with the newest one, or with `--like`. Resolves with 0. Throws UsageError where
 * there is no such file, or no such run in it.
 */
export async function printTrend(files: readonly string[], values: OptionValues, host: Host): Promise<number> {
  const [file = values.history ?? DEFAULT_HISTORY, ...more] = files;
  if (more.length > 0) throw new UsageError('trend takes one history file');
  const { lines, unreadable } = await readHistory(file).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} can't be read (${why}); name the history file with --history`);
  });
  const like = values.like;
  const chosen =
    like === undefined ? (lines.findLast(hasSeenAnything) ?? lines.at(-1)) : lines.find(({ run }) => run.id === like);
  if (!chosen) {
    if (like !== undefined && lines.length > 0) {
      throw new UsageError(
        `${file} has no run '${like}'${suggestion(
          like,
          lines.map(({ run }) => run.id),
        )}`,
      );
    }
    const others = unreadable > 0 ? ` (${plural(unreadable, 'line')} that could not be read)` : ' yet';
    throw new UsageError(
      `there is no run in ${file}${others}; every run appends a line, and --history names another file`,
    );
  }
  const { comparable, leftOut } = sortedFor(lines, chosen.parameters);
  const runs = comparable.map(withoutParameters);
  const trend = trendOf(runs);
  const text = values.json
    ? JSON.stringify({ parameters: chosen.parameters, leftOut, unreadable, ...trend }, null, 2)
    : printedTrend(
        trend,
        { parameters: chosen.parameters, leftOut, unreadable, newest: runs.at(-1) },
        styleFor(host.stdout),
      ).join('\n');
  host.stdout.write(`${text}\n`);
  return 0;
}
