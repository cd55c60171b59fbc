/**
 * The load once more, where the first time decided nothing: a stall of a machine seldom comes twice, and whoever reads
 * the report in the morning can't ask again. What failed is never asked again, and nothing is asked a third time.
 */
import { isEstimate, judge } from '../../reports/verdicts/index.ts';
import { type LoadInput, type LoadPlan, repeatOf, runLoad } from '../../scenarios/index.ts';
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import type { RunRecord } from './record.ts';

/** What the record leaves open of this plan, as a plan of its own; null where there is nothing to be asked again. */
export function openPart(plan: LoadPlan, record: RunRecord): LoadPlan | null {
  const { target, table } = plan;
  const { checks } = judge({
    checkFacts: [],
    loadFacts: record.loadFacts,
    declaredLoad: record.declaredLoad,
    endpoints: target.endpoints,
    table,
  });
  const withVerdict = (...verdicts: readonly Verdict[]) =>
    new Set(checks.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id));
  const open = withVerdict('inconclusive');
  for (const id of seenTwice(record.loadFacts)) open.delete(id);
  return repeatOf(plan, open, withVerdict('fail', 'error'));
}

/** A counter estimates each time, and its second burst has been seen. */
const seenTwice = (facts: readonly LoadFacts[]): string[] =>
  facts.flatMap((one) =>
    one.kind === 'rate' && one.confirmation && isEstimate(one) ? [`${one.limitId}.guarantee`] : [],
  );

/** Of every budget all that it allows: which of them the last probes left untouched is not worth a window's risk. */
function spentJustNow({ table }: LoadPlan): NonNullable<LoadInput['spentBefore']>[number] {
  const all = table.of('requests').map(({ budget, value }) => [budget, value]);
  return { agoMs: 0, spends: Object.fromEntries(all) };
}

/** Adds to the record what the second time shows. @param load what the first time was carried out with */
export async function askAgain(load: LoadInput, record: RunRecord): Promise<void> {
  const plan = openPart(load.plan, record);
  if (plan === null || load.signal.aborted) return;
  record.announcedAgain = { requests: plan.requests, bytes: plan.bytes };
  const { inIdle: _, ...input } = load;
  const title = 'load: once more what was inconclusive';
  record.loadFactsAgain.push(...(await runLoad({ ...input, plan, title, spentBefore: [spentJustNow(plan)] })));
}
