/**
 * A probe: one piece of load that tests one claim about one limit, fully described before anything is sent. The planner
 * makes probes, the k6 scripts and the held-request sender run them, the analysis reads their ledgers together with the
 * same parameters.
 */
import type { ScopeDifference } from '../schemas/facts.ts';
import type { BudgetId, HttpMethod, OperationId, Submitting } from '../schemas/operations.ts';
import type { Span } from './k6/lib/schedule.ts';

/**
 * Offsets are ms from the start of the sending process. Ledger phases, in this order: `warm` (health, opens the
 * connections, has no rate limit), `burst` (exactly `limit` requests at once), `second-burst` (the same as soon as
 * those have certainly left the window), `pace` (steady, below the limit, twice, all operations in turn, GET and POST
 * where both exist): up to here no window ever has more than the limit. Then, by `beyondVus` VUs, `overflow` (each until
 * it was refused `overflowRefusals` times or has sent `overflowCap`), `sibling` (the other operations of a shared rate
 * limit, now that the first is exhausted) and `refill` (each until it was refused, or has sent `refillCap`), and by one
 * of its own `poll` (single requests). For `run` there is `watch` (health during all of it; the note is the number of
 * jobs in the queue, empty when it has none). Operations with two methods use both in turn.
 */
export interface RateParameters {
  readonly kind: 'rate';
  readonly limitId: string;
  readonly instId: string;
  readonly operation: OperationId;
  readonly siblings: readonly OperationId[];
  /** Those of them that answered, about a job that is there, as an operation that doesn't exist. */
  readonly absent: readonly OperationId[];
  readonly limit: number;
  readonly windowMs: number;
  /** Why its submissions have no input, so that each is refused and no job comes of it; absent where they have one. */
  readonly withoutInput?: string | undefined;
  readonly vus: number;
  /** So many of them send beyond the limit. */
  readonly beyondVus: number;
  readonly burstAtMs: number;
  /** Absent where nothing that follows on a burst could be answered, as by workers that are too slow. */
  readonly secondBurstAtMs?: number | undefined;
  /** One after the other; the last one ends right before the overflow. */
  readonly paces: readonly Span[];
  readonly overflowAtMs: number;
  /** Without what a bucket gets meanwhile, which is sent on top. */
  readonly overflowCap: number;
  readonly overflowRefusals: number;
  readonly refillsAtMs: readonly number[];
  readonly refillCap: number;
  /** `edgesMs`: single moments, in place of others near them. */
  readonly polls: { readonly spans: readonly Span[]; readonly edgesMs: readonly number[] };
  /** When the last of it is expected to be sent. */
  readonly untilMs: number;
}

/** Phase `pace` only: load on an operation without a stated limit. */
export interface UnlimitedParameters {
  readonly kind: 'unlimited';
  readonly instId: string;
  readonly operation: OperationId;
  readonly vus: number;
  readonly periodMs: number;
  readonly durationMs: number;
  readonly windowMs: number;
}

/**
 * Phases: `within` (as many as `limit`), `beyond` (`extra` more while those are held), `further` (more still, where
 * none was refused), `control` (whose responses show that all had arrived), `after-free`, `after-abort`. Also: `timing`
 * (how long responses take), `scout` (a GET, where POST would do as well), `elsewhere-alone`, `elsewhere` (from the
 * other address, before and while the slots are taken), `still-full`. The note of an entry begins with what ended it:
 * `early` (answered before its release), `freed` (released first), `released` (with all others) or `dropped` (never
 * completed). With `held-body` the last byte of each body is held back, and where the operation waits for no body
 * (`trial`) whole requests are sent at the same moment instead, whose notes begin with `whole`; with `long-poll` whole
 * requests are sent to operations that wait, for `holdMs` at least: one of `within` is given up (`dropped`), and then two
 * short ones are sent after one another, `after-abort` and `after-free`, each again where it was refused: to another
 * operation where that was refused while all waited (`full`).
 */
export interface ConcurrencyParameters {
  readonly kind: 'concurrency';
  readonly limitId: string;
  readonly instId: string;
  readonly operations: readonly OperationId[];
  readonly technique: 'held-body' | 'long-poll';
  readonly limit: number;
  readonly extra: number;
  readonly holdMs: number;
  /** With `long-poll`: how long after both waves met one of them is given up. Default: never. */
  readonly abortAfterMs?: number;
  /** Where nothing that is held is refused, whole requests are sent this time, instead of more that are held. */
  readonly isRetry?: boolean;
  /** With `long-poll`: an operation of the same limit that doesn't wait, for a freed slot. */
  readonly quick?: OperationId;
  /** Requests that the rate limit of the same budget allows in a window; absent where there is none. */
  readonly rateLimit?: number;
  /** Most held requests; absent: it goes no further than `limit` and `extra` where none is refused. */
  readonly most?: number;
  /** Another address of this machine; absent: there is none. */
  readonly otherAddress?: string;
  /** Why its submissions have no input, so that each is refused and no job comes of it; absent where they have one. */
  readonly withoutInput?: string;
}

/** Phase `wave` only: what one address may have at once and `extra` more, from each of the runners at the same time. */
export interface AddressesParameters {
  readonly kind: 'addresses';
  readonly limitId: string;
  readonly instId: string;
  readonly operations: readonly OperationId[];
  readonly limit: number;
  readonly extra: number;
  readonly runners: number;
}

/**
 * Phases: `try` (k6: with Content-Length; then chunked), `retry` (a body whose connection was cut, a second time and
 * slowly), `between` (a small body, where all of a size were cut so far), `control` (a small body at the end),
 * `follow-up` (polls of the jobs of some). The notes are those of payload/note.ts.
 */
export interface PayloadParameters {
  readonly kind: 'payload';
  readonly limitId: string;
  readonly instId: string;
  /** One that the configuration has added is sent its own body by Node alone (payload/own.ts). */
  readonly operation: OperationId;
  /** Default: the operation's first. */
  readonly method?: HttpMethod;
  /** Between the beginnings of two bodies, ms, so that the rate limit of its operation stays out of reach. Default: 0. */
  readonly apartMs?: number;
  readonly acceptBytes: number;
  readonly refuseBytes: number;
  /** Where to search the border when it is not at the documented sizes. */
  readonly floorBytes: number;
  readonly capBytes: number;
  /** Whether the workload returns the word from the end of a body. */
  readonly readable: boolean;
  /** Whether jobs run there, so that there are outputs to follow up. */
  readonly followsUp: boolean;
}

/**
 * Phases: `before` (health and the list of requests), `ordinary` (a small job, and what shows it), `try` (each body,
 * `rounds` times), `after` (what shows a job of it). Notes: payload/note.ts.
 */
export interface RefusedJobParameters {
  readonly kind: 'refused-job';
  readonly instId: string;
  readonly operation: 'run';
  readonly bodies: readonly {
    readonly limitId: string;
    readonly operation: Submitting;
    /** Refused by every reading of the documented size. */
    readonly bytes: number;
  }[];
  readonly rounds: number;
  /** Least time for a job to show, ms. */
  readonly settleMs: number;
}

/** Phase `try`: a small body, then doubled from `startBytes` up to `capBytes`, then halved `halvings` times. */
export interface InferencePayloadParameters {
  readonly kind: 'inference-payload';
  /** Empty: interface A has no instances. */
  readonly instId: '';
  readonly operation: 'chat';
  readonly floorBytes: number;
  readonly startBytes: number;
  readonly capBytes: number;
  readonly halvings: number;
}

/**
 * Phases: `before` (health; the note is the number of jobs in the queue, empty when it has none), `purge-before`
 * (unless that is 0), `hold` (slow jobs, one a worker), `held` (their status: note `busy` or `idle`), `fill`, `full`,
 * `reopen` and `retry` (submissions: towards the border, where it was refused, with room again, after an idle window
 * with the queue unchanged), `counted` (after a `runsync`: its job's status, or health), `count`, `free` and
 * `free-check` (a queued job of ours cancelled, with health before and after, or else its status), `waiting` (status of
 * sampled jobs before the purge: note `queued` or `left`), `full` on health (note `MIN:MAX:COUNT`), `make-room` (cancel
 * of a slow job) and `finisher` (status of the job that takes its worker), `running` (as `kept`, before), `witness` and
 * `witness-later` (status of a cancelled job before the purge and at the end: note `known` or `forgotten`), `purge`,
 * `cleared` (status of the queued jobs, note `cleared` or `queued`), `after` (health), `next` (first submission after
 * the purge), `kept` (status of the slow jobs, note `kept` or `gone`), `finished` (status of the finisher; the last
 * note is its final state), `cleared-later`, `clean-up`. The note of a submission is `MIN:MAX`, the queue length before
 * it as far as it is known.
 */
export interface QueueParameters {
  readonly kind: 'queue';
  readonly instId: string;
  readonly workersMax: number;
  readonly border: number;
  /** `runsync` is sent once before the border, when so many jobs are queued; absent: not before. */
  readonly runsyncAt?: number | undefined;
  /** The status of a refusal. */
  readonly refusal: number;
  /** Between submissions, and how many of them there are in each `idleMs`, so that the rate limit stays out of reach. */
  readonly periodMs: number;
  readonly perWindow: number;
  /** An idle rate window, with a margin. */
  readonly idleMs: number;
  /** Between cancellations, for the same reason. */
  readonly cancelPeriodMs: number;
  /** Of the job whose end is seen after the purge. */
  readonly finisherMs: number;
  /** Most of the purged jobs to poll, and how many at the same time. */
  readonly pollsMost: number;
  readonly pollsTogether: number;
  /** Most submissions of `run` at the same time. */
  readonly together: number;
  readonly slowJobMs: number;
  /** An endpoint with a queue of its own, which gets submissions while this one is full; absent: there is none. */
  readonly otherInstId?: string | undefined;
}

/**
 * A few streams, one after the other. Phases: `completion` (chat), or `submit` and `read` (a job, and each answer about
 * its results); the note says when each token arrived.
 */
export interface StreamTimingParameters {
  readonly kind: 'stream-timing';
  /** Empty for interface A, which has no instances. */
  readonly instId: string;
  readonly operation: 'chat' | 'stream';
  readonly streams: number;
  /** Tokens to request, or results that a job should make. */
  readonly tokens: number;
  /** Between two results of a job; 0 for chat. */
  readonly apartMs: number;
  /** Stream requests for one job; 0 for chat. */
  readonly readsMost: number;
}

/** What a request may differ in from those that exhausted a limit, and whose it is then. */
export interface ScopeVariant {
  readonly by: ScopeDifference;
  /** The other endpoint, address or method; empty for an account and a connection. */
  readonly name: string;
}

/**
 * One endpoint's limit is exhausted, by spending it (`spend`) or by holding as many requests as it allows (`hold`), and
 * kept so, while requests that differ in one thing are sent. Phases, in the order sent: `held`, `usual` (the request
 * that is refused once the limit is exhausted), `variant` (the note is the difference and its name), `after` (the usual
 * one, when nothing is held any more).
 */
export interface ScopeParameters {
  readonly kind: 'scope';
  readonly limitId: string;
  readonly instId: string;
  readonly operation: OperationId;
  readonly technique: 'spend' | 'hold';
  /** What the probe was built for: requests in a window, or at once. */
  readonly limit: number;
  readonly variants: readonly ScopeVariant[];
  /** Each is sent so often. */
  readonly rounds: number;
  /** Most requests in all. */
  readonly most: number;
}

export type ProbeParameters =
  | RateParameters
  | ScopeParameters
  | UnlimitedParameters
  | ConcurrencyParameters
  | AddressesParameters
  | PayloadParameters
  | RefusedJobParameters
  | InferencePayloadParameters
  | StreamTimingParameters
  | QueueParameters;

export interface Probe {
  /** Stable and unique within a plan, e.g. `run.rate`, `status.concurrency.long-poll`, `queue.inst-queue`. */
  readonly id: string;
  readonly title: string;
  /** The checks that its facts answer. */
  readonly checkIds: readonly string[];
  readonly parameters: ProbeParameters;
  /** Upper bounds, announced by `plan` and never exceeded. */
  readonly requests: number;
  readonly bytes: number;
  readonly estimateMs: number;
  /** Waits that the windows force, ms. */
  readonly floorMs: number;
  /** What it needs and what it disturbs: two probes that share an entry never run at the same time. */
  readonly exclusive: readonly Resource[];
}

/**
 * `budget:…` the requests of an operation's budget (endpoints may be counted together, so not per endpoint) ·
 * `workers:INST` and `queue:INST` of an endpoint · `bandwidth` large bodies.
 */
export type Resource = `budget:${BudgetId}` | `workers:${string}` | `queue:${string}` | 'bandwidth';
