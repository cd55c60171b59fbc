/**
 * A rate probe played against an ideal limiter, in no time: requests in, ledger text out. It lets the analysis and the
 * verdicts be tested against limiters whose behaviour is known by construction, none of them the reference's.
 */
import { encodeEntry, encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';
import { pollTimes, type Span, slotAt, slots } from '../k6/lib/schedule.ts';
import { pacePeriodMs, pollPeriodMs, TINY_LIMIT } from '../plan/timeline.ts';
import type { RateParameters } from '../probe.ts';

/** Whether a request arriving at this moment (ms, never decreasing) is admitted. */
export type Limiter = (atMs: number) => boolean;

export function slidingLog(limit: number, windowMs: number): Limiter {
  const log: number[] = [];
  return (atMs) => {
    while (log.length > 0 && (log[0] ?? 0) <= atMs - windowMs) log.shift();
    if (log.length >= limit) return false;
    log.push(atMs);
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

/** The same where room for a whole request has to be left. */
export const strictCounter = (limit: number, windowMs: number, phaseMs: number): Limiter =>
  slidingCounter(limit, windowMs, phaseMs, true);

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
  const vus = limit <= 20 ? 1 : Math.min(50, limit / 20);
  const burstMs = (limit * roundTripMs) / vus;
  const burstAtMs = windowMs;
  const overAtMs = burstAtMs + Math.max(600, 1.2 * burstMs);
  const recoveryPeriod = pollPeriodMs(limit, windowMs);
  const recoveryFrom = overAtMs + 400 + 1.2 * burstMs;
  const paceFrom = recoveryFrom + windowMs * 1.1;
  const pacePeriod = pacePeriodMs(limit, windowMs);
  const [againAt, echoAt] = [paceFrom + 2 * windowMs + 100, paceFrom + 2.2 * windowMs + 1.2 * burstMs];
  const returnsFrom = limit <= TINY_LIMIT ? againAt + recoveryPeriod : echoAt + 300 + 1.2 * burstMs;
  const returns = { fromMs: returnsFrom, periodMs: recoveryPeriod };
  return {
    kind: 'rate',
    limitId: 'run.rate',
    instId: 'inst-a',
    operation: 'run',
    siblings: [],
    limit,
    windowMs,
    vus,
    burstAtMs,
    overAtMs,
    overCap: Math.ceil((limit + 50) / vus),
    overRefusals: 5,
    recovery: { fromMs: recoveryFrom, periodMs: recoveryPeriod, untilMs: paceFrom - 1, edgesMs: [] },
    pace: { fromMs: paceFrom, periodMs: pacePeriod, untilMs: paceFrom + 2 * windowMs },
    again: { atMs: againAt, echoAtMs: echoAt, returns: { ...returns, untilMs: returns.fromMs + 1.05 * windowMs } },
    ...changes,
  };
}

export interface SimulationOptions {
  readonly beginsAtMs?: number;
  readonly roundTripMs?: number;
  readonly refusedStatus?: number;
  /** What health says of the queue, if anything. */
  readonly queued?: number | undefined;
  /** Every other answer is on its way for so much longer, ms. */
  readonly slowerMs?: number | undefined;
  /** How much later than planned a request is sent, ms; none is sent before the one planned before it. */
  readonly lateMs?: (() => number) | undefined;
  /** The siblings are asked while the last of the burst are still on their way. */
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
    const admitted = limiter(beginsAtMs + sentMs + roundTripMs / 2);
    const firstByteMs = sentMs + roundTripMs + (entries.length % 2) * slowerMs;
    const endMs = firstByteMs;
    const status = admitted ? 200 : refusedStatus;
    entries.push({ phase, operation, sentMs, firstByteMs, endMs, status, error: '', note: admitted ? '' : '1' });
    return admitted;
  };
  const { operation, siblings } = parameters;
  // As many in flight as there are VUs.
  const gap = roundTripMs / parameters.vus;
  for (let i = 0; i < parameters.limit; i += 1) send('burst', operation, parameters.burstAtMs + i * gap);
  let at = Math.max(parameters.overAtMs, parameters.burstAtMs + parameters.limit * gap);
  for (
    let sent = 0, refused = 0;
    sent < parameters.vus * parameters.overCap && refused < parameters.vus * parameters.overRefusals;
    sent += 1, at += gap
  ) {
    if (refused > 0 && siblingsEarly && siblings[0]) send('sibling', siblings[0], at);
    if (!send('over', operation, at)) refused += 1;
  }
  for (const sibling of siblings) for (let i = 0; i < 10; i += 1, at += gap) send('sibling', sibling, at);
  for (const ms of pollTimes(parameters.recovery)) send('recovery', operation, ms);
  const inTurn = [operation, ...siblings];
  steady(parameters.pace, (ms, index) => send('pace', inTurn[index % inTurn.length] ?? operation, ms));
  const overMost = parameters.vus * parameters.overCap;
  const untilRefused = (phase: string, fromMs: number, most = overMost) => {
    let refusedInRow = 0;
    for (let sent = 0; sent < most && refusedInRow < parameters.vus; sent += 1) {
      if (!send(phase, operation, fromMs + sent * gap)) refusedInRow += 1;
    }
  };
  if (parameters.again) {
    const { atMs, echoAtMs, returns } = parameters.again;
    untilRefused('again', atMs, parameters.limit + overMost);
    const poll = () =>
      untilAdmitted(returns ?? { fromMs: 0, periodMs: 1, untilMs: 0 }, (ms) => send('return', operation, ms));
    const overAtMs = returns && returns.fromMs < echoAtMs ? poll() + gap : undefined;
    untilRefused('echo', overAtMs ?? echoAtMs);
    if (overAtMs === undefined) poll();
  }
  if (queued !== undefined) {
    const span = { fromMs: parameters.recovery.fromMs, periodMs: 500, untilMs: parameters.pace.untilMs };
    steady(span, (sentMs) => {
      const endMs = sentMs + roundTripMs;
      const note = String(queued);
      const times = { sentMs, firstByteMs: endMs, endMs };
      entries.push({ phase: 'watch', operation: 'health', ...times, status: 200, error: '', note });
    });
  }
  const zeroMs = 1e12 + beginsAtMs;
  const marks = [
    encodeMark({ mark: 'start', wallMs: zeroMs, monotonicMs: 0 }),
    encodeMark({ mark: 'end', wallMs: zeroMs + parameters.pace.untilMs, monotonicMs: parameters.pace.untilMs }),
  ];
  return [marks[0], ...entries.map(encodeEntry), marks[1], ''].join('\n');
}

function steady(
  schedule: { readonly fromMs: number; readonly periodMs: number; readonly untilMs: number },
  send: (atMs: number, index: number) => void,
): void {
  for (let index = 0, at = schedule.fromMs; at < schedule.untilMs; index += 1, at += schedule.periodMs) send(at, index);
}

/** Returns when that was over. */
function untilAdmitted(polls: Span, send: (atMs: number) => boolean): number {
  for (let slot = 0; slot < slots(polls); slot += 1) if (send(slotAt(polls, slot))) return slotAt(polls, slot);
  return polls.untilMs;
}
