/**
 * Why it may prove nothing that a job is gone: everything may have been lost at once. A job that was forgotten for its
 * age is told from such by others that lived (see schemas/retention.ts).
 */
import { type Loss, lossesOf, type RetentionFacts } from '../../../schemas/retention.ts';
import type { Aging } from './aging.ts';

const WIPED = 'jobs of every age were deleted at the same time, as after a restart of the target';

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const words = ({ fromMs, toMs }: Loss): string =>
  `${WIPED}: between ${seconds(fromMs)} and ${seconds(toMs)} after the first was submitted`;

/**
 * The doubt about a job, or null where there is none; asked about no job, that about those that were gone too early.
 *
 * @param all the jobs of the facts, in their order
 */
export function doubtsOf(facts: RetentionFacts, all: readonly Aging[]): (one?: Aging) => string | null {
  const losses = lossesOf(facts);
  const early = losses.filter(({ ageMs }) => ageMs < facts.documentedMs);
  return (one) => {
    const own = one && facts.jobs[all.indexOf(one)];
    const loss = own ? losses.find(({ job }) => job === own) : early.find(({ proven }) => !proven);
    const settled = own ? loss?.proven : early.some(({ proven }) => proven);
    return loss && !settled ? words(loss) : null;
  };
}
