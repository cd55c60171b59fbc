/**
 * The same limit out of several runs -> one row. Each measurement is an interval that holds the value, so all of them
 * together say that it is in each; where two have nothing in common, the limit was not the same, and the row spans both.
 */
import type { ResultCheck, ResultLimit } from '../../schemas/results.ts';
import { apart } from '../changes/changes.ts';
import { judgedAgain } from '../verdicts/limit-rows.ts';

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
  return judgedAgain(rows, checks);
}
