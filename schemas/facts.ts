/**
 * What was seen, and nothing more. Checks and probes produce facts; `reports/` alone turns them into verdicts, so that
 * no probe can decide how serious its own finding is.
 */
import type { AddressesFacts } from './addresses.ts';
import type { Exchange, Expectation } from './evidence.ts';
import type { GeneratorHealth } from './generator.ts';
import type { PacedPhase } from './latency.ts';
import type { OperationId, Submitting } from './operations.ts';
import type { InferencePayloadFacts, PayloadFacts, RefusedJobFacts } from './payload-facts.ts';
import type { InFlightPicture } from './pictures.ts';
import type { RateFacts, RatePart } from './rate-facts.ts';
import type { RetentionFacts } from './retention.ts';
import type { CheckDeclaration } from './verdicts.ts';

export type { AddressesFacts } from './addresses.ts';
export type { Exchange, Expectation } from './evidence.ts';
export type { GeneratorHealth, Lateness, RunnersHealth } from './generator.ts';
export type {
  BodyEncoding,
  InferencePayloadFacts,
  PayloadAttempt,
  PayloadFacts,
  PayloadJob,
  PayloadJobState,
  PayloadOutcome,
  RefusedJobFacts,
} from './payload-facts.ts';
export type {
  ArrivalsPicture,
  BytesPicture,
  InFlightPicture,
  Picture,
  QueuePicture,
  RetentionPicture,
} from './pictures.ts';
export type { Algorithm, Bounds, RateFacts, RatePart, RateSurvivor } from './rate-facts.ts';

/**
 * The outcome of a contract check. A check that ran without recording an expectation is an error of ours. `missing`
 * names the options without which it was not judged; a check that the profile leaves out misses none, as that was
 * chosen.
 */
export type CheckOutcome =
  | { readonly kind: 'ran'; readonly expectations: readonly Expectation[] }
  | { readonly kind: 'skipped'; readonly by: string; readonly why: string; readonly missing?: readonly string[] }
  | { readonly kind: 'not-observable'; readonly needs: string; readonly missing?: readonly string[] }
  | { readonly kind: 'inconclusive'; readonly reason: string; readonly remedy: string }
  | { readonly kind: 'error'; readonly message: string };

export interface CheckFacts extends CheckDeclaration {
  readonly outcome: CheckOutcome;
  readonly exchanges: readonly Exchange[];
  readonly durationMs: number;
  /** For a check that was retried: why the first time was inconclusive. */
  readonly firstTime?: string;
  /** What the check could not clean up after itself, one text each: no finding, but the operator has to know. */
  readonly leftBehind?: readonly string[];
  /** How long jobs stayed, where the check watched that. */
  readonly retention?: RetentionFacts;
}

export type StatusCounts = Readonly<Record<string, number>>;

/** The fate of requests opened in one wave of a concurrency probe. */
export interface HoldCounts {
  readonly opened: number;
  /** Unanswered until released, then answered with something else than a refusal. */
  readonly held: number;
  /** Refused while the others were held, at once or as soon as it was complete. */
  readonly refusedEarly: number;
  /** Refused only after the release. */
  readonly refusedLate: number;
  /** Answered, not refused, before the release: it was never held. */
  readonly answeredEarly: number;
  readonly lost: number;
}

/** From another address of ours: one while nothing was held, and some while the first address had all its slots taken. */
export interface ElsewhereCounts {
  readonly address: string;
  readonly alone: HoldCounts;
  readonly meanwhile: HoldCounts;
  /** From the first address, behind those. */
  readonly stillFull: HoldCounts;
  /** Of the requests from the other address. */
  readonly statuses: StatusCounts;
  /** Of the first of them that could not be sent; empty when all could. */
  readonly error: string;
}

export interface ConcurrencyFacts {
  readonly kind: 'concurrency';
  readonly limitId: string;
  readonly instId: string;
  /** What the probe was built for: requests at once. */
  readonly limit: number;
  readonly operations: readonly OperationId[];
  /**
   * `held-body`: the last byte of each request held back · `long-poll`: the operation itself waits · `whole`: it waits for no
   * body, so whole requests were sent at the same moment.
   */
  readonly technique: 'held-body' | 'long-poll' | 'whole';
  /** Why its submissions had no input, so that each was refused for that; absent where they had one. */
  readonly withoutInput?: string;
  /** As many as the limit allows. */
  readonly within: HoldCounts;
  /** Opened while the first wave was held. */
  readonly beyond: HoldCounts;
  /** Opened where no request was refused so far; absent where one was. They are dropped, never completed. */
  readonly further?: HoldCounts;
  /** In all of these, and in those that were answered without their bodies: what a rate limit counts. */
  readonly opened: number;
  /** One opened after one of the held was answered; after one was aborted. Absent where not tried. */
  readonly afterFree?: HoldCounts;
  readonly afterAbort?: HoldCounts;
  /**
   * Which of those that took a freed slot the target certainly had while they were there, as the control requests show,
   * and how many requests tried to take a slot; `aborted` is the one that was aborted then. Absent where none was
   * tried.
   */
  readonly slotTakers?: {
    readonly afterFree: boolean;
    readonly aborted: boolean;
    readonly afterAbort: boolean;
    readonly tries: number;
  };
  /**
   * Requested at the same moment, some more than there were slots: how many, and how many slots were taken by all
   * together then. Absent where not tried, and where nothing shows that the target had all of them.
   */
  readonly refill?: { readonly requested: number; readonly taken: number };
  /** Of whole requests as many as can't have waited for one another; absent where none were sent. */
  readonly sideBySide?: number;
  /** Held bodies completed at the same moment, and how many of those were refused only then. */
  readonly releasedTogether?: { readonly count: number; readonly refused: number };
  /** Whether refusals came only once a request was complete, while the others were held; absent where they did not. */
  readonly refusesWhole?: true;
  /** The response to a GET before its body was complete, so that the rest was sent by POST; absent where it waited. */
  readonly getAnsweredAtOnce?: number;
  /** Absent where no other address was used. */
  readonly elsewhere?: ElsewhereCounts;
  /** Most admitted requests in flight at once as their sender saw it: between their sending and their first byte. */
  readonly overlapInner: number;
  /** Most that can have been in flight at once, refused ones apart: between their sending and the end of their answers. */
  readonly overlapOuter: number;
  /**
   * Whether the target surely had all of `within` and `beyond`, refusals apart, before it answered the first of them:
   * every control request, sent after all of those on a connection of its own, was answered before. Without that a
   * target kept from running may have read some of them only when others were over, however they overlap here.
   */
  readonly arrivedTogether: boolean;
  /** Another request was sent when all of them were over, and was not refused; absent where none was. */
  readonly servesBehind?: true;
  /** Refusals before the release at which no more requests than the limit can have been in flight, refused ones included. */
  readonly refusedWithinLimit: number;
  /** Fewest requests that can have been in flight, not refused themselves, at any refusal before the release. */
  readonly fewestAtRefusal: number | null;
  readonly refusals: { readonly statuses: StatusCounts; readonly withRetryAfter: number };
  /**
   * Control requests that count towards this limit themselves, sent while as many as it allows were certainly in
   * flight; absent where there were none.
   */
  readonly controls?: { readonly operation: string; readonly sent: number; readonly served: number };
  /**
   * Responses to requests that this limit does not count, during it, where they were refused in the same way; absent
   * where none was.
   */
  readonly besides?: StatusCounts;
  readonly statuses: StatusCounts;
  readonly health: GeneratorHealth;
  readonly picture: InFlightPicture;
}

/** One submission to an endpoint whose queue holds between `queuedMin` and `queuedMax` jobs before it. */
export interface QueueAttempt {
  readonly operation: Submitting;
  readonly queuedMin: number;
  readonly queuedMax: number;
  /** `unanswered-yet`: nothing within the probe's patience; a refusal would have come at once. */
  readonly outcome: 'accepted' | 'refused' | 'unanswered-yet' | 'other';
  readonly status: number;
  /** The target showed that its job stood in the queue; only checked after a `runsync`. */
  readonly seenQueued: boolean;
  /** Other requests of the same operation that may still have been open. */
  readonly open: number;
  /**
   * For a refusal: true when it ended as soon as a queued job was taken out and returned at the same length, or was
   * still there after an idle window with the queue unchanged. False means that something else refused; null that it
   * was not retried. Of a response that is neither an acceptance nor a refusal: true when it was the same after that.
   */
  readonly persisted: boolean | null;
  /** Of those two the first, which nothing but the queue explains. */
  readonly reopened: boolean;
}

/** A submission after jobs had been taken out of a queue that had refused. */
export interface QueueReopening {
  readonly operation: Submitting;
  /** The queue at the refusal before, as far as it is known. */
  readonly refusedAt: { readonly min: number; readonly max: number };
  readonly freed: number;
  /** Jobs in the queue by health; null where it has no count. */
  readonly countAfter: number | null;
  readonly attempt: QueueAttempt;
  /** Whether it was refused again when the queue was as long again; null: not tried. */
  readonly refusedAgain: boolean | null;
}

export interface QueuePurge {
  readonly status: number;
  readonly queuedBefore: number;
  /** Of the queued jobs that could be polled right afterwards: how many were no longer queued. */
  readonly sampled: number;
  readonly cleared: number;
  /** Of the others how many were polled: they had run in the meantime, or the response had no state. Absent: none. */
  readonly notReported?: number;
  /** Jobs in the queue by health before the next submission; null where it has no count. */
  readonly countAfter: number | null;
  /** Of those that were still queued then: how many still were some time later; null where none was. */
  readonly leftLater: number | null;
  /** Of the running jobs: how many were still running, or had completed, afterwards. */
  readonly running: number;
  readonly runningKept: number;
  /** Final state of a job that ran during the purge and was to end soon; `unknown` when it was not seen to end. */
  readonly finished?: string;
  /** That job was seen running after the purge was answered. */
  readonly ranOn?: boolean;
  /**
   * Whether the target still knew afterwards what it knew before and no purge takes away: a job that had been cancelled,
   * or one that was running. Absent where that was not seen.
   */
  readonly memory?: 'kept' | 'lost';
  /** Status of the first submission afterwards, and how many of its operation had been sent in the last window. */
  readonly nextStatus: number;
  readonly sentInWindow: number;
}

export interface QueueFacts {
  readonly kind: 'queue';
  readonly instId: string;
  readonly workersMax: number;
  /** The largest queue at which nothing may be refused, jobs. */
  readonly border: number;
  /** Workers seen busy with slow jobs while the queue was filled; the queue is only known when all are. */
  readonly workersHeld: number;
  /** False when jobs of others may stand in the queue: nothing emptied it, or health contradicts what it said before. */
  readonly lengthKnown: boolean;
  /**
   * Of our accepted jobs that were polled when the queue was full, the very first among them: how many had left it by
   * themselves; and how many more the target no longer knew.
   */
  readonly waiting: { readonly sampled: number; readonly left: number; readonly forgotten?: number };
  /** Requests, submissions apart, that got no answer of the target's own: none at all, or a server error. */
  readonly outage?: { readonly requests: number; readonly statuses: StatusCounts };
  /** Requests to health, which nothing limits, that were refused as submissions are. */
  readonly refusedHealth: number;
  readonly attempts: readonly QueueAttempt[];
  readonly reopenings: readonly QueueReopening[];
  /** Absent when the target's purge was not reached. */
  readonly purge?: QueuePurge;
  /** Submissions to another endpoint, where nothing waited, with this one full; and the answer behind the purge, if all were refused. */
  readonly elsewhere?: {
    readonly instId: string;
    readonly requested: number;
    readonly refused: number;
    readonly laterStatus?: number;
  };
  readonly health: GeneratorHealth;
}

/** Load on an operation without a stated limit. */
export interface UnlimitedFacts {
  readonly kind: 'unlimited';
  readonly instId: string;
  readonly operation: OperationId;
  readonly part: RatePart;
  /** Most arrivals in one window of the documented length. */
  readonly fullestWindow: number;
  readonly health: GeneratorHealth;
  readonly paced?: readonly PacedPhase[];
}

/** One answer that came token by token, or one job's results that were read piece by piece. */
export interface StreamTiming {
  /** Of the last answer. */
  readonly status: number;
  /** When each token arrived, ms since the request was sent or the job submitted. */
  readonly tokensMs: readonly number[];
  /** When all was over, on the same clock. */
  readonly wholeMs: number;
}

/** A few streams, one after the other, read as they came. */
export interface StreamTimingFacts {
  readonly kind: 'stream-timing';
  readonly instId: string;
  readonly operation: 'chat' | 'stream';
  readonly streams: readonly StreamTiming[];
  readonly health: GeneratorHealth;
}

export type ScopeDifference = 'endpoint' | 'account' | 'address' | 'connection' | 'method';

/** Requests that differed in one thing from those that had exhausted a limit. */
export interface ScopeAnswers {
  readonly by: ScopeDifference;
  /** The other endpoint, address or method; empty for an account and a connection. */
  readonly name: string;
  /** Only those before and after which the usual request was refused. */
  readonly admitted: number;
  readonly refused: number;
  /** Of those, what was neither, such as a 404 for an unknown key. */
  readonly otherwise: StatusCounts;
  /** Those before or after which the usual request was not refused: they say nothing. */
  readonly unsure: number;
}

/** Whose requests one limit counts together. */
export interface ScopeFacts {
  readonly kind: 'scope';
  readonly limitId: string;
  readonly instId: string;
  readonly operation: OperationId;
  readonly technique: 'spend' | 'hold';
  /** Usual requests, and those of them that were refused. */
  readonly usual: { readonly sent: number; readonly refused: number };
  /** Whether the usual request was served again once nothing was held; absent where nothing was. */
  readonly servedAfter?: boolean;
  /** In the order of the plan; one with four zeros was not sent. */
  readonly variants: readonly ScopeAnswers[];
  readonly health: GeneratorHealth;
}

/** A probe that could not be run or was cut off: every check it was to answer gets this reason. */
export interface MissingFacts {
  readonly kind: 'missing';
  readonly checkIds: readonly string[];
  readonly outcome: Exclude<CheckOutcome, { kind: 'ran' }>;
}

export type LoadFacts =
  | RateFacts
  | AddressesFacts
  | ConcurrencyFacts
  | PayloadFacts
  | QueueFacts
  | UnlimitedFacts
  | RefusedJobFacts
  | InferencePayloadFacts
  | StreamTimingFacts
  | ScopeFacts
  | MissingFacts;
