/** Probes put into their order: when each runs, and what all of them cost. The same for a whole plan and a part of one. */
import type { LimitTable } from '../../schemas/limits.ts';
import { schedule } from '../schedule.ts';
import { totalOf } from './counts.ts';
import { floorOf } from './floor.ts';
import { arrange } from './stages.ts';
import type { LoadPlan, PlannedProbe } from './types.ts';

type LaidOut = Pick<LoadPlan, 'probes' | 'stages' | 'schedule' | 'requests' | 'bytes' | 'durationMs' | 'floorMs'>;

export function layOut(planned: readonly PlannedProbe[], table: LimitTable): LaidOut {
  const stages = arrange(planned, table);
  const probes = stages.flat();
  const entries = schedule(stages, table);
  return {
    probes,
    stages: stages.map((gang) => ({ probeIds: gang.map((probe) => probe.id) })),
    schedule: entries,
    requests: totalOf(probes, 'requests'),
    bytes: totalOf(probes, 'bytes'),
    durationMs: Math.max(0, ...entries.map((entry) => entry.endMs)),
    floorMs: floorOf(probes, table),
  };
}
