/** Facts to judge, made by hand: a sound generator and an empty picture unless a test says otherwise. */
import type {
  ConcurrencyFacts,
  GeneratorHealth,
  HoldCounts,
  PayloadAttempt,
  PayloadFacts,
  QueueAttempt,
  QueueFacts,
  QueueReopening,
} from '../../../schemas/facts.ts';
import { documentedTable } from '../../../schemas/limits.ts';

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
  const { afterFree = wave(1), afterAbort = wave(1) } = changes;
  const early = within.refusedEarly + beyond.refusedEarly;
  const overlap = within.opened + beyond.opened - early;
  const waves = [within, beyond, afterFree, afterAbort];
  const sum = (count: (one: HoldCounts) => number) => waves.reduce((total, one) => total + count(one), 0);
  // Two of the first wave were released before the others.
  const together = { count: sum((one) => one.held + one.refusedLate) - 2, refused: sum((one) => one.refusedLate) };
  return {
    kind: 'concurrency',
    limitId,
    instId: 'inst-a',
    limit,
    operations: documentedTable.rows.find((one) => one.id === limitId)?.operations ?? [],
    technique: 'held-body',
    within,
    beyond,
    opened: within.opened + beyond.opened + (changes.further?.opened ?? 0),
    afterFree,
    afterAbort,
    releasedTogether: together,
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
  refusal: 'refused' | 'broken-off' = 'refused',
): PayloadFacts {
  // A connection that is cut is retried, and a second time after a small body.
  const cut = (bytes: number): PayloadAttempt[] => [
    payloadAttempt(bytes, 'broken-off'),
    payloadAttempt(bytes, 'broken-off', { isRetry: true }),
    payloadAttempt(1, 'accepted'),
    payloadAttempt(bytes, 'broken-off', { isRetry: true }),
  ];
  const attempts = [...sizes, 1].flatMap((bytes) => {
    if (bytes <= border) return [payloadAttempt(bytes, 'accepted')];
    return refusal === 'broken-off' ? cut(bytes) : [payloadAttempt(bytes, refusal)];
  });
  return {
    kind: 'payload',
    limitId,
    instId: 'inst-a',
    acceptBytes: sizes[0] ?? 0,
    refuseBytes: sizes[1] ?? 0,
    attempts,
    readable: true,
    health: soundHealth(),
  };
}

const PAYLOAD_STATUSES = {
  accepted: 200,
  refused: 413,
  'refused-otherwise': 422,
  'broken-off': 0,
  unanswered: 0,
  other: 503,
};

/** One body and what became of it, in the usual form of that. */
export function payloadAttempt(
  bytes: number,
  outcome: PayloadAttempt['outcome'],
  changes: Partial<PayloadAttempt> = {},
): PayloadAttempt {
  const status = PAYLOAD_STATUSES[outcome];
  const error = status === 0 ? 'ECONNRESET' : '';
  return { bytes, encoding: 'content-length', outcome, status, error, sent: 'whole', isRetry: false, ...changes };
}

/**
 * A queue filled one by one by `run`, with a `runsync` between the borders; refused from `refusedAt` jobs on; then both
 * are given room one below the border (or the refusal) and climb until they are refused again.
 */
export function filledQueue(
  workersMax: number,
  border: number,
  refusedAt: number,
  changes: Partial<QueueFacts> = {},
): QueueFacts {
  const submission = (operation: 'run' | 'runsync', queued: number): QueueAttempt => {
    const refused = queued >= refusedAt;
    return {
      operation,
      queuedMin: queued,
      queuedMax: queued,
      outcome: refused ? 'refused' : 'accepted',
      status: refused ? 429 : 200,
      seenQueued: operation === 'runsync' && !refused,
      open: 0,
      persisted: refused ? true : null,
      reopened: refused,
    };
  };
  const last = Math.min(refusedAt, border + 5);
  const fill = Array.from({ length: last + 1 }, (_, queued) => submission('run', queued));
  const room = Math.max(0, Math.min(border, refusedAt) - 1);
  const climb = (operation: 'run' | 'runsync') =>
    Array.from({ length: last - room + 1 }, (_, index) => submission(operation, room + index));
  const reopenings = (['runsync', 'run'] as const).map(
    (operation): QueueReopening => ({
      operation,
      refusedAt: { min: last, max: last },
      freed: last - room,
      countAfter: room,
      attempt: submission(operation, room),
      refusedAgain: Number.isFinite(refusedAt),
    }),
  );
  return {
    kind: 'queue',
    instId: 'inst-a',
    workersMax,
    border,
    workersHeld: workersMax,
    lengthKnown: true,
    waiting: { sampled: 3, left: 0 },
    refusedHealth: 0,
    attempts: [...fill, submission('runsync', Math.min(51, last)), ...climb('runsync'), ...climb('run')],
    reopenings: Number.isFinite(refusedAt) ? reopenings : [],
    purge: {
      status: 200,
      queuedBefore: last,
      sampled: last,
      cleared: last,
      countAfter: 0,
      leftLater: null,
      running: Math.max(0, workersMax - 1),
      runningKept: Math.max(0, workersMax - 1),
      ...(workersMax > 0 ? { finished: 'completed' } : {}),
      nextStatus: 200,
      sentInWindow: last + 2,
    },
    health: soundHealth(),
    ...changes,
  };
}
