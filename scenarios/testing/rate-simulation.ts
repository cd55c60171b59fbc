/**
 * A rate probe played against an ideal limiter, in no time: requests in, ledger text out. It lets the analysis and the
 * verdicts be tested against limiters whose behaviour is known by construction, none of them the reference's.
 */
import { encodeEntry, encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';
import { pollTimes, slotTimes, watchSpan } from '../k6/lib/schedule.ts';
import { PACE_WINDOWS } from '../kinds/rate/plan.ts';
import { lastPaced, rateTimes } from '../kinds/rate/timeline.ts';
import type { RateParameters } from '../probe.ts';

/** Whether a request arriving at this moment (ms, never decreasing) is admitted. */
export type Limiter = (atMs: number, operation?: string) => boolean;

export function slidingLog(limit: number, windowMs: number): Limiter {
  // In a ring, so that one of half a million is as quick: the next place holds the oldest.
  const admitted = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  return (atMs) => {
    if ((admitted[next] ?? Number.POSITIVE_INFINITY) > atMs - windowMs) return false;
    admitted[next] = atMs;
    next = (next + 1) % limit;
    return true;
  };
}

/** @param phaseMs where the windows begin, modulo their length */
export function fixedWindow(limit: number, windowMs: number, phaseMs: number): Limiter {
  let current = -1;
  let count = 0;
  return (atMs) => {
    const index = Math.floor((atMs - phaseMs) / windowMs);
    if (index !== current) [current, count] = [index, 0];
    count += 1;
    return count <= limit;
  };
}

/** Two fixed windows, the older weighted by how much of it the sliding window still covers. */
export function slidingCounter(limit: number, windowMs: number, phaseMs: number, whole = false): Limiter {
  let [current, now, before] = [Number.NEGATIVE_INFINITY, 0, 0];
  return (atMs) => {
    const position = (atMs - phaseMs) / windowMs;
    const index = Math.floor(position);
    if (index !== current) [before, now, current] = [index === current + 1 ? now : 0, 0, index];
    const weight = before * (1 - (position - index)) + now;
    if (whole ? weight + 1 > limit : weight >= limit) return false;
    now += 1;
    return true;
  };
}

export function tokenBucket(capacity: number, perWindow: number, windowMs: number): Limiter {
  let tokens = capacity;
  let last = Number.NEGATIVE_INFINITY;
  return (atMs) => {
    tokens = Math.min(capacity, tokens + ((atMs - last) * perWindow) / windowMs);
    last = atMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

export const unlimited: Limiter = () => true;

/** The schedule a planner would make for a limit, knowing the round trip. */
export function rateParameters(
  limit: number,
  windowMs: number,
  changes: Partial<RateParameters> = {},
  roundTripMs = 2,
): RateParameters {
  const vus = Math.max(1, Math.min(50, Math.ceil(limit / 10)));
  const burstMs = limit * Math.max(0.5, roundTripMs / vus);
  const made = {
    kind: 'rate',
    limitId: 'run.rate',
    instId: 'inst-a',
    operation: 'run',
    siblings: [],
    absent: [],
    limit,
    windowMs,
    vus,
    beyondVus: vus,
    overflowCap: 0,
    overflowRefusals: vus === 1 ? 5 : 2,
    refillCap: Math.ceil((1.1 * limit + 5) / vus),
    ...rateTimes({ limit, windowMs, burstMs, paceWindows: PACE_WINDOWS.gate }),
  } as const;
  return { ...made, overflowCap: Math.ceil((2.1 * limit + 5 - lastPaced(made)) / vus), ...changes };
}

export interface SimulationOptions {
  readonly beginsAtMs?: number;
  readonly roundTripMs?: number;
  readonly refusedStatus?: number;
  /** Of what the limiter lets through; usually 200. */
  readonly servedStatus?: number;
  /** What a response says of the limit (limit-fields.ts), where it is not that of a whole window to wait. */
  readonly says?: ((admitted: boolean) => string) | undefined;
  /** What health says of the queue, if anything. */
  readonly queued?: number | undefined;
  /** Every other answer is on its way for so much longer, ms. */
  readonly slowerMs?: number | undefined;
  /** How much later than planned a request is sent, ms; none is sent before the one planned before it. */
  readonly lateMs?: (() => number) | undefined;
  /** The siblings are sent while the last of the burst are still on their way. */
  readonly siblingsEarly?: boolean;
}

/**
 * The ledger of the probe against this limiter. Each request arrives somewhere between its sending and its first byte,
 * `roundTripMs` later; `beginsAtMs` is the limiter's clock when the probe begins, and so sets the phase of its windows.
 */
export function simulateRate(
  parameters: RateParameters,
  limiter: Limiter,
  {
    beginsAtMs = 0,
    roundTripMs = 2,
    refusedStatus = 429,
    servedStatus = 200,
    says,
    queued,
    slowerMs = 0,
    lateMs = () => 0,
    siblingsEarly = false,
  }: SimulationOptions = {},
): string {
  const entries: LedgerEntry[] = [];
  let lastMs = 0;
  const send = (phase: string, operation: string, plannedMs: number): boolean => {
    const sentMs = Math.max(lastMs, plannedMs + lateMs());
    lastMs = sentMs;
    const admitted = limiter(beginsAtMs + sentMs + roundTripMs / 2, operation);
    const firstByteMs = sentMs + roundTripMs + (entries.length % 2) * slowerMs;
    const endMs = firstByteMs;
    const status = admitted ? servedStatus : refusedStatus;
    entries.push({ phase, operation, sentMs, firstByteMs, endMs, status, error: '', note: reported(admitted) });
    return admitted;
  };
  const { operation, siblings, vus, limit, windowMs } = parameters;
  const reported = says ?? ((admitted: boolean) => (admitted ? '' : `retry-after: ${Math.ceil(windowMs / 1000)}`));
  // As many in flight as there are VUs.
  const gap = roundTripMs / vus;
  const atOnce = (phase: string, fromMs: number, most: number, refusals = Number.POSITIVE_INFINITY): void => {
    const fromOrLater = Math.max(fromMs, lastMs);
    for (let sent = 0, refused = 0; sent < most && refused < refusals; sent += 1) {
      if (!send(phase, operation, fromOrLater + sent * gap)) refused += 1;
      if (phase === 'overflow' && refused > 0 && siblingsEarly && siblings[0]) send('sibling', siblings[0], lastMs);
    }
  };
  // Single requests between the bursts, as they come.
  const single = pollTimes(parameters.polls);
  const pollUntil = (untilMs: number): void => {
    while ((single[0] ?? Number.POSITIVE_INFINITY) < untilMs) send('poll', operation, single.shift() ?? 0);
  };
  atOnce('burst', parameters.burstAtMs, limit);
  if (parameters.secondBurstAtMs !== undefined) atOnce('second-burst', parameters.secondBurstAtMs, limit);
  const inTurn = [operation, ...siblings];
  for (const span of parameters.paces)
    slotTimes(span).forEach((ms, index) => {
      send('pace', inTurn[index % inTurn.length] ?? operation, ms);
    });
  atOnce('overflow', parameters.overflowAtMs, vus * parameters.overflowCap, vus * parameters.overflowRefusals);
  for (const sibling of siblings) for (let i = 0; i < 10; i += 1) send('sibling', sibling, lastMs + gap);
  for (const refillMs of parameters.refillsAtMs) {
    pollUntil(refillMs);
    atOnce('refill', refillMs, vus * parameters.refillCap, vus);
  }
  if (queued !== undefined) {
    for (const sentMs of slotTimes(watchSpan(parameters))) {
      const endMs = sentMs + roundTripMs;
      const note = String(queued);
      const times = { sentMs, firstByteMs: endMs, endMs };
      entries.push({ phase: 'watch', operation: 'health', ...times, status: 200, error: '', note });
    }
  }
  const zeroMs = 1e12 + beginsAtMs;
  const marks = [
    encodeMark({ mark: 'start', wallMs: zeroMs, monotonicMs: 0 }),
    encodeMark({ mark: 'end', wallMs: zeroMs + parameters.untilMs, monotonicMs: parameters.untilMs }),
  ];
  return [marks[0], ...entries.map(encodeEntry), marks[1], ''].join('\n');
}
