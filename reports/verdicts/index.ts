/**
 * Facts -> verdicts, in one pure place: nothing here sends, waits, reads a clock or a file. Checks and probes only
 * record what they saw; how serious it is, and whether the evidence carries it, is decided here and nowhere else.
 */
import type { CheckFacts, LoadFacts } from '../../schemas/facts.ts';
import type { GoalDeclaration } from '../../schemas/goals.ts';
import type { ResultAchieved, ResultLatency, ResultStreams } from '../../schemas/latency.ts';
import { documentedTable, type LimitTable } from '../../schemas/limits.ts';
import type { LoadCheckDeclaration } from '../../schemas/load-checks.ts';
import type { ResultCheck, ResultLimit } from '../../schemas/results.ts';
import type { EndpointConfig } from '../../schemas/target.ts';
import { judgeOf } from '../kinds/index.ts';
import { achievedRows, latencyRows } from '../latency/rows.ts';
import { streamRows } from '../latency/streams.ts';
import { judgeChecks } from './check.ts';
import { type Claim, claimOf, gate, isOpen, leftOut, mergeRetry, strongest, verdictOf } from './claim.ts';
import { type JudgingContext, judgingContext } from './context.ts';
import { judgeGoals } from './goals.ts';
import { limitRows } from './limit-rows.ts';

/** @param again of the probes that were retried, because the first time left something open */
function judgeLoadChecks(
  facts: readonly LoadFacts[],
  declared: readonly LoadCheckDeclaration[],
  context: JudgingContext,
  again: readonly LoadFacts[] = [],
): ResultCheck[] {
  const judge = (some: readonly LoadFacts[]) =>
    inOrder(some).map((one) => {
      const { judge: claims, doubts } = judgeOf(one);
      return gate(claims(one, context), doubts?.(one, context) ?? []);
    });
  const [judged, rejudged] = [judge(facts), judge(again)];
  return declared.map((declaration) => {
    const about = (some: readonly Record<string, Claim>[]) => some.flatMap((claims) => claims[declaration.id] ?? []);
    const claims = about(judged);
    const first = strongest(claims);
    const later = strongest(about(rejudged));
    const claim = mergeRetry(first, later) ?? nothingReported(declaration.title);
    const firstTime = first && later && isOpen(first) ? first.reason : undefined;
    // What is only recorded says what it could not record; a verdict stands on what was seen.
    const reason = claim.reason ?? (declaration.level === 'observed' ? leftOut(claims) : undefined);
    return {
      id: declaration.id,
      title: declaration.title,
      clauses: declaration.clauses,
      level: declaration.level,
      verdict: verdictOf(claim, declaration.level),
      expected: claim.expected,
      observed: claim.observed,
      ...(reason ? { reason } : {}),
      ...(claim.missing ? { missing: claim.missing } : {}),
      ...(firstTime ? { firstTime } : {}),
    };
  });
}

/** Several probes may be about one check, and its claim must not depend on which of them ran first. */
function inOrder(facts: readonly LoadFacts[]): readonly LoadFacts[] {
  const nameOf = (one: LoadFacts): string =>
    [
      one.kind,
      'limitId' in one ? one.limitId : '',
      'technique' in one ? one.technique : '',
      'instId' in one ? one.instId : '',
    ].join(' ');
  return [...facts].sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'));
}

const nothingReported = (expected: string): Claim =>
  claimOf({ kind: 'error', message: 'no probe reported on this check' }, expected);

export interface Evidence {
  readonly checkFacts: readonly CheckFacts[];
  readonly loadFacts: readonly LoadFacts[];
  /** Of the probes that were retried, because the first time left something open; default: none. */
  readonly retryFacts?: readonly LoadFacts[];
  /** The load checks that this run set out to answer. */
  readonly declaredLoad: readonly LoadCheckDeclaration[];
  readonly endpoints: readonly EndpointConfig[];
  /** Goals of the configuration; default: none. */
  readonly declaredGoals?: readonly GoalDeclaration[];
  /** What is promised; default: what the spec promises. */
  readonly table?: LimitTable;
}

export interface Judgement {
  readonly checks: readonly ResultCheck[];
  readonly limits: readonly ResultLimit[];
  readonly latency: readonly ResultLatency[];
  readonly achieved: readonly ResultAchieved[];
  readonly streams: readonly ResultStreams[];
}

export function judge(evidence: Evidence): Judgement {
  const { table = documentedTable, retryFacts: again = [], declaredGoals = [] } = evidence;
  const loadFacts = [...evidence.loadFacts, ...again];
  const context = judgingContext(loadFacts, evidence.endpoints, table);
  const checks = [
    ...judgeChecks(evidence.checkFacts),
    ...judgeLoadChecks(evidence.loadFacts, evidence.declaredLoad, context, again),
    ...judgeGoals(loadFacts, declaredGoals),
  ];
  const watches = evidence.checkFacts.flatMap(({ retention }) => retention ?? []);
  const measured = {
    latency: latencyRows(loadFacts),
    achieved: achievedRows(loadFacts),
    streams: streamRows(loadFacts),
  };
  return { checks, limits: limitRows(checks, loadFacts, table, watches), ...measured };
}
