/** Trends as sentences, the same on the page and in the terminal. */
import type { HistoryReport } from '../../schemas/history.ts';
import type { Results } from '../../schemas/results.ts';
import { number, plural } from '../../schemas/thousands.ts';
import { sinceWords } from '../changes/words.ts';
import { withMs } from '../latency/words.ts';
import { measuredWords } from '../limit-words.ts';
import { instant } from '../words.ts';
import { pastRun } from './line.ts';
import { type BrokenTrend, type LatencyTrend, type LimitTrend, type Trend, trendOf } from './trend.ts';

type Runs = Trend['runs'];

/** `since 2026-11-20 03:00 UTC` */
const since = (runs: Runs, run: number): string => `since ${instant(runs[run]?.startedAt ?? '')}`;

const same = (one: LimitTrend['points'][number], other: LimitTrend['points'][number]): boolean =>
  one.measured.lower === other.measured.lower && one.measured.upper === other.measured.upper;

/** How the newest measurement stands to the others, none of which it contradicts. */
function inRuns(points: LimitTrend['points']): string {
  const [newest] = points.slice(-1);
  if (points.length === 1) return ' in the one run that measured it';
  const alike = newest !== undefined && points.every((point) => same(point, newest));
  const all = points.length === 2 ? 'both runs' : `all ${number(points.length)} runs`;
  return alike ? ` in ${all}` : `, which fits ${all}`;
}

/** `1,000 requests per 10 s in all 12 runs`, or how it went from one value to the next. */
export function limitTrendWords({ limit, points, changes }: LimitTrend, runs: Runs): string {
  const said = (index: number): string => measuredWords({ ...limit, measured: points[index]?.measured ?? null });
  const last = points.length - 1;
  if (last < 0) return 'not measured';
  if (changes.length === 0) return `${said(last)}${inRuns(points)}`;
  const steps = changes.map((index) => `${said(index)} ${since(runs, points[index]?.run ?? 0)}`);
  return [said((changes[0] ?? 1) - 1), ...steps].join(', then ');
}

/** `p95 8.1 ms, before that 4 ms: since 2026-11-20 03:00 UTC`; without a change the last value alone. */
export function latencyTrendWords({ percentile, points, changes }: LatencyTrend, runs: Runs): string {
  const last = points.at(-1);
  if (!last) return 'not measured';
  const steps = changes.map(
    ({ at, before, after }) =>
      `about ${withMs(after)} ${since(runs, points[at]?.run ?? 0)}, before that about ${withMs(before)}`,
  );
  const [from, to] = [withMs(least(points)), withMs(most(points))];
  const range = from === to ? '' : `, ${from} to ${to} so far`;
  return `${percentile} ${withMs(last.ms)}${range}${steps.length > 0 ? `; ${steps.join('; ')}` : ''}`;
}

const least = (points: LatencyTrend['points']): number => Math.min(...points.map(({ ms }) => ms));
const most = (points: LatencyTrend['points']): number => Math.max(...points.map(({ ms }) => ms));

/** `since 2026-11-20 03:00 UTC (3 runs); it broke 4 times in all` */
export function brokenTrendWords({ since: from, everSince, times }: BrokenTrend, runs: Runs): string {
  const count = runs.length - from.run;
  const when = everSince ? `in every run that is known, ${since(runs, 0)}` : since(runs, from.run);
  const flaps = times > 1 ? `; it broke ${number(times)} times in all` : '';
  return `${when} (${plural(count, 'run')})${flaps}`;
}

/** By check id: since which run it is broken; empty without earlier runs. */
export function brokenSince(results: Results): ReadonlyMap<string, string> {
  const earlier = results.history?.runs ?? [];
  if (earlier.length === 0) return new Map();
  const { broken, runs } = trendOf([...earlier, pastRun(results)]);
  return new Map(broken.map((one) => [one.id, brokenTrendWords(one, runs)]));
}

const leftOutRuns = ({ leftOut }: Pick<HistoryReport, 'leftOut'>): number =>
  leftOut.reduce((sum, { runs }) => sum + runs, 0);

/** What was left out of a trend, and why; empty where nothing was. */
export function leftOutWords({ leftOut, unreadable }: Pick<HistoryReport, 'leftOut' | 'unreadable'>): string {
  const left = leftOutRuns({ leftOut });
  const [first, ...more] = leftOut;
  const reasons = more.length === 0 ? first?.why : leftOut.map(({ why, runs }) => `${number(runs)} ${why}`).join('; ');
  return [
    ...(left > 0 ? [`${plural(left, 'run')} of the file left out: ${reasons}.`] : []),
    ...(unreadable > 0 ? [`${plural(unreadable, 'line')} of the file could not be read.`] : []),
  ].join(' ');
}

/** What changed since the last comparable run, or why there is none among earlier ones; undefined of a first run. */
export const sinceOrNot = (results: Pick<Results, 'history' | 'run'>): string | undefined =>
  sinceWords(results) ?? unlikeOthers(results);

/** Said where there are earlier runs and none that a run can be compared with; undefined otherwise. */
function unlikeOthers({ history }: Pick<Results, 'history'>): string | undefined {
  const [most, ...others] = history?.leftOut ?? [];
  if (!history || history.runs.length > 0 || !most) return undefined;
  const all = leftOutRuns(history);
  const rest = others.length > 0 ? ` and ${number(all - most.runs)} for other reasons` : '';
  const count = others.length > 0 ? `${number(most.runs)} ` : '';
  return `No comparable earlier run (${number(all)} skipped: ${count}${most.why}${rest}).`;
}

/** How many runs a run is compared with, and what was left out. */
export function comparedWords(history: HistoryReport): string {
  const { runs, earlier, problem } = history;
  const newest = earlier > 0 ? `, the newest of ${number(runs.length + earlier)}` : '';
  const left = leftOutWords(history);
  return [
    runs.length === 0
      ? 'No comparable earlier run.'
      : `Compared with ${plural(runs.length, 'earlier run')} with the same parameters${newest}.`,
    ...(left === '' ? [] : [left]),
    ...(problem === undefined ? [] : [`${problem}.`]),
  ].join(' ');
}
