/** Which of the configured endpoints a probe uses. */
import { type LimitTable, type QueueLimit, queueBorder } from '../../schemas/limits.ts';
import type { EndpointConfig, TargetConfig } from '../../schemas/target.ts';
import { type Speed, workersAtLeast } from './assumptions.ts';
import type { PlanContext } from './context.ts';

/**
 * Best first: one whose workers do finish jobs, a dedicated one (a refusal there cannot be another client's doing), and
 * then the one with the most workers. Configured order decides between equals.
 */
export function byFitness(target: TargetConfig, speed: Speed): readonly EndpointConfig[] {
  const rank = (one: EndpointConfig) => [
    workersAtLeast(one, speed) > 0 ? 1 : 0,
    one.dedicated ? 1 : 0,
    workersAtLeast(one, speed),
  ];
  return [...target.endpoints].sort((a, b) => compare(rank(b), rank(a)));
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    if (value !== other) return value - other;
  }
  return 0;
}

/** The row of the queue rule; run and runsync have the same numbers. Throws when the limits table has none. */
export function queueRule(table: LimitTable): QueueLimit {
  const limit = table.find('queue', 'run');
  if (!limit) throw new Error('the limits table has no queue rule for run');
  return limit;
}

/** The largest queue at which this endpoint surely refuses nothing, jobs. */
export function borderOf(endpoint: EndpointConfig, { table, speed }: Pick<PlanContext, 'table' | 'speed'>): number {
  return queueBorder(queueRule(table), workersAtLeast(endpoint, speed));
}

/** The smallest WorkersMax whose queue holds this many jobs without a refusal. */
export function workersForQueue(jobs: number, table: LimitTable): number {
  let workers = 0;
  while (queueBorder(queueRule(table), workers) < jobs) workers += 1;
  return workers;
}
