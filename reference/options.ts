/**
 * Every decision the specification leaves open, and every fault-free variation, as one typed struct of named settings.
 * The defaults are what real clients of this family of services expect. Each field has a row in settings/, which says
 * what it takes and which gap it fills; command line, YAML file and docs/reference.md are made from the rows.
 */
import type { ModelInfo } from './inference/models.ts';
import { defaultModels } from './inference/models.ts';
import { type Rules, specRules } from './rules.ts';

export const limiterKinds = ['sliding', 'fixed', 'counter', 'token', 'off'] as const;
/**
 * How a rate limit is counted: exact log, windows on the clock, this window's count and a share of the last one's,
 * bucket of L refilled with L per window, or not.
 */
export type LimiterKind = (typeof limiterKinds)[number];

export interface InstanceOptions {
  readonly instId: string;
  /** Jobs that run at once; WorkersMax of spec 2.4. */
  readonly workersMax: number;
}

/** A waiting time a client may ask for with `?wait=`, milliseconds. */
export interface WaitRange {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

export interface ReferenceOptions {
  /** Keys of interface A, and of interface B too. */
  readonly accessKeys: readonly string[];
  /** Further keys that interface B alone accepts. */
  readonly jobKeys: readonly string[];
  /** Keys whose account has no balance. */
  readonly brokeKeys: readonly string[];
  /** Good keys of another account: it has the models, and no endpoint of interface B. */
  readonly otherKeys: readonly string[];
  /** Interface B: `Bearer KEY`, or the bare key as well, or no key at all (spec 5: not shown). */
  readonly auth: 'either' | 'bearer' | 'none';
  /** Answer to a key without balance: 402, or 429 with `insufficient_quota`. */
  readonly balanceStatus: 402 | 429;
  readonly instances: readonly InstanceOptions[];
  readonly models: readonly ModelInfo[];

  readonly limiter: LimiterKind;
  /** Where the fixed windows begin, milliseconds after a multiple of their length on the clock. */
  readonly windowPhaseMs: number;
  /** Another value for a limit of the table, by its id; `off` never refuses (for a retention: keeps for ever). */
  readonly limits: Readonly<Record<string, number | 'off'>>;
  /** Another window for a rate limit of the table, by its id, milliseconds. */
  readonly windows: Readonly<Record<string, number>>;
  /** "10 MB" refused beyond 10,000,000 (`decimal`) or beyond 10,485,760 bytes (`binary`). */
  readonly payloadReading: 'decimal' | 'binary';
  readonly oversizeStatus: 413 | 400;
  /** Largest body of interface A, bytes (spec 8.1: not shown). */
  readonly inferencePayloadBytes: number;
  /** The queue rule looks at the queue before or after the new job is in it (spec 7 leaves it open). */
  readonly queueMeasured: 'before' | 'after';
  /** Jobs per worker of the queue rule (spec 7); null for the table's. */
  readonly queuePerWorker: number | null;
  /** Seconds in `Retry-After` where nothing better is known: concurrency and queue. */
  readonly retryAfterSeconds: number;
  /** What is left of a limit in the headers of every answer: `x-ratelimit-*` on interface A, RateLimit fields on B. */
  readonly rateLimitHeaders: boolean;
  /** Deepest nesting of a JSON body; beyond it 400. */
  readonly maxJsonDepth: number;

  /** Added to every answer while it holds its slot, milliseconds. */
  readonly latencyMs: number;
  readonly firstTokenMs: number;
  readonly interTokenMs: number;
  /** Part of `firstTokenMs` and of each `interTokenMs` that chance adds or takes away, 0 to 1. */
  readonly jitter: number;
  /** Instances of interface A behind its balancer (spec 1). */
  readonly inferenceInstances: number;
  /** How long a failed one of them is missing before it is replaced, milliseconds. */
  readonly replaceMs: number;
  /** A stream that has begun on an instance that fails: goes on from another one, or ends with an error event. */
  readonly streamFailover: 'continue' | 'error';
  /** Whether `/_reference/...` is served: the switches of the reference itself, which no client should see. */
  readonly control: boolean;
  /** Most tokens one choice may have, whatever `max_tokens` says. */
  readonly maxCompletionTokens: number;

  readonly runsyncWait: WaitRange;
  readonly statusSyncWait: WaitRange;
  readonly streamWait: WaitRange;
  /** Bounds of `policy`, milliseconds; a value outside is moved to the nearest bound. */
  readonly executionTimeout: WaitRange;
  readonly ttl: WaitRange;
  /** A running job whose time to live ends: forgotten (404), or TIMED_OUT. */
  readonly ttlWhileRunning: 'forget' | 'time-out';
  /** Jobs that a purge removed: CANCELLED and kept for their retention, or forgotten (404). */
  readonly purgedJobs: 'cancelled' | 'forgotten';
  /** `status?ttl=` shortens how long a finished job is kept, milliseconds. */
  readonly retentionQuery: boolean;
  /** `error` of a failed job: the message, or the handler's exception as a JSON text. */
  readonly failureDetail: 'message' | 'exception';
  /** Longest chunk a stream hands out in one piece, bytes of JSON; a longer one comes in several. */
  readonly streamChunkBytes: number;
  readonly requestsShape: 'page' | 'array';
  readonly requestsPage: { readonly default: number; readonly max: number };

  /** The decisions themselves; a mutant replaces one of them. */
  readonly rules: Rules;
}

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

const LOCAL_KEY = 'proofload-local';
const LOCAL_BROKE_KEY = 'proofload-broke';
const LOCAL_OTHER_KEY = 'proofload-other';

/** The settings of the embedded reference. Keys come from the environment where it has them. */
export function defaultOptions(environment: NodeJS.ProcessEnv = process.env): ReferenceOptions {
  return {
    accessKeys: [environment.PROOFLOAD_ACCESS_KEY || LOCAL_KEY],
    jobKeys: environment.PROOFLOAD_JOB_KEY ? [environment.PROOFLOAD_JOB_KEY] : [],
    brokeKeys: [environment.PROOFLOAD_BROKE_KEY || LOCAL_BROKE_KEY],
    otherKeys: [environment.PROOFLOAD_OTHER_KEY || LOCAL_OTHER_KEY],
    auth: 'either',
    balanceStatus: 402,
    instances: [
      { instId: 'inst-1', workersMax: 3 },
      { instId: 'inst-queue', workersMax: 1 },
      { instId: 'inst-none', workersMax: 0 },
    ],
    models: defaultModels,
    limiter: 'sliding',
    windowPhaseMs: 0,
    limits: {},
    windows: {},
    payloadReading: 'binary',
    oversizeStatus: 413,
    inferencePayloadBytes: 20 * 1024 * 1024,
    queueMeasured: 'before',
    queuePerWorker: null,
    retryAfterSeconds: 1,
    rateLimitHeaders: true,
    maxJsonDepth: 1000,
    latencyMs: 0,
    firstTokenMs: 10,
    interTokenMs: 5,
    jitter: 0,
    inferenceInstances: 3,
    replaceMs: 2 * SECOND_MS,
    streamFailover: 'continue',
    control: false,
    maxCompletionTokens: 4096,
    runsyncWait: { default: 90 * SECOND_MS, min: 1, max: 300 * SECOND_MS },
    statusSyncWait: { default: 90 * SECOND_MS, min: 1, max: 300 * SECOND_MS },
    streamWait: { default: 5 * SECOND_MS, min: 0, max: 300 * SECOND_MS },
    executionTimeout: { default: 600 * SECOND_MS, min: 5 * SECOND_MS, max: 7 * DAY_MS },
    ttl: { default: DAY_MS, min: 10 * SECOND_MS, max: 7 * DAY_MS },
    ttlWhileRunning: 'forget',
    purgedJobs: 'cancelled',
    retentionQuery: true,
    failureDetail: 'message',
    streamChunkBytes: 1024 * 1024,
    requestsShape: 'page',
    requestsPage: { default: 50, max: 1000 },
    rules: specRules,
  };
}

/** A number within a range; its default where none, or none that is a number, was given. */
export function within(range: WaitRange, asked: unknown): number {
  const value = typeof asked === 'string' && asked.trim() !== '' ? Number(asked) : asked;
  if (typeof value !== 'number' || !Number.isFinite(value)) return range.default;
  return Math.min(range.max, Math.max(range.min, value));
}
