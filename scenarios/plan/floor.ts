/**
 * The least time that a load can take on the fastest target there is: what the windows of the limits force, however
 * cleverly everything else is put beside it. Nothing that a sender or a target takes is in it.
 */
import type { LimitTable } from '../../schemas/limits.ts';
import type { QueueParameters, Resource } from '../probe.ts';
import type { PlannedProbe } from './types.ts';

/**
 * The longest chain of waits over one budget, ms. Rate probes of different budgets wait side by side; on one budget
 * they wait one after the other, and after whatever has to fill a queue at its rate. Queues of several endpoints are
 * filled with the same budget, but whatever else they wait for they wait for together.
 */
export function floorOf(probes: readonly PlannedProbe[], table: LimitTable): number {
  const chains = new Map<Resource, number>();
  for (const probe of probes.filter(({ parameters }) => parameters.kind === 'rate')) {
    for (const budget of probe.exclusive) chains.set(budget, (chains.get(budget) ?? 0) + probe.floorMs);
  }
  const queues = probes.flatMap(({ parameters, floorMs }) =>
    parameters.kind === 'queue' ? [queueFloor(parameters, floorMs, table)] : [],
  );
  if (queues.length > 0) {
    const fillMs = queues.reduce((sum, one) => sum + one.fillMs, 0);
    const run = (chains.get('budget:run') ?? 0) + fillMs + Math.max(...queues.map(({ restMs }) => restMs));
    chains.set('budget:run', run);
  }
  const others = probes.filter(({ parameters }) => parameters.kind !== 'queue').map(({ floorMs }) => floorMs);
  return Math.round(Math.max(0, ...chains.values(), ...others));
}

/** Filling it exactly at the rate limit, and whatever else the probe waits for. */
function queueFloor({ border, periodMs }: QueueParameters, floorMs: number, table: LimitTable) {
  const rate = table.find('requests', 'run');
  return {
    fillMs: rate ? (border * rate.windowMs) / rate.value : 0,
    restMs: Math.max(0, floorMs - Math.ceil(border * periodMs)),
  };
}
