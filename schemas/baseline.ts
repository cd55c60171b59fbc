/**
 * The baseline file: which checks are expected to fail on which target, why, and until when. One entry speaks of one
 * check by its exact id, so that nothing that breaks anew is ever hidden behind a pattern.
 */

export const BASELINE_VERSION = 1;

/** What `--update-baseline` writes to when no `--baseline` names a file. */
export const DEFAULT_BASELINE = 'proofload-baseline.yaml';

/** How an entry names the embedded reference, whose address is another one each time. */
export const REFERENCE_TARGET = 'reference';

/** What can be expected of a check: `fail` of a documented promise, `warn` of a convention. */
export const expectable = ['fail', 'warn'] as const;
export type Expected = (typeof expectable)[number];

export interface BaselineEntry {
  /** Exact id. */
  readonly check: string;
  /** The address of either interface, in which `*` stands for any characters, or `reference`. */
  readonly target: string;
  readonly expect: Expected;
  readonly reason: string;
  readonly ticket?: string | number;
  /** Last day (UTC, `2026-12-01`) on which the entry counts. */
  readonly expires?: string;
  /** It fails at times: neither a failure nor a pass is a surprise. Needs `expires`. */
  readonly flaky?: boolean;
  /** Days (UTC) on which the expected failure was first and last seen; kept by `--update-baseline`. */
  readonly firstSeen?: string;
  readonly lastSeen?: string;
}

export interface BaselineFile {
  readonly version: typeof BASELINE_VERSION;
  readonly entries: readonly BaselineEntry[];
}
