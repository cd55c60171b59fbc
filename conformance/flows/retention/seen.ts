/** What a watch saw of the jobs that it is made for, each as the checks ask for it. */
import type { RetentionFacts } from '../../../schemas/retention.ts';
import type { CheckContext } from '../../context.ts';
import { isRefusal } from '../../reading/refusal.ts';
import { describe, isOk, type Reply } from '../../target/reply.ts';
import type { Aging, Sighting } from './aging.ts';
import type { Attempt, Shown } from './shown.ts';
import type { Terms } from './terms.ts';

// What a job that was looked at just before the end of its time says about how long jobs are kept.

const LATE = 'run it again with shorter round trips, and without other long checks';
const AGAIN = 'run it again without restarting the target';

/** It was there while it was fresh, or nothing follows from its being there or gone later. */
export function requireSeen(t: CheckContext, { answer, words }: Sighting): void {
  t.ground('a job that has just ended is known to status', 'its job record', words, answer === 'there');
}

/** An answer that came when a job's time may have been over doesn't show that the job was kept. */
export function requireInTime(t: CheckContext, { terms }: Watch, inTime: boolean): void {
  if (!inTime) t.inconclusive(`the response came after ${terms.words}`, LATE);
}

/** A job is expected to be there. One that is gone together with all others says nothing about their time. */
export function expectHeld(t: CheckContext, watch: Watch, who: string, { aging, fresh, early, inTime }: Held): void {
  requireSeen(t, fresh);
  requireInTime(t, watch, inTime);
  if (early.answer === 'unclear') t.inconclusive(`${who} just before ${watch.terms.words}: ${early.words}`, AGAIN);
  if (early.answer === 'gone') requireForgotten(t, watch, aging);
  t.expect(`${who} just before ${watch.terms.words}`, 'available', early.words, early.answer === 'there');
}

/** A job that is gone was forgotten, and not lost with everything else. */
export function requireForgotten(t: CheckContext, watch: Watch, aging?: Aging): void {
  const doubt = watch.doubtOf(aging);
  if (doubt !== null) t.inconclusive(doubt, AGAIN);
}

/**
 * The same where several operations were asked for a job, of which one is looked at. It has to be known to status before
 * and after them: a job that was lost in between says nothing about an operation that didn't find it.
 */
export function requireTelling(t: CheckContext, watch: Watch, asked: Asked, id: keyof Shown): void {
  const { early, after, aging } = asked;
  const reply = early[id];
  const when = `the job just before ${watch.terms.words}`;
  if (!isOk(reply) && !isRefusal(reply)) t.inconclusive(`${when}: ${describe(reply)}`, AGAIN);
  if (isRefusal(reply) && after.answer === 'unclear') t.inconclusive(`${when}: ${after.words}`, AGAIN);
  if (after.answer === 'gone') requireForgotten(t, watch, aging);
}

/** A job just before the end of its time. */
export interface Held {
  readonly aging: Aging;
  readonly fresh: Sighting;
  readonly early: Sighting;
  /** Whether that was answered before its time was over. */
  readonly inTime: boolean;
}

/** A job that several operations were asked for, just before the end of its time. */
export interface Asked {
  readonly aging: Aging;
  readonly fresh: Shown;
  readonly early: Shown;
  /** By status, behind those: asked once more where one of them refused. */
  readonly after: Sighting;
  readonly inTime: boolean;
}

export interface Late {
  readonly id: string;
  readonly shown: Shown;
  readonly cancel: Reply;
}

export interface Pair {
  readonly early: Reply;
  readonly late: Reply;
}

export interface Watch {
  readonly terms: Terms;
  readonly facts: RetentionFacts;
  /** Why it proves nothing that a job is gone, or null where it does; of no job: of those that were gone too early. */
  readonly doubtOf: (one?: Aging) => string | null;
  readonly kept: Held;
  readonly untouched: readonly Held[];
  readonly read: Held & { readonly late: Sighting };
  readonly long: Attempt<Held & { readonly apartMs: number; readonly marginMs: number }>;
  readonly asked: Attempt<Asked>;
  readonly late: Attempt<Late>;
  readonly failed: Pair | null;
  readonly cancelled: Pair | null;
}
