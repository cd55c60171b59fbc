/** What is judged, as configuration: the one struct that flags, environment and YAML all fill. */
import type { Limit } from './limits.ts';
import type { OperationId } from './operations.ts';
import type { OwnOperation } from './own.ts';
import { as, choice, count, flag, id, list, nullableText, object, type TypeOf, text } from './schema-words.ts';
import { type Workloads, workloadNames } from './workloads.ts';

const endpoint = object({
  instId: text,
  /** null: not given; checks that depend on it are then not observable. */
  workersMax: { type: ['integer', 'null'] },
  /** It has no other users, so filling and purging its queue is allowed. */
  dedicated: flag,
});

const ownOperation = object({ id, interface: choice('inference', 'jobs'), methods: list(text), path: text });
const ownLimit = object({ id, kind: text, operations: list(id), value: count });

export const target = object(
  {
    /** `reference`: the embedded one · `remote`: the service at the URLs. */
    kind: choice('reference', 'remote'),
    /** Interface A's address without `/v1`; null when it is not to be judged. */
    baseUrl: nullableText,
    /** Interface B's address without `/api/v1/sl`; null when it is not to be judged. */
    jobBaseUrl: nullableText,
    endpoints: list(endpoint),
    model: nullableText,
  },
  {
    /** What it promises beyond the spec. */
    operations: list(as<OwnOperation>(ownOperation)),
    /** One with the id of a row of the spec stands in its place. */
    limits: list(as<Limit>(ownLimit)),
    /** Absent: completions take it. Where they refuse it, as it is not documented, none is sent. */
    takesMaxTokens: flag,
    /** What the deployed handler takes; absent: what the reference's takes. */
    workloads: as<Workloads>(object({}, Object.fromEntries(workloadNames.map((name) => [name, {}])))),
    /** An address of this machine that the target sees as another client; absent: there is none to send from. */
    otherAddress: text,
  },
);

export type EndpointConfig = TypeOf<typeof endpoint>;
export type TargetConfig = TypeOf<typeof target>;

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
  /** Median time of each measured operation; of others a round trip is assumed. */
  readonly requestMs?: Readonly<Record<string, number>>;
  /** How long submissions without an input took, where they were refused for that. */
  readonly refusalMs?: Readonly<Record<string, number>>;
  /** Ids of jobs that were seen to be done, by instance: load on the operations about a job is about these. */
  readonly doneJobs?: DoneJobs;
  /** Operations that answered about such a job as one that doesn't exist; see `neverServed`. */
  readonly absent?: readonly OperationId[];
}

export type DoneJobs = Readonly<Record<string, readonly string[]>>;

/** Bad input or an unusable target: one or two lines that name the option and the remedy, exit code 2, no stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
