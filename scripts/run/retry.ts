/**
 * A retry where the first time decided nothing: a stall of a machine seldom comes twice, and a reader of the report in
 * the morning can't retry. A failed check is never retried, and none a second time.
 */
import { setTimeout } from 'node:timers/promises';
import { type ConformanceInput, type ContractRun, runConformance } from '../../conformance/index.ts';
import { inAll } from '../../reports/counts.ts';
import { judge } from '../../reports/verdicts/index.ts';
import { type LoadInput, type LoadPlan, repeatOf, runLoad } from '../../scenarios/index.ts';
import type { CheckFacts } from '../../schemas/facts.ts';
import { tableOf } from '../../schemas/limits.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import type { RunRecord } from './record.ts';

/** Longer than a stall that is over the second time, ms: as long as the longest of our requests waits for its answer. */
const STALL_MS = 60_000;

/**
 * What the record leaves open of this plan, as a plan of its own; null where there is nothing to retry, or where the
 * target took so long for it that it would decide as little the second time.
 */
export function openPart(plan: LoadPlan, record: RunRecord, tookMs: number): LoadPlan | null {
  if (tookMs > 2 * plan.durationMs + STALL_MS) return null;
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
  return repeatOf(plan, open, withVerdict('fail', 'error'));
}

/** All of every limit: it makes no difference which of them the last probes left untouched. */
function spentJustNow({ table }: LoadPlan): NonNullable<LoadInput['spentBefore']>[number] {
  const all = table.of('requests').map(({ budget, value }) => [budget, value]);
  return { agoMs: 0, spends: Object.fromEntries(all) };
}

/** Adds the results of the retry to the record. @param load the input of the first time */
export async function retryLoad(load: LoadInput & { beganMs: number }, record: RunRecord): Promise<void> {
  const plan = openPart(load.plan, record, performance.now() - load.beganMs);
  if (plan === null || load.signal.aborted) return;
  record.announcedForRetry = { requests: plan.requests, bytes: plan.bytes };
  const { inIdle: _, ...input } = load;
  const title = 'load: retry of inconclusive checks';
  // What several left open may be because they are several.
  const again = { ...input, plan, title, spentBefore: [spentJustNow(plan)], runners: 1 };
  record.retryFacts.push(...(await runLoad(again)));
}

/** The contract checks that the record leaves inconclusive. */
const openChecks = ({ checkFacts }: RunRecord): readonly CheckFacts[] =>
  checkFacts.filter(({ outcome }) => outcome.kind === 'inconclusive');

/** Until earlier requests count against no limit any more; at once where there is only a virtual clock. */
async function unspent({ target, signal }: ConformanceInput): Promise<void> {
  const windowsMs = tableOf(target)
    .of('requests')
    .map(({ windowMs }) => windowMs);
  if (target.baseUrl === null && target.jobBaseUrl === null) return;
  await setTimeout(Math.max(0, ...windowsMs), undefined, { signal }).catch(() => {});
}

/**
 * Replaces the results of the first time by those of the retry, with the reason of that, for each retried check.
 * Resolves with the requests so recent that they still count; null where there was nothing to retry.
 */
export async function retryContract(input: ConformanceInput, record: RunRecord): Promise<ContractRun['lately'] | null> {
  const open = openChecks(record);
  if (open.length === 0 || input.signal.aborted) return null;
  await unspent(input);
  const title = 'contract checks: retry of inconclusive checks';
  const { facts, traffic, lately } = await runConformance({ ...input, title, only: open.map(({ id }) => id) });
  const again = new Map(facts.map((one) => [one.id, one]));
  const replaced = record.checkFacts.map((first) => {
    const second = again.get(first.id);
    const why = first.outcome.kind === 'inconclusive' ? first.outcome.reason : undefined;
    return second && why !== undefined ? { ...second, firstTime: why } : first;
  });
  record.checkFacts.splice(0, record.checkFacts.length, ...replaced);
  const { announced, sent } = record.contract ?? { announced: inAll(), sent: inAll() };
  record.contract = { announced: inAll(announced, traffic.announced), sent: inAll(sent, traffic.sent) };
  return lately;
}
