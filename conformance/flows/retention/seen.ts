/** What a watch saw of the jobs that it is made for, each as the checks ask for it. */
import type { RetentionFacts } from '../../../schemas/retention.ts';
import type { Reply } from '../../target/reply.ts';
import type { Aging, Sighting } from './aging.ts';
import type { Attempt, Shown } from './shown.ts';
import type { Terms } from './terms.ts';

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
