/** One job, by all operations that can show it. */
import { isRefusal } from '../../reading/refusal.ts';
import type { JobsClient } from '../../target/jobs.ts';
import type { Reply } from '../../target/reply.ts';
import { Inconclusive, TargetFailure } from '../../target/signals.ts';

export interface Shown {
  readonly status: Reply;
  readonly 'status-sync': Reply;
  readonly stream: Reply;
}

export async function shown(jobs: JobsClient, id: string): Promise<Shown> {
  const [status, sync, stream] = [await jobs.status(id), await jobs.statusSync(id), await jobs.stream(id)];
  return { status, 'status-sync': sync, stream };
}

/** Whether none of them knows it any more. */
export const isForgotten = (one: Shown): boolean => Object.values(one).every(isRefusal);

/** What came of something that need not succeed. */
export type Attempt<T> = { readonly value: T } | { readonly error: unknown };

export const attempt = <T>(work: Promise<T>): Promise<Attempt<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** That there was no answer at some moment is no finding about how long jobs stay. */
export const asGround = (error: unknown): unknown =>
  error instanceof TargetFailure ? new Inconclusive(error.message, 'see the checks of this operation') : error;

/** The value, or the error thrown. */
export function outcomeOf<T>(one: Attempt<T>): T {
  if ('error' in one) throw asGround(one.error);
  return one.value;
}
