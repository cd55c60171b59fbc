/**
 * The part of a plan that runs a second time, because the first time decided nothing: a stall of this machine or of the
 * target seldom comes twice. A failed check is never retried.
 */
import { layOut } from './lay-out.ts';
import type { LoadPlan } from './types.ts';

/** Suffix of the id of a probe that is retried. */
const RETRY = '.retry';

/**
 * The probes that answer one of the `open` checks and none of the `settled` ones, and can be sent again, with a new schedule; null where there
 * are none. Their ids differ from those of the first time, so that both ledgers are kept.
 */
export function repeatOf(plan: LoadPlan, open: ReadonlySet<string>, settled: ReadonlySet<string>): LoadPlan | null {
  const answers = (checkIds: readonly string[], some: ReadonlySet<string>) => checkIds.some((id) => some.has(id));
  const chosen = plan.probes.filter(
    ({ checkIds, leavesQueue }) => !leavesQueue && answers(checkIds, open) && !answers(checkIds, settled),
  );
  if (chosen.length === 0) return null;
  const again = chosen.map((probe) => ({
    ...probe,
    id: probe.id + RETRY,
    title: `${probe.title}, retry`,
    parameters: probe.retry ?? probe.parameters,
  }));
  return { ...plan, ...layOut(again, plan.table), unobservable: [] };
}
