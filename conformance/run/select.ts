/** Which checks a run asks, and in which two rounds: those that may run side by side, then those that run alone. */
import { matchesOnly } from '../../schemas/only.ts';
import type { Check } from '../check.ts';

export interface Rounds {
  readonly together: readonly Check[];
  readonly alone: readonly Check[];
}

export function selected(checks: readonly Check[], only: readonly string[]): readonly Check[] {
  return checks.filter((one) => matchesOnly(only, one.id));
}

/** Where time is virtual it is one for all: a check that waits would age the jobs of the others, so each runs alone. */
export function roundsOf(checks: readonly Check[], virtual: boolean): Rounds {
  const first = checks.filter((one) => one.last !== true);
  const alone = (one: Check): boolean => virtual || one.alone === true;
  const last = checks.filter((one) => one.last === true);
  return { together: first.filter((one) => !alone(one)), alone: [...first.filter(alone), ...last] };
}

/** How many checks run side by side; enough that waiting overlaps, few enough to leave the workers room. */
export const SIDE_BY_SIDE = 12;
