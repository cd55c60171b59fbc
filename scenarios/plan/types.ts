/**
 * What a plan is made of. A plan lists everything before anything is sent: the probes, in which order and at the same
 * time as which others, what they cost, and what can't be observed on this target.
 */
import type { MissingFacts } from '../../schemas/facts.ts';
import type { LimitTable } from '../../schemas/limits.ts';
import type { LoadCheckDeclaration } from '../../schemas/load-checks.ts';
import type { BudgetId } from '../../schemas/operations.ts';
import type { DoneJobs, Profile, TargetConfig } from '../../schemas/target.ts';
import type { Probe, Resource } from '../probe.ts';

/** Most requests against each budget that a probe sends within one rate window. */
export type Spending = Readonly<Partial<Record<BudgetId, number>>>;

/**
 * A probe with what the scheduler reckons with beyond `exclusive`. Several probes may share a resource at the same
 * time, but none of them while another has it exclusively.
 */
export interface PlannedProbe extends Probe {
  /** What it uses without needing it exclusively. */
  readonly shared: readonly Resource[];
  readonly spends: Spending;
  /** The same on a target that keeps its limits, where that is less; for the planned schedule alone. */
  readonly usually?: Spending;
  /** It goes beyond the limit on purpose, so it needs no room within it. */
  readonly startsIdle: boolean;
  /** Its jobs may wait for long when it is over, so that the queue would refuse more of them. */
  readonly leavesQueue?: boolean;
  /**
   * What it sends to another endpoint. Where that starts idle it must not be exhausted by others, since a refusal there
   * shows the scope of the limit.
   */
  readonly elsewhere?: { readonly instId: string; readonly spends: Spending };
  readonly sender: 'k6' | 'held';
  /** With what it is sent again where it decided nothing; default: the same. */
  readonly retry?: Probe['parameters'];
  /** What it uses at first only, while it prepares itself; not among `shared`. */
  readonly early?: EarlyUse;
  /**
   * `loud`: takes so much of the machine, for moments or all through, that no `steady` probe may run at the same time,
   * whose times would be blurred. Large bodies (`bandwidth`) are always loud.
   */
  readonly machine?: 'loud' | 'steady';
}

/** Released as soon as its sender reports that the preparation is over. */
export interface EarlyUse {
  readonly resources: readonly Resource[];
  /** When that is expected, ms from its start; for the planned schedule alone. */
  readonly estimateMs: number;
}

export interface ScheduleEntry {
  readonly probeId: string;
  /** ms from the start of the load. */
  readonly startMs: number;
  readonly endMs: number;
}

/** Checks that no probe answers, or that one technique cannot answer, and why. */
export type Unobservable = Pick<MissingFacts, 'checkIds' | 'outcome'>;

export interface LoadPlan {
  readonly target: TargetConfig;
  readonly profile: Profile;
  /** What its requests about a job are about. */
  readonly doneJobs: DoneJobs;
  /** The limits that it was made for. */
  readonly table: LimitTable;
  /** The first come first: each is given its place before those behind it, though it may start later. */
  readonly probes: readonly PlannedProbe[];
  readonly schedule: readonly ScheduleEntry[];
  readonly declared: readonly LoadCheckDeclaration[];
  readonly unobservable: readonly Unobservable[];
  /** Upper bounds over all probes. `bytes` counts bodies, and a flat share for header fields. */
  readonly requests: number;
  readonly bytes: number;
  /**
   * Expected duration of the schedule; what is sent again, as its first time decided nothing, and the last window of a
   * target that counts in fixed ones, come on top.
   */
  readonly durationMs: number;
  /** What the rate windows alone force: the longest chain of idle windows, recoveries and paces over one budget. */
  readonly floorMs: number;
}

/**
 * The result of planning one claim: a probe, a reason why there is none, or both where one of two techniques is
 * impossible.
 */
export interface Candidate {
  readonly checkIds: readonly string[];
  readonly probe?: PlannedProbe;
  readonly missing?: MissingFacts['outcome'];
}
