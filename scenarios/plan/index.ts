/**
 * The planner: from the limits table, the target and what was measured of it, all the probes of a run, what they
 * cost, when they run, and which checks this target cannot answer. Pure: it sends nothing and reads no clock.
 */
import type { Goal } from '../../schemas/goals.ts';
import { type LimitTable, tableOf } from '../../schemas/limits.ts';
import { type LoadCheckDeclaration, loadChecksOf } from '../../schemas/load-checks.ts';
import { needsModel } from '../../schemas/missing-option.ts';
import { matchesOnly } from '../../schemas/only.ts';
import type { Calibration, Profile, TargetConfig } from '../../schemas/target.ts';
import { kinds } from '../kinds/index.ts';
import type { Question } from '../kinds/kind.ts';
import { speedOf } from './assumptions.ts';
import { type PlanContext, withTemplates } from './context.ts';
import { byFitness } from './endpoints.ts';
import { layOut } from './lay-out.ts';
import { byProfile, noEndpoint, noInterface, type Reason } from './reasons.ts';
import type { Candidate, LoadPlan, Unobservable } from './types.ts';

export interface PlanInput {
  readonly target: TargetConfig;
  readonly profile: Profile;
  /** Globs on check ids; none selects everything. */
  readonly only: readonly string[];
  /** null: nothing was measured yet, so the target is taken to be fast. */
  readonly calibration: Calibration | null;
  /** What is promised; default: what the spec and the target's configuration promise. */
  readonly table?: LimitTable;
  /** Goals of the configuration that this run is to judge. */
  readonly goals?: readonly Goal[];
  /** From so many addresses runners send; default: one. */
  readonly addresses?: number;
}

/** Plans the load for a target. Every declared check is answered by a probe or has a reason why not. */
export function planLoad(input: PlanInput): LoadPlan {
  const { target, profile, only, calibration, table = tableOf(target), goals = [], addresses = 1 } = input;
  const speed = speedOf(calibration);
  const { doneJobs = {}, absent = [] } = calibration ?? {};
  const endpoints = byFitness(target, speed);
  const context: PlanContext = { target, profile, table, speed, endpoints, doneJobs, absent, goals, addresses };
  const declared = loadChecksOf(table).filter((check) => matchesOnly(only, check.id));
  const candidates = Object.values(kinds)
    .flatMap((kind) => kind.questions(table))
    .flatMap((question) => candidatesFor(question, context));
  const selected = candidates.flatMap((candidate) => select(candidate, declared));
  const planned = selected.flatMap(({ probe }) => (probe ? [withTemplates(probe, target)] : []));
  return {
    target,
    profile,
    doneJobs,
    table,
    ...layOut(planned, table),
    declared,
    unobservable: selected.flatMap(({ checkIds, missing }): Unobservable[] =>
      missing ? [{ checkIds, outcome: missing }] : [],
    ),
  };
}

function candidatesFor(question: Question, context: PlanContext): readonly Candidate[] {
  const closed = closedTo(question, context);
  return closed ? [{ checkIds: question.checkIds, missing: closed }] : question.plan(context);
}

/** What rules out a whole group of checks. */
function closedTo({ of, bursts }: Question, { target, profile, endpoints }: PlanContext): Reason | undefined {
  if ((of === 'jobs' ? target.jobBaseUrl : target.baseUrl) === null) return noInterface(of);
  if (of === 'jobs' && endpoints.length === 0) return noEndpoint;
  // Before the target was asked for one, it is null.
  if (of === 'inference' && target.model === '') return needsModel;
  return profile === 'smoke' && bursts ? byProfile(profile, 'it sends no bursts; use gate or nightly') : undefined;
}

/** Keeps of a candidate what this run has selected; nothing when that is none of its checks. */
function select(candidate: Candidate, declared: readonly LoadCheckDeclaration[]): Candidate[] {
  const chosen = (ids: readonly string[]) => ids.filter((id) => declared.some((check) => check.id === id));
  const checkIds = chosen(candidate.checkIds);
  if (checkIds.length === 0) return [];
  return [{ ...candidate, checkIds, ...(candidate.probe ? { probe: { ...candidate.probe, checkIds } } : {}) }];
}
