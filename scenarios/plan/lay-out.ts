/** Probes put into their order: when each runs, and what all of them cost. The same for a whole plan and a part of one. */
import type { LimitTable } from '../../schemas/limits.ts';
import type { BudgetId } from '../../schemas/operations.ts';
import { type Finished, schedule } from '../schedule.ts';
import { totalOf } from './counts.ts';
import { floorOf } from './floor.ts';
import { arrange } from './stages.ts';
import type { LoadPlan, PlannedProbe, Spending } from './types.ts';

type LaidOut = Pick<LoadPlan, 'probes' | 'stages' | 'schedule' | 'requests' | 'bytes' | 'durationMs' | 'floorMs'>;

export function layOut(planned: readonly PlannedProbe[], table: LimitTable, before?: readonly Finished[]): LaidOut {
  const stages = arrange(planned, table, before);
  const probes = stages.flat();
  const entries = schedule(stages, table, { before });
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

/** What was spent that lately is counted together; a little late at most. */
const MOMENT_MS = 1000;

/** The same plan in the order that is best after what was really spent right before. */
export function arrangedAfter(
  plan: LoadPlan,
  spentBefore: readonly { readonly agoMs: number; readonly spends: Spending }[],
): LoadPlan {
  const before = spentBefore.map(({ agoMs, spends }) => ({
    spends,
    endMs: -Math.floor(agoMs / MOMENT_MS) * MOMENT_MS,
  }));
  return { ...plan, ...layOut(plan.probes, plan.table, joined(before)) };
}

/** One entry for each moment. */
function joined(all: readonly Finished[]): Finished[] {
  const moments = new Map<number, Map<BudgetId, number>>();
  for (const { endMs, spends } of all) {
    const sums = moments.get(endMs) ?? new Map<BudgetId, number>();
    moments.set(endMs, sums);
    for (const [budget, count = 0] of Object.entries(spends) as [BudgetId, number][]) {
      sums.set(budget, (sums.get(budget) ?? 0) + count);
    }
  }
  return [...moments].map(([endMs, sums]) => ({ endMs, spends: Object.fromEntries(sums) }));
}
