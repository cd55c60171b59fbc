/** The shape of `results.json` (design part 4). Scripts rely on it: a change that removes or renames needs a new version. */
import type { Exchange, Expectation, GeneratorHealth, Picture } from './facts.ts';
import type { LimitKind } from './limits.ts';
import type { OperationId } from './operations.ts';
import type { Profile, TargetConfig } from './target.ts';
import type { CheckDeclaration, Verdict } from './verdicts.ts';

export const RESULTS_SCHEMA_VERSION = 1;

export interface ResultCheck extends CheckDeclaration {
  readonly verdict: Verdict;
  readonly expected: string;
  readonly observed: string;
  /** Why it isn't a plain pass or fail, and what would make it conclusive. */
  readonly reason?: string;
  readonly reference?: { readonly verdict: Verdict; readonly observed: string };
  readonly evidence?: { readonly expectations?: readonly Expectation[]; readonly exchanges?: readonly Exchange[] };
}

export interface ResultLimit {
  readonly id: string;
  readonly kind: LimitKind;
  readonly operations: readonly OperationId[];
  readonly documented: { readonly value: number; readonly windowMs?: number };
  /** A point (lower = upper) when the evidence allows; upper null when no bound was found. */
  readonly measured: { readonly lower: number; readonly upper: number | null } | null;
  readonly algorithm?: string;
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
    /** Why it is not complete. */
    readonly interrupted?: string;
  };
  readonly target: TargetConfig;
  readonly counts: ResultCounts;
  readonly checks: readonly ResultCheck[];
  readonly limits: readonly ResultLimit[];
  readonly coverage: {
    readonly clauses: number;
    readonly observable: number;
    readonly checked: number;
    readonly byClause: Readonly<Record<string, readonly string[]>>;
  };
}
