/** Facts to judge, made by hand: a sound generator and an empty picture unless a test says otherwise. */
import type {
  ConcurrencyFacts,
  GeneratorHealth,
  HoldCounts,
  PayloadFacts,
  QueueAttempt,
  QueueFacts,
} from '../../../schemas/facts.ts';

export function soundHealth(changes: Partial<GeneratorHealth> = {}): GeneratorHealth {
  return {
    planned: 1,
    sent: 1,
    unanswered: 0,
    unansweredError: '',
    unreadable: 0,
    clockStepMs: 0,
    complete: true,
    latenessMs: 0,
    ...changes,
  };
}

/** A wave in which everything not named otherwise was held. */
export function wave(opened: number, changes: Partial<Omit<HoldCounts, 'opened' | 'held'>> = {}): HoldCounts {
  const others = { refusedEarly: 0, refusedLate: 0, answeredEarly: 0, lost: 0, ...changes };
  const held = opened - others.refusedEarly - others.refusedLate - others.answeredEarly - others.lost;
  return { opened, held, ...others };
}

/** A target that enforces exactly `limit` at once and frees its slots, seen by held bodies; waves may be changed. */
export function exactConcurrency(
  limitId: string,
  limit: number,
  changes: Partial<ConcurrencyFacts> = {},
): ConcurrencyFacts {
  const within = changes.within ?? wave(limit);
  const beyond = changes.beyond ?? wave(3, { refusedEarly: 3 });
  const early = within.refusedEarly + beyond.refusedEarly;
  const overlap = within.opened + beyond.opened - early;
  return {
    kind: 'concurrency',
    limitId,
    instId: 'inst-a',
    limit,
    operations: [],
    technique: 'held-body',
    within,
    beyond,
    afterFree: wave(1),
    afterAbort: wave(1),
    overlapInner: overlap,
    overlapOuter: overlap,
    arrivedTogether: true,
    refusedWithinLimit: within.refusedEarly,
    fewestAtRefusal: early > 0 ? overlap : null,
    refusals: { statuses: { 429: 3 }, withRetryAfter: 3 },
    statuses: { 200: limit + 2, 429: 3 },
    health: soundHealth(),
    picture: { kind: 'in-flight', limit, steps: [] },
    ...changes,
  };
}

/** The attempts of a bisection against a target that accepts bodies of at most `border` bytes. */
export function payloadFacts(
  limitId: string,
  border: number,
  sizes: readonly number[],
  refusal: 'refused' | 'reset' = 'refused',
): PayloadFacts {
  const attempts = sizes.map((bytes) => {
    const outcome = bytes <= border ? ('accepted' as const) : refusal;
    const status = outcome === 'accepted' ? 200 : outcome === 'refused' ? 413 : 0;
    return { bytes, outcome, status, error: outcome === 'reset' ? '1220' : '' };
  });
  return {
    kind: 'payload',
    limitId,
    instId: 'inst-a',
    acceptBytes: sizes[0] ?? 0,
    refuseBytes: sizes[1] ?? 0,
    attempts,
    health: soundHealth(),
  };
}

/** A queue filled one by one by `run`, refused from `refusedAt` jobs on, then retried, with a `runsync` at each end. */
export function filledQueue(
  workersMax: number,
  border: number,
  refusedAt: number,
  changes: Partial<QueueFacts> = {},
): QueueFacts {
  const submission = (operation: 'run' | 'runsync', queued: number, persisted: boolean | null = null): QueueAttempt => {
    const refused = queued >= refusedAt;
    const waits = operation === 'runsync' && !refused;
    return {
      operation,
      queuedMin: queued,
      queuedMax: queued,
      outcome: refused ? 'refused' : waits ? 'unanswered-yet' : 'accepted',
      status: refused ? 429 : waits ? 0 : 200,
      persisted: refused ? persisted : null,
    };
  };
  const last = Math.min(refusedAt, border + 5);
  const fill = Array.from({ length: last + 1 }, (_, queued) => submission('run', queued, true));
  const syncs = [Math.min(51, last), last].map((queued) => submission('runsync', queued));
  return {
    kind: 'queue',
    instId: 'inst-a',
    workersMax,
    border,
    workersHeld: workersMax,
    attempts: [...fill, ...syncs],
    purge: {
      status: 200,
      queuedBefore: last,
      sampled: 5,
      cleared: 5,
      running: workersMax,
      runningKept: workersMax,
      nextStatus: 200,
    },
    health: soundHealth(),
    ...changes,
  };
}
