/** runsync: takes a job and answers with its result, or with its state when the waiting time is over. */
import type { JobCall } from '../call.ts';
import { record } from '../jobs/job.ts';
import { isFinal } from '../jobs/states.ts';
import { within } from '../options.ts';
import { json, type Reply } from '../reply.ts';
import { submit } from './submit.ts';

export async function runsync(call: JobCall): Promise<Reply> {
  const { endpoint, options, query, signal } = call;
  const waitMs = options.rules.runsyncWait(within(options.runsyncWait, query.get('wait')));
  const job = await submit(call, 'runsync');
  await endpoint.watch(job, () => isFinal(job.state), waitMs, signal);
  return json(200, record(job));
}
