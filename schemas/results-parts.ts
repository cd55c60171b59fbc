/** What `results.json` and the history file have in common. */
import { limitKinds } from './limits.ts';
import {
  as,
  atLeastZero,
  choice,
  count,
  flag,
  id,
  list,
  map,
  nullableNumber,
  number,
  object,
  orNull,
  type TypeOf,
  text,
} from './schema-words.ts';
import { verdict } from './verdicts.ts';

/** How a run as a whole ended. */
export const outcome = {
  /** False when the run was interrupted or a part of it did not report. */
  complete: flag,
  verdict: choice('pass', 'fail', 'inconclusive', 'error'),
  exitCode: as<number>(choice(0, 1, 2, 3, 130)),
} as const;

/** The selection of a run. */
export const runSelection = object({
  contract: flag,
  load: flag,
  /** The globs of `--only`; empty: everything. */
  only: list(text),
  /** Check id of each goal, and its milliseconds. */
  goals: map(atLeastZero),
});

const window = { type: 'integer', minimum: 1 } as const;

/** A limit as it is documented, measured and judged. */
export const limitMust = {
  id,
  kind: choice(...limitKinds),
  documented: object({ value: count }, { windowMs: window }),
  /** A point (lower = upper) when the evidence allows; upper null when no bound was found. */
  measured: orNull(
    object(
      { lower: number, upper: nullableNumber },
      {
        /** Of a rate: its window, where it is not the documented one, ms. */
        windowMs: window,
      },
    ),
  ),
  verdict,
} as const;
export const limitMay = { algorithm: text } as const;

export const counts = object({
  pass: count,
  fail: count,
  warn: count,
  observed: count,
  inconclusive: count,
  notObservable: count,
  skipped: count,
  error: count,
  known: count,
  /** Checks this run set out to do, and those that reported; equal in every complete run. */
  declared: count,
  emitted: count,
});

export type RunVerdict = TypeOf<typeof outcome.verdict>;
export type RunSelection = TypeOf<typeof runSelection>;
export type ResultCounts = TypeOf<typeof counts>;
