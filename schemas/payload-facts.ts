/** What became of bodies by their size, and of the jobs that they were or should not have become. */
import type { GeneratorHealth } from './facts.ts';
import type { OperationId } from './operations.ts';

/**
 * What became of one large body. `refused`: 413 or 400 · `refused-otherwise`: another 4xx that can be about the body ·
 * `broken-off`: the connection was cut, or the target says that it broke down · `unanswered`: nothing within the patience ·
 * `other`: says nothing about the size.
 */
export type PayloadOutcome = 'accepted' | 'refused' | 'refused-otherwise' | 'broken-off' | 'unanswered' | 'other';

/** The framing of a body: with Content-Length, or chunked. */
export const bodyEncodings = ['content-length', 'chunked'] as const;
export type BodyEncoding = (typeof bodyEncodings)[number];

/**
 * What was seen of the job of an accepted body. `forgotten`: its id is unknown right after it was given out, while
 * those of small jobs before and after it are known · `all-forgotten`: those are not known either · `unseen`: no
 * response showed a state · `unanswered`: there was no response, or a server error · `nameless`: the response named no
 * job.
 */
export type PayloadJobState =
  | 'completed'
  | 'ended'
  | 'running'
  | 'queued'
  | 'forgotten'
  | 'all-forgotten'
  | 'unseen'
  | 'unanswered'
  | 'nameless';

export interface PayloadJob {
  readonly state: PayloadJobState;
  /** Whether the output holds the word from the end of the body; null where there was no output, or nothing to find. */
  readonly endCameBack: boolean | null;
  /** The output holds the padding too: the handler gives back all it gets, which may be more than an answer may hold. */
  readonly paddingCameBack: boolean;
  /** Between the end of a small job that was submitted last and the last poll of this one, ms; null: it never ended. */
  readonly watchedMs: number | null;
}

export interface PayloadAttempt {
  readonly bytes: number;
  readonly encoding: BodyEncoding;
  readonly outcome: PayloadOutcome;
  readonly status: number;
  readonly error: string;
  /** How much of it was with the operating system when it was over; null: unknown to the sender. */
  readonly sent: 'part' | 'whole' | null;
  /** A second time, slowly, because the connection had been cut: this response then stands for the size. */
  readonly isRetry: boolean;
  /** Absent where the job was not polled. */
  readonly job?: PayloadJob;
}

export interface PayloadFacts {
  readonly kind: 'payload';
  readonly limitId: string;
  readonly instId: string;
  /** What the probe was built for: bytes that must be accepted, and bytes that must be refused. */
  readonly acceptBytes: number;
  readonly refuseBytes: number;
  /** In the order sent. `bytes` is the whole body. */
  readonly attempts: readonly PayloadAttempt[];
  /**
   * Whether the workload returns the word from the end of a body, so that the output shows whether all of it arrived.
   */
  readonly readable: boolean;
  readonly health: GeneratorHealth;
}

/**
 * Oversized bodies sent while nothing else happens on an endpoint, and what would show a job of theirs: the number of
 * jobs in health, the ids in the list of requests, an id in the refusal itself.
 */
export interface RefusedJobFacts {
  readonly kind: 'refused-job';
  readonly instId: string;
  /** What shows a job here, as tried with an ordinary one. */
  readonly counted: boolean;
  readonly listed: boolean;
  readonly rounds: readonly {
    readonly limitId: string;
    readonly bytes: number;
    readonly status: number;
    readonly outcome: PayloadOutcome;
    /** By how many the jobs in health became more; null where it has no count. */
    readonly moreJobs: number | null;
    /** Whether the id that the refusal named leads to a job; null where it named none. */
    readonly named: boolean | null;
  }[];
  /** Ids in the list at the end that are neither from before nor of the ordinary job; null where nothing is listed. */
  readonly unknownJobs: number | null;
  readonly health: GeneratorHealth;
}

/** Bodies of growing size on an operation whose largest body is not documented. */
export interface InferencePayloadFacts {
  readonly kind: 'inference-payload';
  readonly operation: OperationId;
  readonly capBytes: number;
  readonly attempts: readonly PayloadAttempt[];
  readonly health: GeneratorHealth;
}
