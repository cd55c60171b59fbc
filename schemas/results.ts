/**
 * The results of a run. `results.json` holds them with each exchange stored once (reports/stored.ts). Scripts rely on that
 * file: a change that removes or renames a field needs a new version.
 */

import type { Expected } from './baseline.ts';
import type { Exchange, Expectation, GeneratorHealth, Picture } from './facts.ts';
import type { GeneratorReport } from './generator.ts';
import type { Asked, HistoryReport } from './history.ts';
import type { ResultAchieved, ResultLatency, ResultStreams } from './latency.ts';
import type { LimitKind } from './limits.ts';
import type { OperationId } from './operations.ts';
import type { Profile, TargetConfig } from './target.ts';
import type { CheckDeclaration, Verdict } from './verdicts.ts';

export const RESULTS_SCHEMA_VERSION = 2;

export interface ResultCheck extends CheckDeclaration {
  readonly verdict: Verdict;
  readonly expected: string;
  readonly observed: string;
  /** Why it isn't a plain pass or fail, and what would make it conclusive. */
  readonly reason?: string;
  /** For a check that was not judged for want of an option: such options, as they are written. */
  readonly missing?: readonly string[];
  /** For a check that was asked about once more: why the first time was inconclusive. */
  readonly firstTime?: string;
  /** Absent where the reference was not asked, or where it has the same verdict, nothing is broken and nothing differs. */
  readonly reference?: ReferenceAnswer;
  /** For a check that is `known`: what it would be without the baseline, and what the baseline says of it. */
  readonly known?: KnownDeviation;
  /** What the check could not clean up after itself, in words; it weighs nothing. */
  readonly leftBehind?: readonly string[];
  readonly evidence?: { readonly expectations?: readonly Expectation[]; readonly exchanges?: readonly Exchange[] };
}

/** What the reference answered to the same check. */
export interface ReferenceAnswer {
  readonly verdict: Verdict;
  readonly observed: string;
  /** From an earlier run of the reference under load, kept as data; else it was asked in this run. */
  readonly recorded?: boolean;
  /** What the target did differently, a sentence each; of many the first, and how many more. */
  readonly differences?: readonly string[];
}

/** One thing that the target does differently, wherever it showed. */
export interface ResultDifference {
  /** Null where no operation was reached. */
  readonly operation: OperationId | null;
  /** `POST run`; empty where it is about no single request. */
  readonly request: string;
  readonly text: string;
  /** `spec`, `convention`: it goes with a broken check of that level · `different`: nothing is wrong with it. */
  readonly kind: 'spec' | 'convention' | 'different';
  /** Ids of the checks in which it showed. */
  readonly checks: readonly string[];
}

/** How the target was compared with the reference. */
export interface ReferenceReport {
  /** `asked`: in this run · `itself`: the target is the reference · `missing`: it was not asked, or broke. */
  readonly contract: 'asked' | 'itself' | 'missing';
  /** Why it is missing. */
  readonly why?: string;
  readonly differences: readonly ResultDifference[];
  /** How many more there are than are listed. */
  readonly more: number;
}

export interface KnownDeviation {
  readonly verdict: Expected;
  readonly reason: string;
  readonly ticket?: string;
  /** Last day on which it is excused, UTC. */
  readonly expires?: string;
  readonly flaky?: boolean;
}

/** An entry of the baseline that is not true any more, or whose time is over: it fails the run. */
export interface OutdatedEntry {
  readonly check: string;
  /** `FILE:LINE` */
  readonly at: string;
  /** As the entry names it. */
  readonly target: string;
  readonly why: string;
  readonly remedy: string;
}

/** What became of the baseline in a run that had one. */
export interface BaselineReport {
  readonly file: string;
  /** Entries that speak of this target, and of others. */
  readonly entries: number;
  readonly elsewhere: number;
  /** Checks that are `known`, and the next day on which one of their entries expires. */
  readonly known: number;
  readonly nextExpires: string | null;
  readonly stale: readonly OutdatedEntry[];
  readonly expired: readonly OutdatedEntry[];
  /** Entries about which this run says nothing, with the verdict of their check; null where it was not asked. */
  readonly unobserved: readonly { readonly check: string; readonly verdict: Verdict | null }[];
  /** Flaky checks that passed this time. */
  readonly quiet: readonly string[];
  /** Known checks whose reason nobody has written yet. */
  readonly unexplained: readonly string[];
  /** What `--update-baseline` wrote, as check ids; absent where the file was not to be written. */
  readonly updated?: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    /** Entries whose dates or expected verdict were brought up to date. */
    readonly seen: readonly string[];
  };
}

export interface ResultLimit {
  readonly id: string;
  readonly kind: LimitKind;
  readonly operations: readonly OperationId[];
  readonly documented: { readonly value: number; readonly windowMs?: number };
  /** `configuration`: whoever configured the run promises it, not the spec. */
  readonly promisedBy?: 'configuration';
  /** A point (lower = upper) when the evidence allows; upper null when no bound was found. */
  readonly measured: {
    readonly lower: number;
    readonly upper: number | null;
    /** Of a rate: its window, where it is not the documented one, ms. */
    readonly windowMs?: number;
  } | null;
  readonly algorithm?: string;
  /** Of a rate, what its limiter counts; absent where that makes no difference, or is not known. */
  readonly counts?: 'admitted' | 'all';
  readonly verdict: Verdict;
  /** Ids of its checks. */
  readonly checks: readonly string[];
  readonly pictures?: readonly Picture[];
  readonly health?: GeneratorHealth;
}

export interface ResultCounts {
  readonly pass: number;
  readonly fail: number;
  readonly warn: number;
  readonly observed: number;
  readonly inconclusive: number;
  readonly notObservable: number;
  readonly skipped: number;
  readonly error: number;
  readonly known: number;
  /** Checks this run set out to do, and those that reported; equal in every complete run. */
  readonly declared: number;
  readonly emitted: number;
}

/** `bytes` are those of request bodies; where the load announces them, with a share for header fields. */
export interface Amount {
  readonly requests: number;
  readonly bytes: number;
}

/** What each part of a run announced and sent; a part that did not take place is absent. */
export interface Traffic {
  readonly wiring?: { readonly announced: Amount; readonly sent: Amount };
  readonly contract?: { readonly announced: Amount; readonly sent: Amount };
  readonly load?: { readonly announced: Amount; readonly sent: Pick<Amount, 'requests'> };
}

export interface MergedRuns {
  /** By the time at which they began. */
  readonly runs: readonly { readonly id: string; readonly startedAt: string; readonly durationMs: number }[];
  /** A sentence each. */
  readonly notes: readonly string[];
}

export type RunVerdict = 'pass' | 'fail' | 'inconclusive' | 'error';

export interface Results {
  readonly schemaVersion: typeof RESULTS_SCHEMA_VERSION;
  /** False when the run was interrupted or a part of it did not report. */
  readonly complete: boolean;
  readonly verdict: RunVerdict;
  readonly exitCode: number;
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly finishedAt: string;
    readonly profile: Profile;
    readonly suiteVersion: string;
    readonly k6Version: string | null;
    readonly nodeVersion: string;
    readonly durationMs: number;
    readonly floorMs: number;
    readonly traffic?: Traffic;
    /** What it was told to ask; absent in the results of an earlier version. */
    readonly asked?: Asked;
    /** How well the load generator did; absent where no load was sent. */
    readonly generator?: GeneratorReport;
    /** For several runs in one: which, and what of them could not be put together. */
    readonly merged?: MergedRuns;
    /** Why it is not complete. */
    readonly interrupted?: string;
  };
  readonly target: TargetConfig;
  readonly counts: ResultCounts;
  readonly checks: readonly ResultCheck[];
  readonly limits: readonly ResultLimit[];
  /** Latency of the paced load, by operation and status class; absent where none was sent. */
  readonly latency?: readonly ResultLatency[];
  /** Each paced phase: what it was to send, and what it did. */
  readonly achieved?: readonly ResultAchieved[];
  readonly streams?: readonly ResultStreams[];
  readonly reference?: ReferenceReport;
  /** Absent where the run had no baseline. */
  readonly baseline?: BaselineReport;
  /** Absent where no history was kept. */
  readonly history?: HistoryReport;
  readonly coverage: {
    readonly clauses: number;
    readonly observable: number;
    readonly checked: number;
    readonly byClause: Readonly<Record<string, readonly string[]>>;
  };
}
