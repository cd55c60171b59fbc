/** What a rate probe saw, by the parts in which it was sent, and what its answers say of the limiter behind them. */
import type { GeneratorHealth, StatusCounts } from './facts.ts';
import type { PacedPhase } from './latency.ts';
import type { OperationId } from './operations.ts';
import type { ArrivalsPicture } from './pictures.ts';

/** Requests of one part of a rate probe; what was neither admitted nor refused shows in `statuses` only. */
export interface RatePart {
  readonly sent: number;
  readonly admitted: number;
  readonly refused: number;
  readonly statuses: StatusCounts;
  /** First send and last first byte, ms since the probe began. */
  readonly fromMs: number;
  readonly toMs: number;
  /**
   * Refusals at which no window could have held more than the limit, counted both as if every request had arrived
   * when it was sent and as if it had arrived at its first byte.
   */
  readonly refusedWithinLimit: number;
}

/**
 * What is behind a rate limit, as far as its behaviour tells. The boundaries of a fixed window may lie on the clock, or
 * begin with a request.
 */
export type Algorithm = 'sliding-log' | 'fixed-window' | 'sliding-counter' | 'token-bucket' | 'unknown';

/** Whether it counts in windows that lie one after the other, so that a burst may meet a boundary between two. */
const hasBoundaries = (algorithm: Algorithm): boolean =>
  algorithm === 'fixed-window' || algorithm === 'sliding-counter';

/** The same of what it may be, where several would have answered alike. */
export const mayHaveBoundaries = ({ couldBe }: Pick<RateFacts, 'couldBe'>): boolean => couldBe.some(hasBoundaries);

/** Both included; in the unit of what it bounds. */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** On the wall clock, ms. */
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The same of many, row by row: there may be a million of them. */
export interface Intervals {
  readonly fromMs: Float64Array;
  readonly toMs: Float64Array;
}

/** Of one budget: what other probes of the run are compared with. */
export interface Exhaustion {
  /** Surely nothing left. */
  readonly exhausted: readonly Interval[];
  /** Each admitted request, from its sending to its first byte. */
  readonly served: Intervals;
  /** Each refusal that its own limit does not explain. */
  readonly refusedWithin: readonly Interval[];
}

export interface RateFacts {
  readonly kind: 'rate';
  readonly limitId: string;
  readonly instId: string;
  /** What the probe was built for: requests, and ms of the window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Exactly the limit at once after an idle window. */
  readonly burst: RatePart;
  /** Straight on until refusals come, or until more than twice the limit was sent. */
  readonly over: RatePart;
  /** Slow polls after exhaustion. */
  readonly recovery: readonly { readonly atMs: number; readonly admitted: boolean }[];
  readonly algorithm: Algorithm;
  /** The algorithms that would have answered all this in the same way: one that is named, several, or none known. */
  readonly couldBe: readonly Algorithm[];
  /**
   * Whether some known algorithm with the documented window would have answered like this; null where nothing can be
   * said, as some requests were not answered or nothing came back.
   */
  readonly likeDocumented: boolean | null;
  /**
   * Where it is not like a documented one: whether a log with the documented window would have answered like this that
   * forgets in steps of the clock. It gives back sooner or later than a log, as its steps lie.
   */
  readonly maybeInSteps: boolean;
  /** The windows, ms, with which what it may be comes near to what was seen; null where none does. */
  readonly fittedWindows: Bounds | null;
  /** Whether the burst surely met no boundary of windows, as far as the other answers show where those lie. */
  readonly betweenBoundaries: boolean;
  /** Where it may be a token bucket: its size, and, where it was exhausted twice, what comes in per window. */
  readonly bucket?: {
    readonly size: Bounds;
    readonly refill?: Bounds;
    /** Its size if it lost nothing while it was full, which it does where the target stalls behind the first request. */
    readonly likely?: Bounds;
  };
  /** Over all parts but `again` and `echo`, the recovery's polls among them. */
  readonly refusedWithinLimit: number;
  /** Steady, just below the limit, over several windows. */
  readonly pace: RatePart & {
    readonly periodMs: number;
    readonly fullestEarly: number;
    readonly fullestLate: number;
    /**
     * Refused though neither by when they were sent nor by when they were answered more than the limit had come within a
     * window: perhaps within the limit, but not surely.
     */
    readonly refusedUnexplained: number;
  };
  /** Right after the pace, until refused, and the same a little later; null where it was not asked. */
  readonly again: RatePart | null;
  readonly echo: RatePart | null;
  /** After exhausting one operation of a shared budget: what the others answered. */
  readonly siblings: readonly {
    readonly operation: OperationId;
    readonly sent: number;
    readonly refused: number;
    /** When the last of them was answered, ms since the probe began; absent where none was. */
    readonly toMs?: number;
  }[];
  /**
   * A second burst at another phase of the window, only where the first left it open what it met there; and all that
   * came after it too, where the first was like no documented algorithm.
   */
  readonly confirmation?: Pick<RateFacts, 'likeDocumented' | 'fittedWindows' | 'maybeInSteps'> & {
    /** What it could be by what was seen this time. */
    readonly couldBe?: RateFacts['couldBe'];
    readonly burst: RatePart;
    readonly over: RatePart;
    /** Whether it surely fell between two boundaries, if the limit has fixed windows as the first one showed them. */
    readonly betweenBoundaries: boolean;
    /** Whether at most one of the two bursts can have met a boundary, wherever those lie. */
    readonly apart: boolean;
    /**
     * Whether no boundary of windows, of whatever length, can have fallen into both: one saw more than a boundary does,
     * or they are apart in windows of every length that the recovery leaves.
     */
    readonly noBoundary: boolean;
    /** If it is a bucket that is refilled as documented: its size by this burst, if it lost nothing. */
    readonly likelySize?: Bounds;
  };
  readonly refusals: { readonly statuses: StatusCounts; readonly withRetryAfter: number };
  /** Most requests in flight at once, as far as the ledger can't exclude it. */
  readonly inFlightOuter: number;
  readonly exhaustion: Exhaustion;
  /**
   * Jobs accepted and not known to be finished, at most, when the first refusal came, and when the first came that the
   * limit does not explain; 0 where none came, and for operations that submit no jobs.
   */
  readonly outstandingOuter: { readonly atRefusal: number; readonly atRefusalWithin: number };
  readonly health: GeneratorHealth;
  /** Latency and lateness of its paced phases; absent where none was sent. */
  readonly paced?: readonly PacedPhase[];
  readonly picture: ArrivalsPicture;
}
