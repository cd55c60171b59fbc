/** What a rate probe saw, by the parts in which it was sent, and which limiters may have answered so. */
import type { GeneratorHealth, StatusCounts } from './facts.ts';
import type { PacedPhase } from './latency.ts';
import type { OperationId } from './operations.ts';
import type { ArrivalsPicture } from './pictures.ts';

/** A burst that takes more of its window than this share is none: what is admitted leaves while the last are still sent. */
export const BURST_MOST_OF_WINDOW = 0.8;

/** Requests of one part of a rate probe; what was neither admitted nor refused shows in `statuses` only. */
export interface RatePart {
  readonly sent: number;
  readonly admitted: number;
  readonly refused: number;
  readonly statuses: StatusCounts;
  /** Successes whose content is unlike that of the others, by what is wrong with it. */
  readonly wrong: StatusCounts;
  /** First send and last first byte, ms since the probe began. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** What is behind a rate limit, as far as its responses show; the names are those of `results.json`. */
export type Algorithm =
  | 'sliding-log'
  | 'fixed-window'
  | 'sliding-counter'
  | 'token-bucket'
  | 'blocking'
  | 'delay'
  | 'unknown';

/** Both included; in the unit of what it bounds. */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** A limiter that would have answered all that was sent as it was answered. */
export interface RateSurvivor {
  /** `unknown` of what is only nearly like one. */
  readonly algorithm: Algorithm;
  /** As text, such as "a sliding log". */
  readonly name: string;
  /** Absent where it makes no difference. */
  readonly counts?: 'admitted' | 'all';
  /** Requests in a window; of a bucket: its size. */
  readonly value: Bounds;
  /**
   * Of a bucket: in which time it is refilled by as many requests as are documented, or by its own size where `refill`
   * says so.
   */
  readonly windowMs: Bounds;
  readonly refill?: 'own';
  /** How long it blocks, or after which pause it forgets. */
  readonly pauseMs?: Bounds;
  /** False of a kind that keeps no limit, with any numbers. */
  readonly enforces: boolean;
  /** Two things are other than documented: too much freedom to blame a target with. */
  readonly differsTwice?: true;
}

/** On the wall clock, ms, row by row: there may be a million of them. */
export interface Intervals {
  readonly fromMs: Float64Array;
  readonly toMs: Float64Array;
}

/** What a refusal is called that is no answer at all. */
export const CLOSED = 'closed connection';

/** A refusal of a client that was within the limit: the proof that the limit's guarantee is broken. */
export interface RefusalWithin {
  readonly phase: string;
  /** When it was sent, ms since the probe began. */
  readonly sentMs: number;
  /** Most requests, itself included, that can have arrived in the window that ended with it. */
  readonly inWindow: number;
  /** Its status, or what else it was: `429`, `closed connection`, `200 "rate limited"`. */
  readonly form: string;
  /** Its Retry-After field; empty when there was none. */
  readonly retryAfter: string;
}

/** Refusals with the time of a retry, and what became of the first request after that time. */
export interface Obeyed {
  readonly announced: number;
  readonly letIn: number;
  /** Those after which nothing was admitted that could have used up the refill. */
  readonly refused: number;
  /** The first of those: what was said, when, and how much later the next request was sent, ms. */
  readonly first?: { readonly waitMs: number; readonly atMs: number; readonly afterMs: number };
}

/** What the fields of answers said of the limit. */
export interface Announcements {
  /** Their names, in lower case. */
  readonly fields: readonly string[];
  readonly retryAfter: Obeyed;
  readonly reset: Obeyed;
  /** Refusals that said that something is left, and how many requests at most. */
  readonly left: { readonly refusals: number; readonly most: number };
  /** Each quota that was named, in requests, with its window where that was. */
  readonly policies: readonly { readonly quota: number; readonly windowMs?: number | undefined }[];
}

export interface Sibling extends Pick<RatePart, 'sent' | 'refused' | 'statuses'> {
  readonly operation: OperationId;
}

/**
 * `within` is the part of a client that keeps the limit by its own count: the limit at once (`burst`), the limit at
 * once as soon as it certainly may (`secondBurst`), and two paces (`pace`). Beyond it `overflow` sends more at once,
 * and later refills are taken in bursts (`refill`) and single requests (`polls`).
 */
export interface RateFacts {
  readonly kind: 'rate';
  readonly limitId: string;
  readonly instId: string;
  /** What the probe was built for: requests, and ms of the window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Operations about a job that the connection check found to answer as one that doesn't exist. */
  readonly absent: readonly OperationId[];
  /** Why its submissions had no input, so that each was refused for that; absent where they had one. */
  readonly withoutInput?: string;
  readonly burst: RatePart;
  readonly secondBurst: RatePart;
  readonly pace: RatePart;
  readonly overflow: RatePart;
  readonly refill: RatePart;
  readonly polls: RatePart;
  readonly within: {
    /**
     * Refusals at which no more than the limit can have arrived in any window, however long requests were on the way.
     */
    readonly refused: number;
    /** The first of them; absent where there was none. */
    readonly first?: RefusalWithin;
    /** Every one of them came before anything of that part was admitted, and something was later. */
    readonly isAtFirst: boolean;
    /** Other refusals of the same part: so much was on its way that more may have arrived in a window. */
    readonly uncertain: number;
    /** Most requests that can have arrived in one window. */
    readonly fullest: number;
  };
  /** Most requests that were surely admitted within one window. */
  readonly mostAdmitted: number;
  /** What may be behind the limit; empty where no known kind is. */
  readonly survivors: readonly RateSurvivor[];
  /** Whether they only explain the first operation's own requests: those of its siblings count elsewhere. */
  readonly isAlone: boolean;
  /**
   * Whether more was admitted than the limit has room for, however it is counted. Absent where
   * a survivor of which at most one thing is other than documented shows what is counted.
   */
  readonly exceedsRoom?: boolean;
  /** Requests of the budget that got no answer: the target may have been gone, and have forgotten what it counted. */
  readonly unanswered: number;
  /** After exhausting one operation of a shared budget: what the others answered. */
  readonly siblings: readonly Sibling[];
  /** What the refusals were, by status or what else they were, as in `RefusalWithin`. */
  readonly refusals: { readonly statuses: StatusCounts; readonly withRetryAfter: number };
  readonly announced: Announcements;
  /** Most requests in flight at once, as far as the ledger can't exclude it. */
  readonly inFlightOuter: number;
  /** Each admitted request, from its sending to its first byte. */
  readonly served: Intervals;
  /**
   * Jobs accepted and not known to be finished, at most, when the first refusal came that the limit does not explain; and
   * when the first came, and any, as far as health shows the queue's length. 0 where none came, and for operations that
   * submit no jobs.
   */
  readonly outstandingOuter: { readonly atRefusalWithin: number; readonly atFirst: number; readonly atAny: number };
  readonly health: GeneratorHealth;
  /** Latency and lateness of its paced phases; absent where none was sent. */
  readonly paced?: readonly PacedPhase[];
  readonly picture: ArrivalsPicture;
}
