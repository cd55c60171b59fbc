/**
 * What was seen of finished jobs while they aged, and what of it proves anything. A job that is gone before its time
 * may have been forgotten, which is a broken promise, or lost with everything else when the target restarted, which
 * says nothing about how long it keeps jobs. A witness distinguishes the two: a job that the target knew before the
 * other was last seen, and still knew after the other was gone. Pure; shared by the checks that poll and the verdicts.
 */
import type { LimitTable } from './limits.ts';
import type { Submitting } from './operations.ts';

export type Subject = Submitting;

export const subjects: readonly Subject[] = ['run', 'runsync'];

/** How long a finished job is documented to stay available, ms; 0 where the table has no such row. */
export const retentionOf = (table: LimitTable, subject: Subject): number =>
  table.find('retention', subject)?.value ?? 0;

/** One poll of a job. The target answered it at some moment between sending and the end of the response. */
export interface RetentionObservation {
  readonly sentMs: number;
  readonly endMs: number;
  /** `unknown`: no answer, or one that says nothing about the job. */
  readonly answer: 'there' | 'gone' | 'unknown';
}

/** All times of one record are ms since the same moment. */
export interface RetentionJob {
  /** What it was for, e.g. `kept`, `read`, `step 3`. */
  readonly name: string;
  /** There was no request for it between the moment it was seen finished and the poll that counts. */
  readonly untouched: boolean;
  /** Since when the target surely knew it. */
  readonly knownMs: number;
  /** When it ended, at the earliest and at the latest; null where its end was not seen. */
  readonly endedFromMs: number;
  readonly endedToMs: number | null;
  /** In the order they were made. */
  readonly observations: readonly RetentionObservation[];
}

export interface RetentionFacts {
  readonly limitId: string;
  readonly instId: string;
  readonly documentedMs: number;
  readonly jobs: readonly RetentionJob[];
}

/** A job that was not there any more. */
export interface Loss {
  readonly job: RetentionJob;
  /** It was lost after `fromMs` and not later than `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Its age by then, at most. */
  readonly ageMs: number;
  /** That it was forgotten for its age, and not lost together with everything else. */
  readonly proven: boolean;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** While a job was surely known: from its submission to the last time it was seen. */
function presence({ knownMs, observations }: RetentionJob): Span[] {
  const last = observations.findLast(({ answer }) => answer === 'there');
  return last && last.sentMs > knownMs ? [{ fromMs: knownMs, toMs: last.sentMs }] : [];
}

/** Whether the spans leave no moment out between the two. */
function covered({ fromMs, toMs }: Span, spans: readonly Span[]): boolean {
  let reachedMs = fromMs;
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    if (span.fromMs <= reachedMs) reachedMs = Math.max(reachedMs, span.toMs);
  }
  return reachedMs >= toMs;
}

/** The first loss of a job, without what it proves. */
function lossOf(job: RetentionJob): Omit<Loss, 'proven'>[] {
  const index = job.observations.findIndex(({ answer }) => answer === 'gone');
  const gone = job.observations[index];
  if (!gone) return [];
  const before = job.observations.slice(0, index).findLast(({ answer }) => answer === 'there');
  const fromMs = Math.max(before?.sentMs ?? Number.NEGATIVE_INFINITY, job.endedToMs ?? job.knownMs);
  return [{ job, fromMs: Math.min(fromMs, gone.endMs), toMs: gone.endMs, ageMs: gone.endMs - job.endedFromMs }];
}

/** How old a job surely was when it was seen to be gone, ms. */
function leastAgeMs({ endedToMs, observations }: RetentionJob): number {
  const gone = observations.find(({ answer }) => answer === 'gone');
  return gone && endedToMs !== null ? gone.sentMs - endedToMs : Number.NEGATIVE_INFINITY;
}

/**
 * Every job that was lost. A loss is proven when at no moment of it everything can have been wiped out, since others
 * lived through it. Once it is known that jobs of some age are forgotten, those need no proof of their own that were
 * surely older.
 */
export function lossesOf({ jobs }: Pick<RetentionFacts, 'jobs'>): Loss[] {
  const witnesses = jobs.flatMap(presence);
  const found = jobs.flatMap(lossOf).map((loss) => ({ ...loss, proven: covered(loss, witnesses) }));
  const enoughMs = Math.min(...found.filter(({ proven }) => proven).map(({ ageMs }) => ageMs));
  return found.map((loss) => ({ ...loss, proven: loss.proven || leastAgeMs(loss.job) >= enoughMs }));
}
