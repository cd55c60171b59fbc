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
  const { first, together, alone } = roundsOf(checks, execution.target.virtual);
  for (const check of first) await one(check);
  const waiting = together[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const check of waiting) await one(check);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  for (const check of alone) await one(check);
  return checks.flatMap((check) => facts.get(check.id) ?? []);
}
