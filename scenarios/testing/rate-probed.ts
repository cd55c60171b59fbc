/**
 * A rate probe from its plan to its facts, against an ideal limiter and in no time: sent, and sent once more where the
 * first time left something open.
 */
import type { RateFacts } from '../../schemas/facts.ts';
import { decodeLedger } from '../../schemas/ledger.ts';
import type { RateLimit } from '../../schemas/limits.ts';
import { analyseRate, needsConfirmation, wantsWhole } from '../analysis/index.ts';
import { rateTimes, secondTime } from '../plan/timeline.ts';
import type { RateParameters } from '../probe.ts';
import { placeOf } from '../run/second-burst.ts';
import { type Limiter, rateParameters, type SimulationOptions, simulateRate } from './rate-simulation.ts';

/** The schedule that the planner makes for a limit on a quick target. */
export function plannedFor({ limit, windowMs }: Pick<RateParameters, 'limit' | 'windowMs'>): Partial<RateParameters> {
  const vus = limit <= 10 ? 1 : Math.min(50, Math.ceil(limit / 10));
  const overCap = Math.ceil((limit + Math.max(5, limit * 0.05)) / vus);
  const times = rateTimes({ limit, windowMs, burstMs: limit * 0.5, paceWindows: 2 });
  return { vus, overCap, overRefusals: vus === 1 ? 5 : 2, ...times };
}

/** The probe of a row of the limits table. */
export function probeOf(row: RateLimit, changes: Partial<RateParameters> = {}, roundTripMs?: number): RateParameters {
  const [operation = 'run', ...siblings] = row.operations;
  return rateParameters(row.value, row.windowMs, { limitId: row.id, operation, siblings, ...changes }, roundTripMs);
}

/** How far into the limiter's clock a second probe begins, windows: right behind the first, as in a run. */
const LATER_WINDOWS = 5;

/**
 * @param limiter a new one for each time it is asked
 * @param later what is different the second time
 */
export function probed(
  parameters: RateParameters,
  limiter: () => Limiter,
  options: SimulationOptions = {},
  later: SimulationOptions = {},
): RateFacts {
  const { windowMs, burstAtMs } = parameters;
  const text = simulateRate(parameters, limiter(), options);
  const first = analyseRate(parameters, text, 0);
  if (!needsConfirmation(first)) return first;
  const phaseMs = (placeOf(decodeLedger(text), windowMs)?.phaseMs ?? 0) - SIMULATED_ZERO_MS - burstAtMs;
  const again = secondTime(parameters, wantsWhole(first));
  const { queued: _, ...others } = options;
  const second = { ...others, ...later, beginsAtMs: phaseMs + LATER_WINDOWS * windowMs };
  return analyseRate(parameters, text, 0, simulateRate(again, limiter(), second));
}

/** The wall clock at the limiter's zero. */
const SIMULATED_ZERO_MS = 1e12;
