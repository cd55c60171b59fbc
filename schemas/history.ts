/**
 * What outlives a run: one line of the history file, newline-delimited JSON. It holds what a trend and the next run's
 * comparison need, and the parameters without which two runs must not be compared; the evidence stays in the run's own
 * directory.
 */
import type { Percentiles } from './latency.ts';
import type { ResultCounts, ResultLimit, RunVerdict } from './results.ts';
import type { Profile, TargetConfig } from './target.ts';
import type { Verdict } from './verdicts.ts';

export const HISTORY_VERSION = 1;

/** What a run was told to ask. */
export interface Asked {
  readonly contract: boolean;
  readonly load: boolean;
  /** The globs of `--only`; empty: everything. */
  readonly only: readonly string[];
  /** Check id of each goal, and its milliseconds. */
  readonly goals: Readonly<Record<string, number>>;
}

/** Whatever makes two runs ask different questions. Versions are not among them: they are said beside a comparison. */
export interface RunParameters {
  readonly profile: Profile;
  readonly target: TargetConfig;
  /** Null where the run did not write it down. */
  readonly asked: Asked | null;
}

/** What was seen of a check, with or without the excuse of a baseline, where it is more than that nothing is wrong. */
export const notableVerdicts = ['fail', 'error', 'warn', 'inconclusive'] as const;
export type NotableVerdict = (typeof notableVerdicts)[number];

export type HistoryLimit = Pick<ResultLimit, 'id' | 'kind' | 'documented' | 'measured' | 'algorithm' | 'verdict'>;

/** Of the answers with 2xx; for streams, to the first token. */
export interface HistoryLatency {
  readonly operation: string;
  readonly requests: number;
  readonly latency: Percentiles;
}

/** A run as far as another one can be compared with it. */
export interface PastRun {
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly suiteVersion: string;
    readonly k6Version: string | null;
    readonly nodeVersion: string;
  };
  readonly complete: boolean;
  readonly verdict: RunVerdict;
  readonly exitCode: number;
  readonly counts: ResultCounts;
  /** Checks of which there is something to tell; of every other one nothing was seen wrong. */
  readonly checks: Readonly<Record<string, NotableVerdict>>;
  /** Those of them that the baseline excuses. */
  readonly known: readonly string[];
  readonly limits: readonly HistoryLimit[];
  readonly latency: readonly HistoryLatency[];
  readonly firstToken: readonly HistoryLatency[];
}

/** One line of the history file. */
export interface HistoryLine extends PastRun {
  readonly schemaVersion: typeof HISTORY_VERSION;
  readonly parameters: RunParameters;
}

/**
 * What became of a check from one run to the next. `broken`: seen wrong now, and not (or not as badly) before · `still`:
 * both times · `fixed`: before, and now seen right · `lost`: before, and now nobody knows · `doubtful`: not decided
 * now, and nothing wrong was known of it · `settled`: not decided before, and now seen right.
 */
export const changeKinds = ['broken', 'still', 'fixed', 'lost', 'doubtful', 'settled'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** `fine`: nothing wrong was seen, which is all that a history keeps of it · `absent`: it was not asked. */
export type Standing = Verdict | 'fine' | 'absent';

export interface CheckChange {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly before: Standing;
  readonly now: Standing;
  /** The baseline of the later run excuses it. */
  readonly known?: true;
}

/** A limit that is another than it was: the two measurements have no value in common, or another algorithm is named. */
export interface LimitChange {
  readonly id: string;
  readonly before: HistoryLimit;
  readonly now: HistoryLimit;
}

export interface Changes {
  readonly checks: readonly CheckChange[];
  readonly limits: readonly LimitChange[];
  /** Of how many checks something was seen, or left open, each time: a run that looks at less finds less. */
  readonly looked?: { readonly before: number; readonly now: number };
}

/** The run that another is compared with. */
export interface Earlier {
  readonly id: string;
  readonly startedAt: string;
  readonly suiteVersion: string;
}

/** What the history says of a run, in its results. */
export interface HistoryReport {
  readonly file: string;
  /** Why nothing could be read there, or not written. */
  readonly problem?: string;
  /** Lines that are none of ours. */
  readonly unreadable: number;
  /** The newest runs before this one that it can be compared with, oldest first. */
  readonly runs: readonly PastRun[];
  /** How many more there are, older ones. */
  readonly earlier: number;
  /** Runs that it can't be compared with, by the reason. */
  readonly leftOut: readonly { readonly why: string; readonly runs: number }[];
  /** Since the last of them; absent where there is none. */
  readonly since?: Changes & { readonly run: Earlier };
}
