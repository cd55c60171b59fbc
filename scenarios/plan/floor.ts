/**
 * The least time that a load can take on the fastest target there is: what the windows of the limits force, however
 * cleverly everything else is put beside it. Nothing that a sender or a target takes is in it. Nor are
 * the parts of a window that are watched behind the pace, without which a log, a window that a request begins and a
 * counter look alike: they take less than a window, and are the schedule's to account for.
 */
import type { LimitTable, RateLimit } from '../../schemas/limits.ts';
import type { QueueParameters, Resource } from '../probe.ts';
import { isSmall } from './timeline.ts';
import type { PlannedProbe } from './types.ts';

/**
 * The longest chain of waits over one budget, ms. Rate probes of different budgets wait side by side; on one budget
 * they wait one after the other, after whatever has to fill a queue at its rate, and after whatever else the probes send
 * on a small budget, window by window. Queues of several endpoints are
 * filled with the same budget, but whatever else they wait for they wait for together.
 */
export function floorOf(probes: readonly PlannedProbe[], table: LimitTable): number {
  const chains = new Map<Resource, number>();
  for (const probe of probes.filter(({ parameters }) => parameters.kind === 'rate')) {
    for (const budget of probe.exclusive) chains.set(budget, (chains.get(budget) ?? 0) + probe.floorMs);
  }
  const queues = probes.flatMap(({ parameters, floorMs }) =>
    parameters.kind === 'queue' ? [{ ...parameters, restMs: restOf(parameters, floorMs) }] : [],
  );
  if (queues.length > 0) {
    const jobs = queues.reduce((sum, { border }) => sum + border, 0);
    const restMs = Math.max(...queues.map((one) => one.restMs));
    chains.set('budget:run', (chains.get('budget:run') ?? 0) + fillFloor(jobs, table) + restMs);
  }
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

/** Whatever a queue probe waits for beside its filling. */
const restOf = ({ border, periodMs }: QueueParameters, floorMs: number): number =>
  Math.max(0, floorMs - Math.ceil(border * periodMs));
