/** A rate probe from its plan to its facts, against an ideal limiter and in no time. */
import type { RateFacts } from '../../schemas/facts.ts';
import { decodeLedger } from '../../schemas/ledger.ts';
import type { RateLimit } from '../../schemas/limits.ts';
import { analyseRate } from '../kinds/rate/measure/index.ts';
import type { RateParameters } from '../probe.ts';
import { type Limiter, rateParameters, type SimulationOptions, simulateRate } from './rate-simulation.ts';

/** The probe of a row of the limits table. */
export function probeOf(row: RateLimit, changes: Partial<RateParameters> = {}, roundTripMs?: number): RateParameters {
  const [operation = 'run', ...siblings] = row.operations;
  return rateParameters(row.value, row.windowMs, { limitId: row.id, operation, siblings, ...changes }, roundTripMs);
}

export const probed = (parameters: RateParameters, limiter: Limiter, options: SimulationOptions = {}): RateFacts =>
  analyseRate(parameters, decodeLedger(simulateRate(parameters, limiter, options)), 0);
