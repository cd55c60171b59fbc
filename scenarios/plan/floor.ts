/**
 * The least time that a load can take on the fastest target there is: what the windows of the limits force, however
 * cleverly everything else is put beside it. Nothing that a sender or a target takes is in it.
 */
import type { LimitTable, RateLimit } from '../../schemas/limits.ts';
import { isSmall } from '../kinds/rate/timeline.ts';
import type { Resource } from '../probe.ts';
import type { PlannedProbe } from './types.ts';

/**
 * The longest chain of waits over one budget, ms. Rate probes of different budgets wait side by side; on one budget
 * they wait one after the other, after whatever has to fill a queue at its rate, and after whatever else the probes send
 * on a small budget, window by window.
 */
export function floorOf(probes: readonly PlannedProbe[], table: LimitTable): number {
  const chains = new Map<Resource, number>();
  for (const probe of probes.filter(({ parameters }) => parameters.kind === 'rate')) {
    for (const budget of probe.exclusive) chains.set(budget, (chains.get(budget) ?? 0) + probe.floorMs);
  }
  const jobs = probes.reduce((sum, { parameters }) => sum + (parameters.kind === 'queue' ? parameters.border : 0), 0);
  chains.set('budget:run', (chains.get('budget:run') ?? 0) + fillFloor(jobs, table));
  for (const limit of table.of('requests').filter(isSmall)) {
    const budget: Resource = `budget:${limit.budget}`;
    chains.set(budget, (chains.get(budget) ?? 0) + windowsBefore(probes, limit));
  }
  const others = probes.filter(({ parameters }) => parameters.kind !== 'queue').map(({ floorMs }) => floorMs);
  return Math.round(Math.max(0, ...chains.values(), ...others));
}

/** From the first window to the last one that what the probes send within this limit fills, ms. */
function windowsBefore(probes: readonly PlannedProbe[], { budget, value, windowMs }: RateLimit): number {
  const sent = probes
    .filter(({ startsIdle }) => !startsIdle)
    .reduce((sum, { spends, usually = spends }) => sum + (usually[budget] ?? 0), 0);
  return Math.max(0, Math.ceil(sent / value) - 1) * windowMs;
}

/** What one window takes can be filled at once; what is beyond it has to wait at the rate limit. */
function fillFloor(jobs: number, table: LimitTable): number {
  const rate = table.find('requests', 'run');
  return rate ? (Math.max(0, jobs - rate.value) * rate.windowMs) / rate.value : 0;
}
