/** Probes put into their order: when each runs, and what all of them cost. The same for a whole plan and a part of one. */
import type { LimitTable } from '../../schemas/limits.ts';
import type { BudgetId } from '../../schemas/operations.ts';
import { type Finished, type Gang, schedule } from '../schedule.ts';
import { totalOf } from './counts.ts';
import { floorOf } from './floor.ts';
import { type Arranging, arrange, arranging } from './stages.ts';
import type { LoadPlan, PlannedProbe, Spending } from './types.ts';

type LaidOut = Pick<LoadPlan, 'probes' | 'stages' | 'schedule' | 'requests' | 'bytes' | 'durationMs' | 'floorMs'>;

export function layOut(planned: readonly PlannedProbe[], table: LimitTable, how: Arranging = {}): LaidOut {
  return laidOut(arrange(planned, table, how), table, how.before);
}

function laidOut(stages: readonly Gang[], table: LimitTable, before?: readonly Finished[]): LaidOut {
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

/** Looks while the contract is checked, and the pause between two, which leaves the machine to those that are asked. */
const LOOKS_MEANWHILE = 2500;
const PAUSE_MS = 3;
/** Looks at orders once it is known what was spent before: the load waits for them. */
const LOOKS_AGAIN = 120;

/** Looks for a better order while something else goes on. The result ends it: the same plan in the best order so far. */
export function arrangeMeanwhile(plan: LoadPlan): () => LoadPlan {
  const arrangement = arranging(plan.probes, plan.table, { looks: LOOKS_MEANWHILE });
  const timer = setInterval(() => {
    if (!arrangement.look()) clearInterval(timer);
  }, PAUSE_MS);
  return () => {
    clearInterval(timer);
    return { ...plan, ...laidOut(arrangement.gangs, plan.table) };
  };
}

/** What was spent that lately is counted together; a little late at most. */
const MOMENT_MS = 1000;

/** The same plan in an order that is better after what was really spent right before. */
export function arrangedAfter(
  plan: LoadPlan,
  spentBefore: readonly { readonly agoMs: number; readonly spends: Spending }[],
): LoadPlan {
  const before = spentBefore.map(({ agoMs, spends }) => ({
    spends,
    endMs: -Math.floor(agoMs / MOMENT_MS) * MOMENT_MS,
  }));
  const how = { before: joined(before), looks: LOOKS_AGAIN, again: true };
  return { ...plan, ...layOut(plan.probes, plan.table, how) };
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
