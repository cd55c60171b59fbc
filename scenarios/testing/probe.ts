/** A planned probe that sends nothing, with the values that a test gives it. */
import type { PlannedProbe } from '../plan/types.ts';

export function probe(id: string, more: Partial<PlannedProbe> = {}): PlannedProbe {
  return {
    id,
    title: id,
    checkIds: [],
    parameters: {
      kind: 'unlimited',
      instId: 'a',
      operation: 'health',
      vus: 1,
      periodMs: 1,
      durationMs: 1,
      windowMs: 1,
    },
    requests: 1,
    bytes: 1,
    estimateMs: 1000,
    floorMs: 0,
    exclusive: [],
    shared: [],
    spends: {},
    startsIdle: false,
    sender: 'k6',
    ...more,
  };
}
