/** The list of requests beside the records of the jobs in it: one call for all, since its budget is so small. */
import type { CheckContext } from '../context.ts';
import { jobIdOf } from '../reading/job.ts';
import { isObject, walk } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';
import { type Ending, type Life, lived } from './life.ts';

export interface Listed {
  readonly reply: Reply;
  readonly jobs: Readonly<Partial<Record<Ending, Life>>>;
}

/** A list that was made after jobs of ours had ended in different ways. */
export function listed(t: CheckContext): Promise<Listed> {
  const make = async (own: CheckContext): Promise<Listed> => {
    const jobs = {
      quick: await lived(own, 'quick'),
      failing: await lived(own, 'failing'),
      cancelled: await lived(own, 'cancelled'),
    };
    await own.room('requests', 1);
    return { jobs, reply: await own.jobs.requests() };
  };
  return t.once('listed', make, 'ground');
}

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
