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
 * they wait one after the other, after whatever has to fill a queue, and after whatever else the probes send on a small
 * budget, window by window.
 */
export function floorOf(probes: readonly PlannedProbe[], table: LimitTable): number {
  const chains = new Map<Resource, number>();
  for (const probe of probes.filter(({ parameters }) => parameters.kind === 'rate')) {
    for (const budget of probe.exclusive) chains.set(budget, (chains.get(budget) ?? 0) + probe.floorMs);
  }
  const jobs = probes.reduce((sum, { parameters }) => sum + (parameters.kind === 'queue' ? parameters.border : 0), 0);
  const run = table.find('requests', 'run');
  if (run) chains.set('budget:run', (chains.get('budget:run') ?? 0) + windowsBefore(jobs, run));
  for (const limit of table.of('requests').filter(isSmall)) {
    const budget: Resource = `budget:${limit.budget}`;
    chains.set(budget, (chains.get(budget) ?? 0) + windowsBefore(sentWithin(probes, limit), limit));
  }
  const others = probes.filter(({ parameters }) => parameters.kind !== 'queue').map(({ floorMs }) => floorMs);
  return Math.round(Math.max(0, ...chains.values(), ...others));
}

function sentWithin(probes: readonly PlannedProbe[], { budget }: RateLimit): number {
  const modest = probes.filter(({ startsIdle }) => !startsIdle);
  return modest.reduce((sum, { spends, usually = spends }) => sum + (usually[budget] ?? 0), 0);
}

/** From the first window to the last one that so many requests fill, by a client that keeps the limit in any window, ms. */
const windowsBefore = (sent: number, { value, windowMs }: RateLimit): number =>
  Math.max(0, Math.ceil(sent / value) - 1) * windowMs;
