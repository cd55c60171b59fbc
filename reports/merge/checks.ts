/**
 * The same check out of several runs -> one. What was seen wrong in any of them stays, and so does a fault of ours. But a
 * run that did not decide a check, or was stopped before it, takes nothing from another that did: as within a run, where
 * what is inconclusive is asked once more.
 */
import type { ResultCheck } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { worstFirst } from '../severity.ts';

const undecided: ReadonlySet<Verdict> = new Set(['inconclusive', 'not-observable', 'skipped']);
const isOpen = ({ verdict }: ResultCheck): boolean => undecided.has(verdict);

function mergeCheck(all: readonly ResultCheck[]): ResultCheck | undefined {
  const decided = all.filter((check) => !isOpen(check));
  const [counting] = worstFirst(decided.length > 0 ? decided : all);
  const open = decided.length > 0 ? all.find(({ verdict }) => verdict === 'inconclusive') : undefined;
  if (!counting) return undefined;
  const left = [...new Set(all.flatMap(({ leftBehind = [] }) => leftBehind))];
  return {
    ...counting,
    ...(open && counting.firstTime === undefined ? { firstTime: open.reason ?? open.observed } : {}),
    ...(left.length > 0 ? { leftBehind: left } : {}),
  };
}

/** In the order in which they first appear. */
export function mergeChecks(runs: readonly (readonly ResultCheck[])[]): ResultCheck[] {
  const byId = new Map<string, ResultCheck[]>();
  for (const check of runs.flat()) byId.set(check.id, [...(byId.get(check.id) ?? []), check]);
  return [...byId.values()].flatMap((all) => mergeCheck(all) ?? []);
}
