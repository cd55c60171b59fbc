/**
 * What comparable runs show together: each limit as it was measured from run to run, each operation's latency, and
 * since when a broken check is broken. A measured limit has changed where no value lies within both of two consecutive
 * measurements; latency, which is never twice the same, where a test of many runs says so.
 */
import type { HistoryLatency, HistoryLimit, NotableVerdict, PastRun } from '../../schemas/history.ts';
import type { PercentileName } from '../../schemas/latency.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { apart } from '../changes/changes.ts';
import { type ChangePoint, changePoints } from './change-points.ts';

/** Where in the series a run stands, 0 the oldest. */
interface At {
  readonly run: number;
}

export interface LimitTrend {
  readonly id: string;
  /** As the newest run that has it documents it. */
  readonly limit: HistoryLimit;
  /** Runs that measured it. */
  readonly points: readonly (At & {
    readonly measured: NonNullable<HistoryLimit['measured']>;
    readonly verdict: Verdict;
  })[];
  /** Indices of points that the one before them has no value in common with. */
  readonly changes: readonly number[];
}

export interface LatencyTrend {
  readonly operation: string;
  readonly what: 'latency' | 'first-token';
  readonly percentile: PercentileName;
  /** Milliseconds. */
  readonly points: readonly (At & { readonly ms: number })[];
  readonly changes: readonly ChangePoint[];
}

export interface BrokenTrend {
  readonly id: string;
  readonly verdict: NotableVerdict;
  /** The first of the runs, up to the newest, in which nothing else was seen of it. */
  readonly since: At;
  /** True where that is the oldest run that is known: it may have been broken for longer. */
  readonly everSince: boolean;
  /** How often it broke in these runs; what was not decided in between is no end of it. */
  readonly times: number;
}

export interface Trend {
  /** Oldest first. */
  readonly runs: readonly PastRun['run'][];
  readonly limits: readonly LimitTrend[];
  readonly latency: readonly LatencyTrend[];
  readonly broken: readonly BrokenTrend[];
  /** Runs, by index, that another version of proofload made than the one before. */
  readonly versions: readonly number[];
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

function limitTrend(runs: readonly PastRun[], id: string): LimitTrend[] {
  const seen = runs.flatMap(({ limits }, run) =>
    limits.filter((one) => one.id === id).map((limit) => ({ run, limit })),
  );
  const limit = seen.at(-1)?.limit;
  if (!limit) return [];
  const points = seen.flatMap(({ run, limit: { measured, verdict } }) =>
    measured ? [{ run, measured, verdict }] : [],
  );
  const changes = points.flatMap(({ measured }, index) => {
    const before = points[index - 1]?.measured;
    return before && apart(before, measured) ? [index] : [];
  });
  return [{ id, limit, points, changes }];
}

/** The highest percentile that every run has, so that the points of a series are alike. */
const comparable: readonly PercentileName[] = ['p95', 'p90', 'p50', 'max'];

function latencyTrend(
  runs: readonly PastRun[],
  what: LatencyTrend['what'],
  rowsOf: (run: PastRun) => readonly HistoryLatency[],
): LatencyTrend[] {
  const operations = distinct(runs.flatMap((run) => rowsOf(run).map(({ operation }) => operation)));
  return operations.map((operation) => {
    const seen = runs.flatMap((past, run) =>
      rowsOf(past)
        .filter((row) => row.operation === operation)
        .map(({ latency }) => ({ run, latency })),
    );
    const percentile = comparable.find((name) => seen.every(({ latency }) => latency[name] !== undefined)) ?? 'max';
    const points = seen.map(({ run, latency }) => ({ run, ms: latency[percentile] ?? latency.max }));
    return { operation, what, percentile, points, changes: changePoints(points.map(({ ms }) => ms)) };
  });
}

const isBroken = (verdict: NotableVerdict | undefined): verdict is 'fail' | 'warn' =>
  verdict === 'fail' || verdict === 'warn';

function brokenTrend(runs: readonly PastRun[]): BrokenTrend[] {
  const newest = runs.at(-1);
  return Object.entries(newest?.checks ?? {}).flatMap(([id, verdict]) => {
    if (!isBroken(verdict)) return [];
    const decided = runs.flatMap(({ checks: { [id]: seen } }, run) =>
      seen === undefined || isBroken(seen) ? [{ run, broken: seen !== undefined }] : [],
    );
    const begins = decided.filter(({ broken }, index) => broken && decided[index - 1]?.broken !== true);
    const since = begins.at(-1)?.run ?? 0;
    const everSince = decided.every(({ broken }) => broken);
    return [{ id, verdict, since: { run: since }, everSince, times: begins.length }];
  });
}

/** @param runs comparable ones, oldest first */
export function trendOf(runs: readonly PastRun[]): Trend {
  const ids = distinct(runs.flatMap(({ limits }) => limits.map(({ id }) => id)));
  return {
    runs: runs.map(({ run }) => run),
    limits: ids.flatMap((id) => limitTrend(runs, id)),
    latency: [
      ...latencyTrend(runs, 'latency', ({ latency }) => latency),
      ...latencyTrend(runs, 'first-token', ({ firstToken }) => firstToken),
    ],
    broken: brokenTrend(runs),
    versions: runs.flatMap(({ run }, index) => {
      const before = runs[index - 1]?.run.suiteVersion;
      return before !== undefined && before !== run.suiteVersion ? [index] : [];
    }),
  };
}
