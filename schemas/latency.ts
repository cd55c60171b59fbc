/**
 * How long answers took, as numbers: what a ledger says of its paced phases (facts), and what the results of a run say
 * of an operation. Latency decides nothing by itself; a goal of the configuration may (goals.ts).
 */
import { atLeastZero, choice, count, list, object, type TypeOf, text } from './schema-words.ts';

/** 429 apart, since a refusal is quick and would flatter the others; `none`: no answer within the sender's patience. */
export const statusClasses = ['2xx', '3xx', '4xx', '429', '5xx', 'none'] as const;
export type StatusClass = (typeof statusClasses)[number];

const REFUSED = 429;

export function statusClassOf(status: number): StatusClass {
  if (status === REFUSED) return '429';
  if (status === 0) return 'none';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}

/**
 * Requests of one phase, operation and status class. Each list has one number for each request, in the same order, in
 * milliseconds.
 */
export interface PacedRequests {
  readonly operation: string;
  readonly statusClass: StatusClass;
  /**
   * From the moment the schedule wanted it sent to the last byte of its answer: what a caller at that moment would have
   * waited, also where earlier answers kept the sender from sending (coordinated omission).
   */
  readonly dueToEndMs: readonly number[];
  readonly sentToEndMs: readonly number[];
  readonly sentToFirstByteMs: readonly number[];
  /** From that moment to when the sender began with it. */
  readonly lateMs: readonly number[];
  /** The part of it that is the sender's own: a connection was free, and yet nothing was sent. */
  readonly ownLateMs: readonly number[];
}

/** One paced phase of a probe: what its schedule wanted and what became of it. */
export interface PacedPhase {
  readonly phase: string;
  readonly periodMs: number;
  /** Moments of the schedule, by operation. */
  readonly planned: Readonly<Record<string, number>>;
  /** From the first moment to the last beginning, ms; 0 where nothing was sent. */
  readonly tookMs: number;
  readonly requests: readonly PacedRequests[];
}

export const percentileNames = ['p50', 'p90', 'p95', 'p99', 'max'] as const;
export type PercentileName = (typeof percentileNames)[number];

/** Milliseconds, by nearest rank. A percentile that so few values can't carry is absent. */
export const percentiles = object(
  { max: atLeastZero },
  { p50: atLeastZero, p90: atLeastZero, p95: atLeastZero, p99: atLeastZero },
);

/** How many values lie from one edge, inclusive, to the next, exclusive; one edge more than counts, rising, in ms. */
const distribution = object({ edgesMs: list(atLeastZero), counts: list(count) });

/** An operation's latency over all paced phases of a run. */
export const latency = object(
  {
    operation: text,
    statusClass: choice(...statusClasses),
    requests: count,
    /** From the moment the schedule wanted it sent to the last byte. */
    latency: percentiles,
  },
  {
    /** Of the same times; absent of a few, and in results of older versions. */
    distribution,
    /** The same from when it was sent; absent where no percentile differs by more than a hundredth. */
    uncorrected: percentiles,
    /** From when it was sent to the first byte; absent where there was no answer. */
    firstByte: percentiles,
    /** Why percentiles are absent. */
    note: text,
  },
);

/** What a paced phase was to send and what it did; rates in requests per second. */
export const achieved = object(
  {
    probe: text,
    phase: text,
    operations: list(text),
    planned: count,
    sent: count,
    plannedRate: atLeastZero,
    achievedRate: atLeastZero,
  },
  {
    /** How long after its moment the sender began with a request; absent where none was sent. */
    lateness: percentiles,
  },
);

/** Tokens, or pieces of a result, as they came. */
export const streams = object(
  {
    operation: text,
    streams: count,
    /** Streams that brought at least one. */
    answered: count,
    tokens: count,
    /** Streams of several that all came at once, at the end. */
    inOnePiece: count,
  },
  {
    /** From sending the request, or submitting the job, to the first of them. */
    firstToken: percentiles,
    /** From one to the next of the same stream. */
    betweenTokens: percentiles,
    note: text,
  },
);

export type Percentiles = TypeOf<typeof percentiles>;
export type Distribution = TypeOf<typeof distribution>;
export type ResultLatency = TypeOf<typeof latency>;
export type ResultAchieved = TypeOf<typeof achieved>;
export type ResultStreams = TypeOf<typeof streams>;
