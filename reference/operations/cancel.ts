/** cancel: stops a queued or running job; the record of a finished one comes back unchanged. */
import type { JobCall } from '../call.ts';
import { record } from '../jobs/job.ts';
import { isFinal } from '../jobs/states.ts';
import { json, type Reply } from '../reply.ts';
import { findJob } from './find.ts';

export async function cancel(call: JobCall): Promise<Reply> {
  const job = await findJob(call);
  if (isFinal(job.state)) return json(200, record(job));
  if (!call.options.rules.cancels(job.state)) return json(200, { id: job.id, status: 'CANCELLED' });
  call.endpoint.cancel(job);
  return json(200, record(job));
}
