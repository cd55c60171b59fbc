/** The latency of a probe's paced phases beside the facts of its limit: the same ledger, read for another question. */
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import { pacedPhases, schedulesOf } from '../analysis/latency.ts';
import type { Probe } from '../probe.ts';

export function withPaced({ parameters }: Probe, ledger: Ledger, facts: LoadFacts): LoadFacts {
  if (facts.kind !== 'rate' && facts.kind !== 'unlimited') return facts;
  const schedules = schedulesOf(parameters);
  return schedules.length === 0 ? facts : { ...facts, paced: pacedPhases(ledger.rows, schedules) };
}
