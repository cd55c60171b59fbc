/**
 * The planner: from the limits table, the target and what was measured of it, all the probes of a run, what they
 * cost, when they run, and which checks this target cannot answer. Pure: it sends nothing and reads no clock.
 */
import type { Goal } from '../../schemas/goals.ts';
import { firstOf, type LimitTable, tableOf } from '../../schemas/limits.ts';
import {
  CHAT_STREAM_TIMING,
  HEALTH_UNLIMITED,
  INFERENCE_PAYLOAD,
  type LoadCheckDeclaration,
  loadChecksOf,
  RESULT_STREAM_TIMING,
  scopeCheckId,
} from '../../schemas/load-checks.ts';
import { matchesOnly } from '../../schemas/only.ts';
import type { InterfaceId } from '../../schemas/operations.ts';
import type { Calibration, Profile, TargetConfig } from '../../schemas/target.ts';
import { speedOf } from './assumptions.ts';
import { heldCandidate, perAddressCandidates } from './concurrency.ts';
import { checkIdsOf, type PlanContext, withTemplates } from './context.ts';
import { byFitness } from './endpoints.ts';
import { inferencePayloadCandidate } from './inference-payload.ts';
import { layOut } from './lay-out.ts';
import { longPollCandidates } from './long-poll.ts';
import { payloadCandidate } from './payload.ts';
import { queueCandidates, queueCheckIds } from './queue.ts';
import { rateCandidate } from './rate.ts';
import { byProfile, noEndpoint, noInterface, type Reason } from './reasons.ts';
import { refusedJobCandidates, refusedJobCheckIds } from './refused-job.ts';
import { scopeCandidate, scopedRows } from './scope.ts';
import { chatTimingCandidate, resultTimingCandidate } from './stream-timing.ts';
import type { Candidate, LoadPlan, Unobservable } from './types.ts';
import { unlimitedCandidate } from './unlimited.ts';

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
}

/** Plans the load for a target. Every declared check is answered by a probe or has a reason why not. */
export function planLoad(input: PlanInput): LoadPlan {
  const { target, profile, only, calibration, table = tableOf(target), goals = [] } = input;
  const speed = speedOf(calibration);
  const context: PlanContext = { target, profile, table, speed, endpoints: byFitness(target, speed), goals };
  const declared = loadChecksOf(table).filter((check) => matchesOnly(only, check.id));
  const candidates = questionsOf(table).flatMap((question) => candidatesFor(question, context));
  const selected = candidates.flatMap((candidate) => select(candidate, declared));
  const planned = selected.flatMap(({ probe }) => (probe ? [withTemplates(probe, target)] : []));
  return {
    target,
    profile,
    doneJobs: calibration?.doneJobs ?? {},
    table,
    ...layOut(planned, table),
    declared,
    unobservable: selected.flatMap(({ checkIds, missing }): Unobservable[] =>
      missing ? [{ checkIds, outcome: missing }] : [],
    ),
  };
}

/** Checks that are asked together, of one interface. */
interface Question {
  readonly of: InterfaceId;
  /** Anything but single requests: many at once, or a load that goes on. */
  readonly bursts: boolean;
  readonly checkIds: readonly string[];
  plan(context: PlanContext): readonly Candidate[];
}

const questionsOf = (table: LimitTable): readonly Question[] => [
  ...table.of('concurrent-requests').map(
    (limit): Question => ({
      of: firstOf(limit, table).interface,
      bursts: true,
      checkIds: checkIdsOf(limit),
      plan: (context) => [
        heldCandidate(limit, context),
        ...longPollCandidates(limit, context),
        ...perAddressCandidates(limit, context),
      ],
    }),
  ),
  { of: 'jobs', bursts: true, checkIds: queueCheckIds(table), plan: queueCandidates },
  ...table.of('content-bytes').map(
    (limit): Question => ({
      of: firstOf(limit, table).interface,
      bursts: false,
      checkIds: checkIdsOf(limit),
      plan: (context) => [payloadCandidate(limit, context)],
    }),
  ),
  { of: 'jobs', bursts: false, checkIds: refusedJobCheckIds(table), plan: refusedJobCandidates },
  {
    of: 'inference',
    bursts: false,
    checkIds: [INFERENCE_PAYLOAD],
    plan: (context) => [inferencePayloadCandidate(context)],
  },
  { of: 'inference', bursts: true, checkIds: [CHAT_STREAM_TIMING], plan: (context) => [chatTimingCandidate(context)] },
  { of: 'jobs', bursts: true, checkIds: [RESULT_STREAM_TIMING], plan: (context) => [resultTimingCandidate(context)] },
  ...scopedRows(table).map(
    (limit): Question => ({
      of: 'jobs',
      bursts: true,
      checkIds: [scopeCheckId(limit.id)],
      plan: (context) => [scopeCandidate(limit, context)],
    }),
  ),
  { of: 'jobs', bursts: true, checkIds: [HEALTH_UNLIMITED], plan: (context) => [unlimitedCandidate(context)] },
  ...table.of('requests').map(
    (limit): Question => ({
      of: firstOf(limit, table).interface,
      bursts: true,
      checkIds: checkIdsOf(limit),
      plan: (context) => [rateCandidate(limit, context)],
    }),
  ),
];

function candidatesFor(question: Question, context: PlanContext): readonly Candidate[] {
  const closed = closedTo(question, context);
  return closed ? [{ checkIds: question.checkIds, missing: closed }] : question.plan(context);
}

/** What rules out a whole group of checks. */
function closedTo({ of, bursts }: Question, { target, profile, endpoints }: PlanContext): Reason | undefined {
  if ((of === 'jobs' ? target.jobBaseUrl : target.baseUrl) === null) return noInterface(of);
  if (of === 'jobs' && endpoints.length === 0) return noEndpoint;
  return profile === 'smoke' && bursts ? byProfile(profile, 'it sends no bursts; use gate or nightly') : undefined;
}

/** Keeps of a candidate what this run has selected; nothing when that is none of its checks. */
function select(candidate: Candidate, declared: readonly LoadCheckDeclaration[]): Candidate[] {
  const chosen = (ids: readonly string[]) => ids.filter((id) => declared.some((check) => check.id === id));
  const checkIds = chosen(candidate.checkIds);
  if (checkIds.length === 0) return [];
  return [{ ...candidate, checkIds, ...(candidate.probe ? { probe: { ...candidate.probe, checkIds } } : {}) }];
}
