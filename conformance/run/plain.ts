/** Runs checks in this process without a test runner: for the suite's own tests, which judge many small services. */
import type { CheckFacts } from '../../schemas/facts.ts';
import type { Check } from '../check.ts';
import { type Execution, execute } from '../execute.ts';
import { roundsOf, SIDE_BY_SIDE } from './select.ts';

/** Facts in the order of the checks. Rejects with the signal's reason when interrupted. */
export async function runPlain(checks: readonly Check[], execution: Execution): Promise<CheckFacts[]> {
  const facts = new Map<string, CheckFacts>();
  const one = async (check: Check): Promise<void> => {
    facts.set(check.id, await execute(check, execution));
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
  const { first, beside, together, alone } = roundsOf(checks, execution.target.virtual);
  const firstOnes = inTurn(first);
  const mayCrowd = Promise.race([firstOnes, execution.target.crowd.opened]);
  await Promise.all([
    firstOnes,
    sideBySide(beside)
      .then(() => mayCrowd)
      .then(() => sideBySide(together)),
  ]);
  await inTurn(alone);
  return checks.flatMap((check) => facts.get(check.id) ?? []);
}
