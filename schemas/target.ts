/** What is judged, as configuration: the one struct that flags, environment and YAML all fill. */
import type { Promised } from './limits.ts';
import type { Workloads } from './workloads.ts';

export interface EndpointConfig {
  readonly instId: string;
  /** null: not told; whatever depends on it is then not observable. */
  readonly workersMax: number | null;
  /** Nobody else uses it, so filling and purging its queue is allowed. */
  readonly dedicated: boolean;
}

/** `operations` and `limits`: what it promises beyond the spec. */
export interface TargetConfig extends Promised {
  /** `reference`: the embedded one · `remote`: whatever answers at the URLs. */
  readonly kind: 'reference' | 'remote';
  /** Interface A's address without `/v1`; null when it is not to be judged. */
  readonly baseUrl: string | null;
  /** Interface B's address without `/api/v1/sl`; null when it is not to be judged. */
  readonly jobBaseUrl: string | null;
  readonly endpoints: readonly EndpointConfig[];
  readonly model: string | null;
  /** An address of this machine that the target sees as another client; absent: there is none to send from. */
  readonly otherAddress?: string;
  /** What the deployed handler takes; absent: what the reference's takes. */
  readonly workloads?: Workloads;
}

/** Never written anywhere, never part of a `TargetConfig`. */
export interface Credentials {
  readonly accessKey: string | null;
  readonly jobKey: string | null;
  /** A key whose account has no balance. */
  readonly brokeKey: string | null;
  /** A good key of another account, to which nothing of the first may be visible. */
  readonly otherKey: string | null;
}

export const NO_KEYS: Credentials = { accessKey: null, jobKey: null, brokeKey: null, otherKey: null };

export const profiles = ['smoke', 'gate', 'nightly'] as const;
export type Profile = (typeof profiles)[number];

/** Measured by the wiring check, before any load; the planner reckons with it. Times in milliseconds. */
export interface Calibration {
  /** Median round trip of `health`. */
  readonly roundTripMs: number;
  /** Median time of a `runsync` with the quick workload; null where interface B is absent or it did not complete. */
  readonly quickJobMs: number | null;
  /** Median time of a one-token chat completion; null where interface A is absent. */
  readonly chatMs: number | null;
  /** Ids of jobs that were seen to be done, by instance: load on the operations about a job is about these. */
  readonly doneJobs?: DoneJobs;
}

export type DoneJobs = Readonly<Record<string, readonly string[]>>;

/** Bad input or an unusable target: one or two lines that name the option and the remedy, exit code 2, no stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
