/**
 * Several runs of the same target as one: shards on several runners, the parts of a night, or the same twice. Counts and
 * sums are of everything that any of them reported, percentiles of all times together. Runs of other targets, profiles,
 * goals or versions are no parts of one run, and are refused.
 */
import type { Clause } from '../../schemas/clauses/clause.ts';
import type { ResultCheck, ResultLimit, Results } from '../../schemas/results.ts';
import { UsageError } from '../../schemas/target.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { apart } from '../changes/changes.ts';
import { countChecks, coverageOf } from '../counts.ts';
import { differingParameters, parametersOf, parameterWords } from '../history/parameters.ts';
import { EXIT, runVerdict } from '../run-verdict.ts';
import { worstFirst } from '../severity.ts';
import { rejudged } from '../verdicts/limit-rows.ts';
import { mergeLatency, type Part } from './latency.ts';
import { mergeBaselines, mergeGenerators, mergeReferences, mergeSelections, mergeTraffic } from './reports.ts';

// The same limit out of several runs -> one row. Each measurement is an interval that holds the value, so all of them
// together say that it is in each; where two have nothing in common, the limit was not the same, and the row spans both.

type Interval = NonNullable<ResultLimit['measured']>;

const smaller = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
const larger = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);

function both(one: Interval, other: Interval): Interval {
  return apart(one, other)
    ? { lower: Math.min(one.lower, other.lower), upper: larger(one.upper, other.upper) }
    : { lower: Math.max(one.lower, other.lower), upper: smaller(one.upper, other.upper) };
}

const UNNAMED = 'unknown';

/** What all of those name that name any. */
function algorithmOf(rows: readonly ResultLimit[]): Pick<ResultLimit, 'algorithm'> {
  const given = rows.flatMap(({ algorithm }) => algorithm ?? []);
  const [named = UNNAMED, ...others] = new Set(given.filter((one) => one !== UNNAMED));
  return given.length === 0 ? {} : { algorithm: others.length > 0 ? UNNAMED : named };
}

function mergeLimit(rows: readonly ResultLimit[]): ResultLimit | undefined {
  const [first, ...others] = rows;
  if (!first || others.length === 0) return first;
  const intervals = rows.flatMap(({ measured }) => measured ?? []);
  const pictures = rows.flatMap((row) => row.pictures ?? []);
  return {
    ...(rows.find(({ measured }) => measured !== null) ?? first),
    measured: intervals.length === 0 ? null : intervals.reduce(both),
    ...algorithmOf(rows),
    checks: [...new Set(rows.flatMap(({ checks }) => checks))],
    ...(pictures.length > 0 ? { pictures } : {}),
  };
}

/** @param checks the merged ones, by which the rows are judged */
export function mergeLimits(runs: readonly (readonly ResultLimit[])[], checks: readonly ResultCheck[]): ResultLimit[] {
  const all = runs.flat();
  const ids = [...new Set(all.map(({ id }) => id))];
  const rows = ids.flatMap((id) => mergeLimit(all.filter((row) => row.id === id)) ?? []);
  return rejudged(rows, checks);
}

// The same check from several runs -> one. A finding of any of them stays, and so does a fault of ours. But a run that
// did not decide a check, or was stopped before it, takes nothing from another that did: as within a run, where an
// inconclusive check is retried.

const undecided: ReadonlySet<Verdict> = new Set(['inconclusive', 'not-observable', 'skipped']);
const isOpen = ({ verdict }: ResultCheck): boolean => undecided.has(verdict);

function mergeCheck(all: readonly ResultCheck[]): ResultCheck | undefined {
  const decided = all.filter((check) => !isOpen(check));
  const [counting] = worstFirst(decided.length > 0 ? decided : all);
  const open = decided.length > 0 ? all.find(({ verdict }) => verdict === 'inconclusive') : undefined;
  if (!counting) return undefined;
  const left = [...new Set(all.flatMap(({ leftBehind = [] }) => leftBehind))];
  return {
    ...counting,
    ...(open && counting.firstTime === undefined ? { firstTime: open.reason ?? open.observed } : {}),
    ...(left.length > 0 ? { leftBehind: left } : {}),
  };
}

/** In the order in which they first appear. */
export function mergeChecks(runs: readonly (readonly ResultCheck[])[]): ResultCheck[] {
  const byId = new Map<string, ResultCheck[]>();
  for (const check of runs.flat()) byId.set(check.id, [...(byId.get(check.id) ?? []), check]);
  return [...byId.values()].flatMap((all) => mergeCheck(all) ?? []);
}

/** What parts may differ in: each has its share. */
const ofShares = new Set(['contract', 'load', 'only']);

/** What was merged before can be merged again. */
const singleRuns = ({ run }: Results): NonNullable<Results['run']['merged']>['runs'] =>
  run.merged?.runs ?? [{ id: run.id, startedAt: run.startedAt, durationMs: run.durationMs }];

/** Throws UsageError for runs that are no parts of one. */
function requireParts(first: Results, others: readonly Results[]): void {
  const seen = new Set(singleRuns(first).map(({ id }) => id));
  for (const other of others) {
    for (const { id } of singleRuns(other)) {
      if (seen.has(id)) throw new UsageError(`the run ${id} is given twice`);
      seen.add(id);
    }
    const differing = differingParameters(parametersOf(first), parametersOf(other)).filter(
      ({ name }) => !ofShares.has(name),
    );
    const [one] = differing;
    if (one) {
      throw new UsageError(`${first.run.id} and ${other.run.id} are no parts of one run: ${parameterWords(one)}`);
    }
    if (other.run.suiteVersion !== first.run.suiteVersion) {
      const versions = `${first.run.suiteVersion} and ${other.run.suiteVersion}`;
      throw new UsageError(
        `${first.run.id} and ${other.run.id} were made by different versions of proofload, ${versions}`,
      );
    }
  }
}

/** The time in which at least one of them ran, ms. */
export function spanMs(runs: readonly Pick<Results['run'], 'startedAt' | 'durationMs'>[]): number {
  const begins = runs.map(({ startedAt, durationMs }) => ({ at: Date.parse(startedAt), durationMs }));
  const spans = begins.map(({ at, durationMs }) => [at, at + durationMs] as const);
  let [covered, until] = [0, Number.NEGATIVE_INFINITY];
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    covered += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return covered;
}

const joined = (words: readonly string[]): string => [...new Set(words)].sort().join(', ');

function runOf(runs: readonly Results[], first: Results, notes: readonly string[]): Results['run'] {
  const all = runs.map(({ run }) => run);
  const byStart = runs.flatMap(singleRuns).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const finished = all.map(({ finishedAt }) => finishedAt).sort();
  const k6 = joined(all.flatMap(({ k6Version }) => k6Version ?? []));
  const broken = runs.flatMap(({ complete, run }) =>
    complete ? [] : [`${run.id}: ${run.interrupted ?? 'not whole'}`],
  );
  const [traffic, generator, asked] = [mergeTraffic(runs), mergeGenerators(runs), mergeSelections(runs)];
  return {
    id: `${byStart[0]?.id ?? first.run.id}-and-${byStart.length - 1}-more`,
    startedAt: byStart[0]?.startedAt ?? first.run.startedAt,
    finishedAt: finished.at(-1) ?? first.run.finishedAt,
    profile: first.run.profile,
    suiteVersion: first.run.suiteVersion,
    k6Version: k6 === '' ? null : k6,
    nodeVersion: joined(all.map(({ nodeVersion }) => nodeVersion)),
    durationMs: spanMs(byStart),
    floorMs: Math.max(...all.map(({ floorMs }) => floorMs)),
    ...(traffic ? { traffic } : {}),
    ...(generator ? { generator } : {}),
    ...(asked ? { asked } : {}),
    ...(first.run.config === undefined ? {} : { config: first.run.config }),
    ...(broken.length > 0 ? { interrupted: broken.join('; ') } : {}),
    merged: { runs: byStart, notes: [...all.flatMap(({ merged }) => merged?.notes ?? []), ...notes] },
  };
}

/** Declared checks that never reported are counted once for each such run. */
function countsOf(runs: readonly Results[], checks: readonly ResultCheck[]): Results['counts'] {
  const lost = runs.reduce((all, { counts }) => all + Math.max(0, counts.declared - counts.emitted), 0);
  return countChecks(checks, checks.length + lost);
}

/** Throws UsageError where they are no parts of one run, or fewer than two. */
export function mergeRuns(parts: readonly Part[], clauses: readonly Clause[]): Results {
  const runs = parts.map(({ results }) => results);
  const [first, ...others] = runs;
  if (!first || others.length === 0) throw new UsageError('it takes the directories of two runs or more to merge them');
  requireParts(first, others);
  const checks = mergeChecks(runs.map((one) => one.checks));
  const { latency, streams, notes } = mergeLatency(parts);
  const baseline = mergeBaselines(runs, checks);
  const reference = mergeReferences(runs);
  const achieved = runs.flatMap((one) => one.achieved ?? []);
  const complete = runs.every((one) => one.complete);
  const outcome = runVerdict(checks, {
    complete,
    interrupted: runs.some(({ exitCode }) => exitCode === EXIT.interrupted),
    outdated: baseline !== undefined && baseline.stale.length + baseline.expired.length > 0,
    strict: runs.some(({ exitCode }) => exitCode === EXIT.inconclusive),
  });
  return {
    schemaVersion: first.schemaVersion,
    complete,
    ...outcome,
    run: runOf(runs, first, notes),
    target: first.target,
    counts: countsOf(runs, checks),
    checks,
    limits: mergeLimits(
      runs.map((one) => one.limits),
      checks,
    ),
    ...(latency.length > 0 ? { latency } : {}),
    ...(achieved.length > 0 ? { achieved } : {}),
    ...(streams.length > 0 ? { streams } : {}),
    ...(reference ? { reference } : {}),
    ...(baseline ? { baseline } : {}),
    coverage: coverageOf(clauses, checks),
  };
}
