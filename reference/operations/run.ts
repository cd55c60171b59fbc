/** run: takes a job and answers with its id at once. */
import type { JobCall } from '../call.ts';
import { json, type Reply } from '../reply.ts';
import { submit } from './submit.ts';

/** Always 200 and IN_QUEUE, even where a worker took the job already: clients take any other 2xx for a failure. */
export async function run(call: JobCall): Promise<Reply> {
  const job = await submit(call, 'run');
  return json(200, { id: job.id, status: 'IN_QUEUE' });
}
