/** The job a path names. */
import type { JobCall } from '../call.ts';
import { jobError, Refusal } from '../errors.ts';
import type { Job } from '../jobs/job.ts';

/**
 * Waits for the whole request first: a request counts as in flight until all of it has arrived.
 * @throws Refusal with 404 for a job that never was or is no longer kept.
 */
export async function findJob(call: JobCall): Promise<Job> {
  await call.arrived();
  const job = call.endpoint.find(call.parameters.job_id ?? '');
  if (!job) throw new Refusal(jobError(404, 'job not found'));
  return job;
}
