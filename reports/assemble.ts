/**
 * Puts the judged parts of a run together to the `Results` that everything else is rendered from: counts, coverage,
 * whether the run is complete, its verdict and its exit code.
 */
import type { Clause } from '../schemas/clauses/clause.ts';
import {
  type BaselineReport,
  RESULTS_SCHEMA_VERSION,
  type ReferenceReport,
  type ResultCheck,
  type ResultLimit,
  type Results,
} from '../schemas/results.ts';
import type { TargetConfig } from '../schemas/target.ts';
import { applyBaseline } from './baseline/apply.ts';
import type { Baseline } from './baseline/baseline.ts';
import { countChecks, coverageOf } from './counts.ts';
import { runVerdict } from './run-verdict.ts';
import { mostSevere } from './severity.ts';
import { rejudged } from './verdicts/limit-rows.ts';

export interface AssembleInput {
  readonly checks: readonly ResultCheck[];
  readonly limits: readonly ResultLimit[];
  readonly latency?: Results['latency'];
  readonly achieved?: Results['achieved'];
  readonly streams?: Results['streams'];
  /** Ids of the checks the run set out to do. */
  readonly declared: readonly string[];
  readonly run: Omit<Results['run'], 'interrupted'>;
  readonly target: TargetConfig;
  readonly clauses: readonly Clause[];
  /** Who or what stopped the run before its end. */
  readonly interrupted?: string;
  /** A fault of the harness that ended it: an error, unless a broken promise was seen before. */
  readonly fault?: string;
  /** What is expected to fail, and what this run wrote there. Expiry is judged on the day the run started (UTC). */
  readonly baseline?: Baseline & Pick<BaselineReport, 'updated'>;
  /** How the target compares with the reference; absent where they were not compared. */
  readonly reference?: ReferenceReport;
  /** `--strict` */
  readonly strict?: boolean;
}

/** An id that was reported twice counts once, with its worst verdict. */
export function collapse(checks: readonly ResultCheck[]): ResultCheck[] {
  const byId = new Map<string, ResultCheck>();
  for (const check of checks) {
    const before = byId.get(check.id);
    if (!before || mostSevere([before.verdict, check.verdict]) !== before.verdict) byId.set(check.id, check);
  }
  return [...byId.values()];
}

const list = (ids: readonly string[]): string =>
  ids.slice(0, 5).join(', ') + (ids.length > 5 ? ` and ${ids.length - 5} more` : '');

/** Why declared and emitted checks differ, or undefined when they don't. */
function mismatch(declared: ReadonlySet<string>, checks: readonly ResultCheck[]): string | undefined {
  const emitted = new Set(checks.map((check) => check.id));
  const lost = [...declared].filter((id) => !emitted.has(id));
  const surplus = [...emitted].filter((id) => !declared.has(id));
  const parts = [
    ...(lost.length > 0 ? [`${lost.length} of ${declared.size} declared checks did not report: ${list(lost)}`] : []),
    ...(surplus.length > 0 ? [`${surplus.length} checks reported without being declared: ${list(surplus)}`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : undefined;
}

interface Excused {
  readonly checks: readonly ResultCheck[];
  readonly limits: readonly ResultLimit[];
  readonly report?: BaselineReport;
}

/** Checks and limits, given the baseline. */
function excused({ baseline, limits, target, run }: AssembleInput, checks: readonly ResultCheck[]): Excused {
  if (!baseline) return { checks, limits };
  const applied = applyBaseline(baseline, checks, { target, today: run.startedAt.slice(0, 10) });
  const report = baseline.updated ? { ...applied.report, updated: baseline.updated } : applied.report;
  return { checks: applied.checks, limits: rejudged(limits, applied.checks), report };
}

/** The whole result of a run; a pure function of what was judged. */
export function assemble(input: AssembleInput): Results {
  const { checks, limits, report } = excused(input, collapse(input.checks));
  const declared = new Set(input.declared);
  const ended = [input.interrupted, input.fault].filter((why) => why !== undefined);
  const incomplete = ended.length > 0 ? ended.join('; ') : mismatch(declared, checks);
  const outcome = runVerdict(checks, {
    complete: incomplete === undefined,
    interrupted: input.interrupted !== undefined,
    outdated: report !== undefined && report.stale.length + report.expired.length > 0,
    strict: input.strict ?? false,
  });
  return {
    schemaVersion: RESULTS_SCHEMA_VERSION,
    complete: incomplete === undefined,
    verdict: outcome.verdict,
    exitCode: outcome.exitCode,
    run: incomplete === undefined ? input.run : { ...input.run, interrupted: incomplete },
    target: input.target,
    counts: countChecks(checks, declared.size),
    checks,
    limits,
    ...(input.latency?.length ? { latency: input.latency } : {}),
    ...(input.achieved?.length ? { achieved: input.achieved } : {}),
    ...(input.streams?.length ? { streams: input.streams } : {}),
    ...(input.reference ? { reference: input.reference } : {}),
    ...(report ? { baseline: report } : {}),
    coverage: coverageOf(input.clauses, checks),
  };
}
