/**
 * How long jobs really stay, from the looks at them while they aged: between the greatest age at which one was surely
 * still there and the least at which one was surely gone. When a job ended is an interval itself, so its age is counted
 * from the late end of it for the one and from the early end for the other.
 */
import type { RetentionPicture } from '../../../schemas/facts.ts';
import type { RetentionLimit } from '../../../schemas/limits.ts';
import type { ResultLimit } from '../../../schemas/results.ts';
import { lossesOf, type RetentionFacts } from '../../../schemas/retention.ts';
import type { Measured } from '../../verdicts/measure.ts';

type Row = Pick<ResultLimit, 'documented' | 'measured' | 'pictures'>;

/** Ages of jobs that nobody had asked for in between, ms: when they were there, and when they were gone for their age. */
function agesOf(facts: RetentionFacts): { readonly there: readonly number[]; readonly gone: readonly number[] } {
  const untouched = facts.jobs.filter((job) => job.untouched);
  const there = untouched.flatMap(({ endedToMs, looks }) =>
    endedToMs === null
      ? []
      : looks.flatMap((look) => (look.answer === 'there' ? [Math.max(0, look.sentMs - endedToMs)] : [])),
  );
  const losses = lossesOf(facts).filter(({ job, proven }) => proven && job.untouched);
  return { there, gone: losses.map(({ ageMs }) => ageMs) };
}

/** ms after completion; `upper` is null where none was gone for its age while they were watched. */
export function measureRetention(facts: RetentionFacts): Measured | null {
  const { there, gone } = agesOf(facts);
  if (there.length === 0) return null;
  const oldest = Math.floor(Math.max(...there));
  if (gone.length === 0) return { lower: oldest, upper: null };
  const youngest = Math.ceil(Math.min(...gone));
  // Where some jobs are kept for longer than others, the times of all lie between the two.
  return { lower: Math.min(oldest, youngest), upper: Math.max(oldest, youngest) };
}

/** What the row of a retention says, from the watch of its jobs; nothing measured where there was none. */
export function describeRetention(limit: RetentionLimit, watches: readonly RetentionFacts[]): Row {
  const documented = { value: limit.value };
  const facts = watches.find((one) => one.limitId === limit.id);
  if (!facts) return { documented, measured: null };
  const { there, gone } = agesOf(facts);
  const looks = [
    ...there.map((ageMs) => ({ ageMs: Math.round(ageMs), gone: false })),
    ...gone.map((ageMs) => ({ ageMs: Math.round(ageMs), gone: true })),
  ];
  const picture: RetentionPicture = {
    kind: 'retention',
    documentedMs: limit.value,
    looks: looks.sort((a, b) => a.ageMs - b.ageMs),
  };
  return { documented, measured: measureRetention(facts), pictures: [picture] };
}
