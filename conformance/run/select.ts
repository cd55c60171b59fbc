/**
 * Which checks a run executes, and in which rounds: first a few that are sensitive to other jobs, together with those
 * that have no jobs; then all others that may run side by side, then those that run alone. What is only recorded comes
 * after all that is judged: odd requests are among it, and a service that they break is broken for the others as well.
 */
import { documentedTable, isSmall } from '../../schemas/limits.ts';
import { matchesOnly } from '../../schemas/only.ts';
import type { Check } from '../check.ts';

export interface Rounds {
  /** One after the other. */
  readonly first: readonly Check[];
  /** At the same time: checks without jobs. */
  readonly beside: readonly Check[];
  readonly together: readonly Check[];
  readonly alone: readonly Check[];
  /** At the same time. */
  readonly recorded: readonly Check[];
  /** One after the other. */
  readonly last: readonly Check[];
}

export function selected(checks: readonly Check[], only: readonly string[]): readonly Check[] {
  return checks.filter((one) => matchesOnly(only, one.id));
}

/** Where time is virtual it is one for all: a check that waits would age the jobs of the others, so each runs alone. */
export function roundsOf(checks: readonly Check[], virtual: boolean): Rounds {
  const last = checks.filter((one) => one.last === true);
  const others = checks.filter((one) => one.last !== true);
  if (virtual) return { first: [], beside: [], together: [], alone: others, recorded: [], last };
  const alone = others.filter((one) => one.alone === true);
  const first = alone.filter((one) => one.first === true);
  const sideBySide = others.filter((one) => one.alone !== true);
  const isRecorded = (one: Check): boolean => one.level === 'observed';
  const together = sideBySide.filter((one) => !isRecorded(one));
  const isBeside = (one: Check): boolean => first.length > 0 && one.on === 'inference';
  return {
    first,
    beside: together.filter(isBeside),
    together: inOrder(together.filter((one) => !isBeside(one))),
    alone: alone.filter((one) => one.first !== true),
    recorded: inOrder(sideBySide.filter(isRecorded)),
    last,
  };
}

/** Begins with what spends a small limit, which then has room again when the load comes. */
function inOrder(checks: readonly Check[]): readonly Check[] {
  const small = documentedTable.of('requests').filter(isSmall);
  const operations = small.flatMap((limit) => limit.operations);
  const spendsSmall = ({ id }: Check): boolean => operations.some((operation) => id.startsWith(`${operation}.`));
  const rankOf = (one: Check): number => (spendsSmall(one) ? 0 : one.early === true ? 1 : 2);
  return [...checks].sort((a, b) => rankOf(a) - rankOf(b));
}

/** How many checks run side by side; enough that waiting overlaps, few enough to leave the workers room. */
export const SIDE_BY_SIDE = 12;
