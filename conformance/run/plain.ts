/** Runs checks: which after which, how many at a time, and until when. Every runner of them does it by this. */
import { setImmediate } from 'node:timers/promises';
import type { CheckFacts } from '../../schemas/facts.ts';
import type { Check } from '../check.ts';
import { type Execution, execute } from '../execute.ts';
import { roundsOf, SIDE_BY_SIDE } from './select.ts';

/** What is wrong, a line per expectation that does not hold, or null. Observed checks are never wrong. */
export function complaint({ id, level, outcome }: CheckFacts): string | null {
  if (outcome.kind === 'error') return `${id}: ${outcome.message}`;
  if (outcome.kind !== 'ran' || level === 'observed') return null;
  const broken = outcome.expectations.filter((one) => !one.holds);
  if (broken.length === 0) return null;
  return broken.map((one) => `${id}: ${one.what}: expected ${one.expected}, observed ${one.observed}`).join('\n');
}

/**
 * Facts in the order of the checks. Rejects with the signal's reason when interrupted, once every check that was
 * running has cleaned up.
 *
 * @param report gets the facts of each check as soon as it has ended
 */
export async function runPlain(
  checks: readonly Check[],
  execution: Execution,
  report: (facts: CheckFacts) => void = () => {},
): Promise<CheckFacts[]> {
  const facts = new Map<string, CheckFacts>();
  const running = new Set<Promise<unknown>>();
  const one = async (check: Check): Promise<void> => {
    const executed = execute(check, execution);
    running.add(executed);
    const found = await executed.finally(() => running.delete(executed));
    facts.set(check.id, found);
    report(found);
    // On a virtual clock nothing else gets a turn otherwise, so the run could not be stopped. Where many checks in a
    // row send nothing, it would take the run to be over and jump to the end of a job of days, so read the time.
    await setImmediate();
    execution.target.clock.now();
  };
  const inTurn = async (some: readonly Check[]): Promise<void> => {
    for (const check of some) await one(check);
  };
  const sideBySide = async (some: readonly Check[]): Promise<void> => {
    const waiting = some[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const check of waiting) await one(check);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  };
  const { first, beside, together, alone, recorded, last } = roundsOf(checks, execution.target.virtual);
  try {
    const firstOnes = inTurn(first);
    const mayCrowd = Promise.race([firstOnes, execution.target.crowd.opened]);
    await Promise.all([
      firstOnes,
      sideBySide(beside)
        .then(() => mayCrowd)
        .then(() => sideBySide(together)),
    ]);
    await inTurn(alone);
    await sideBySide(recorded);
    await inTurn(last);
  } finally {
    await Promise.allSettled(running);
  }
  return checks.flatMap((check) => facts.get(check.id) ?? []);
}
