/**
 * Whether a check's facts turn its vitest test red. The report's verdicts are derived elsewhere, and with more care.
 */
import type { CheckFacts } from '../../schemas/facts.ts';

/** What is wrong, a line per expectation that does not hold, or null. Observed checks are never wrong. */
export function complaint({ id, level, outcome }: CheckFacts): string | null {
  if (outcome.kind === 'error') return `${id}: ${outcome.message}`;
  if (outcome.kind !== 'ran' || level === 'observed') return null;
  const broken = outcome.expectations.filter((one) => !one.holds);
  if (broken.length === 0) return null;
  return broken.map((one) => `${id}: ${one.what}: expected ${one.expected}, observed ${one.observed}`).join('\n');
}
