/** A trend for a terminal: a line for each limit and each operation, and since when what is broken is broken. */
import type { HistoryReport, PastRun, RunParameters } from '../../schemas/history.ts';
import { number, plural } from '../../schemas/thousands.ts';
import type { Style } from '../terminal.ts';
import { instant, targetName, verdictWords } from '../words.ts';
import type { LatencyTrend, Trend } from './trend.ts';
import { brokenTrendWords, latencyTrendWords, leftOutWords, limitTrendWords } from './words.ts';

const BLOCKS = '▁▂▃▄▅▆▇█';
const MOST_BLOCKS = 40;

/** One block a run, between nothing and the largest of them: small changes must not look large. */
function sparkline(points: LatencyTrend['points']): string {
  const values = points.slice(-MOST_BLOCKS).map(({ ms }) => ms);
  const most = Math.max(...values);
  const height = (ms: number): number => (most > 0 ? Math.round((ms / most) * (BLOCKS.length - 1)) : 0);
  return values.map((ms) => BLOCKS.charAt(height(ms))).join('');
}

export interface TrendContext extends Pick<HistoryReport, 'leftOut' | 'unreadable'> {
  readonly parameters: RunParameters;
  readonly newest: PastRun | undefined;
}

function targetWords({ profile, target }: RunParameters): string {
  return `${targetName(target)}, profile ${profile}`;
}

function rows(pairs: readonly (readonly [string, string])[]): string[] {
  const widest = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, words]) => `  ${name.padEnd(widest)}  ${words}`);
}

/** One string a line. */
export function printedTrend(trend: Trend, context: TrendContext, style: Style): string[] {
  const { runs, limits, latency, broken } = trend;
  const [first, last] = [runs[0], runs.at(-1)];
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [style('strong', title), ...lines];
  const span = first && last && runs.length > 1 ? `, ${instant(first.startedAt)} to ${instant(last.startedAt)}` : '';
  const left = leftOutWords(context);
  return [
    `${plural(runs.length, 'run')} of ${targetWords(context.parameters)}${span}`,
    ...(left === '' ? [] : [style('dim', left)]),
    ...(context.newest ? [newestWords(context.newest)] : []),
    ...section('Limits', rows(limits.map((one) => [one.id, limitTrendWords(one, runs)]))),
    ...section(
      'Latency',
      rows(
        latency.map((one) => [
          `${one.operation}${one.what === 'first-token' ? ', first token' : ''}`,
          `${sparkline(one.points)}  ${latencyTrendWords(one, runs)}`,
        ]),
      ),
    ),
    ...section(
      'Broken',
      broken.map(
        (one) =>
          `  ${style('fail', `${verdictWords[one.verdict].sign} ${one.id}`)} ${brokenTrendWords(one, runs)}${context.newest?.known.includes(one.id) ? ', known to the baseline' : ''}`,
      ),
    ),
    ...trend.versions.map((run) =>
      style('dim', `proofload ${runs[run]?.suiteVersion ?? ''} since ${instant(runs[run]?.startedAt ?? '')}`),
    ),
  ];
}

function newestWords({ run, verdict, counts }: PastRun): string {
  const why = verdict === 'fail' && counts.fail === 0 ? ' (the baseline is out of date)' : '';
  return `The newest of them, ${run.id}: ${verdictWords[verdict].word}${why}, ${number(counts.fail)} failed, ${number(counts.known)} known, ${number(counts.inconclusive)} inconclusive`;
}
