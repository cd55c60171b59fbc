/** The list of requests beside the records of the jobs in it: one call for all, since its budget is so small. */
import { type CheckContext, shared } from '../context.ts';
import { jobIdOf } from '../reading/job.ts';
import { isObject, walk } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';
import { type Ending, type Life, lived } from './life.ts';
import { submitSlow, submittedIds } from './submit.ts';

export interface Listed {
  readonly reply: Reply;
  /** A job that another endpoint had got right before; null where there is no other, or it was not to be told apart. */
  readonly foreign: string | null;
  readonly jobs: Readonly<Partial<Record<Ending, Life>>>;
}

/** The newest job of all, elsewhere: a list that is cut off would rather hold it than ours. */
async function foreignJob(t: CheckContext): Promise<string | null> {
  const other = t.target.config.endpoints.find(({ instId }) => instId !== t.endpoint.instId);
  if (!other) return null;
  const before = new Set(submittedIds(t));
  const { id } = await submitSlow(t, { echo: t.word() }, t.jobs.at(other.instId));
  // Where endpoints count their jobs each on its own, an id may be that of two of them.
  return before.has(id) ? null : id;
}

/** A list that was made after jobs of ours had ended in different ways. */
export const listed = shared('listed', 'ground', async (t): Promise<Listed> => {
  const older = { failing: await lived(t, 'failing'), cancelled: await lived(t, 'cancelled') };
  await t.room('requests', 1);
  // One is new: by now the others may have gone to a later page of a list that shows the newest first.
  const jobs = { quick: await lived(t, 'quick', 'to be listed'), ...older };
  const foreign = await foreignJob(t);
  return { jobs, foreign, reply: await t.jobs.requests() };
});

/** The row of a job in a list, however it is wrapped, or undefined: a list may rightly be short. */
export function rowOf(body: unknown, jobId: string): unknown {
  for (const { value } of walk(body)) {
    if (Array.isArray(value)) {
      const row = value.find((one) => isObject(one) && jobIdOf(one) === jobId);
      if (row !== undefined) return row;
    }
  }
  return undefined;
}
