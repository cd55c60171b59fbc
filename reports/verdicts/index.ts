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
import { achievedRows, latencyRows } from '../latency/rows.ts';
import { streamRows } from '../latency/streams.ts';
import { judgeChecks } from './check.ts';
import { judgingContext } from './context.ts';
import { judgeGoals } from './goals.ts';
import { limitRows } from './limit-rows.ts';
import { judgeLoadChecks } from './load.ts';

export interface Evidence {
  readonly checkFacts: readonly CheckFacts[];
  readonly loadFacts: readonly LoadFacts[];
  /** Of the probes that were carried out once more, because the first time left something open; default: none. */
  readonly loadFactsAgain?: readonly LoadFacts[];
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
  const { table = documentedTable, loadFactsAgain: again = [], declaredGoals = [] } = evidence;
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
