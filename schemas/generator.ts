/**
 * How well the load generator did over a whole run, in `results.json`: each probe by itself, the worst of all of them,
 * and what fell short, as text. Times in ms, sizes in bytes, shares of all processors together, 0 to 1. Fields of a
 * later version are optional, so that older files stay readable.
 */
import { count, flag, list, nullableNumber, number, object, orNull, type TypeOf, text } from './schema-words.ts';

/** What the machine that sent a probe had left. */
const machine = object({
  /** Over the whole probe. */
  idleShare: nullableNumber,
  /** In the busiest second. */
  leastIdleShare: nullableNumber,
  /** Longest that the sending Node process was kept from its work; null where k6 sent. */
  loopLagMs: nullableNumber,
  /** Most memory that k6 had; null where the system doesn't tell, or where k6 did not send. */
  peakBytes: nullableNumber,
});

/** How late requests were sent that had a planned moment. */
const lateness = object(
  { scheduled: count, p50Ms: number, p95Ms: number, p99Ms: number, maxMs: number },
  {
    /** How much they may differ among themselves before the load is another than the one planned. */
    roomMs: number,
  },
);

/** What several runners of one probe left, together. */
const runners = object({
  count,
  /** From the first to the last of them to begin. */
  skewMs: number,
  /** How far the clock of the worst of them may be off. */
  errorMs: number,
  /** What makes their ledgers no evidence, by name; empty where all of it is there. */
  faults: list(text),
});

/** Lines that a ledger should have and could not be written. */
const lost = object({
  /** At least so many: each is one write, and a burst writes several lines at a time. */
  lines: count,
  why: text,
});

/** How well the generator itself worked; a verdict that needs more than it could give is inconclusive. */
export const health = object(
  {
    planned: count,
    sent: count,
    /** Requests without an answer (status 0), with the commonest error. */
    unanswered: count,
    unansweredError: text,
    /** Ledger lines that could not be read. */
    unreadable: count,
    /** Wall clock minus monotonic clock over the probe. */
    clockStepMs: number,
    /** False when the process ended before its last line. */
    complete: flag,
    /** Latest send behind its schedule; 0 where nothing was scheduled. */
    latenessMs: number,
  },
  {
    /** Which probe this is about. */
    probe: text,
    /** From when to when it ran, from the beginning of the load. */
    ran: object({ fromMs: number, untilMs: number }),
    /** How long the usual request was on its way, where fewer were sent than planned: each connection waits for it. */
    exchangeMs: number,
    /** Sends behind their schedule; absent where nothing was scheduled. */
    lateness,
    /** Slots of a schedule that were left out: they were so late that two at once would have been a burst. */
    dropped: count,
    lost,
    /** Where several processes sent it together. */
    runners,
    machine,
  },
);

export const generator = object({
  probes: list(health),
  whole: object({
    sent: count,
    unanswered: count,
    /** Slots of the paced loads that were left out. */
    dropped: count,
    /** Of the probe that was late most; null where nothing was paced. */
    lateness: orNull(lateness),
    leastIdleShare: nullableNumber,
    loopLagMs: nullableNumber,
    peakBytes: nullableNumber,
    /** The largest, with its sign. */
    clockStepMs: number,
  }),
  /** Empty where the generator did what was planned. */
  shortfalls: list(text),
});

export type MachineLoad = TypeOf<typeof machine>;
export type Lateness = TypeOf<typeof lateness>;
export type RunnersHealth = TypeOf<typeof runners>;
export type LostLines = TypeOf<typeof lost>;
export type GeneratorHealth = TypeOf<typeof health>;
export type GeneratorReport = TypeOf<typeof generator>;
