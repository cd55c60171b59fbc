/** What every part of the planner reads. */
import type { Goal } from '../../schemas/goals.ts';
import type { Limit, LimitTable } from '../../schemas/limits.ts';
import { checksOf } from '../../schemas/load-checks.ts';
import type { OperationId } from '../../schemas/operations.ts';
import type { DoneJobs, EndpointConfig, Profile, TargetConfig } from '../../schemas/target.ts';
import { longestTemplate } from '../../schemas/workloads.ts';
import type { Probe } from '../probe.ts';
import type { Speed } from './assumptions.ts';

export interface PlanContext {
  readonly target: TargetConfig;
  readonly profile: Profile;
  /** The limits that are promised; nothing in the planner knows of others. */
  readonly table: LimitTable;
  readonly speed: Speed;
  /** Best first; see `byFitness`. */
  readonly endpoints: readonly EndpointConfig[];
  /** Jobs that are there to be asked about. */
  readonly doneJobs?: DoneJobs;
  /** Operations that seem not to be there. */
  readonly absent?: readonly OperationId[];
  /** Why submissions are sent without an input; absent where they have one. */
  readonly withoutInput?: string;
  /** What the configuration wants to be held; they decide how much is measured. */
  readonly goals?: readonly Goal[];
  /** Number of addresses that the target may distinguish; default: one. */
  readonly addresses?: number;
}

/** Ids of all checks of one row of the limits table. */
export function checkIdsOf(limit: Limit): string[] {
  return checksOf(limit).map((check) => check.id);
}

/** Header fields and a short body: what one ordinary request takes at most, bytes. */
export const BYTES_PER_REQUEST = 1024;

/** The probe with what the configured templates add to each of its requests. */
export function withTemplates<P extends Probe>(probe: P, { workloads }: TargetConfig): P {
  return { ...probe, bytes: probe.bytes + probe.requests * longestTemplate(workloads) };
}
